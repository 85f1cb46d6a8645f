"""The tutor's own themes, dark and light. Colour never carries meaning alone: a word and a sign always stand beside it."""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="tutor-dark",
    primary="#7aa2f7",
    secondary="#9aa5ce",
    accent="#e0af68",
    foreground="#d5dae8",
    background="#15171e",
    surface="#1b1e27",
    panel="#232733",
    success="#7ee2a8",
    warning="#ffd173",
    error="#ff9a9a",
    dark=True,
)
LIGHT = Theme(
    name="tutor-light",
    primary="#1d4ed8",
    secondary="#475569",
    accent="#92400e",
    foreground="#1a1f2b",
    background="#fbfaf7",
    surface="#f3f1ec",
    panel="#e7e4dc",
    success="#14633a",
    warning="#7a4300",
    error="#a01818",
    dark=False,
)
THEMES = (DARK, LIGHT)

RIGHT = "bold $success"
WRONG = "bold $error"
QUIET = "$secondary"
STRONG = "bold"
KEY = "bold $primary"
