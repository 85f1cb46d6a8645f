"""Settings: each key of `config.toml` on a line with its range and what it does."""

from __future__ import annotations

import textwrap
from typing import Any

from textual.content import Content
from textual.events import Key
from textual.geometry import Region

from tutor.config import ConfigError, unusable
from tutor.i18n import _
from tutor.study.settings import Setting, Value, change_settings, read_typed, stepped, with_themes, written
from tutor.ui.actions import hints, keyed
from tutor.ui.theme import KEY, QUIET, STRONG
from tutor.ui.widgets.frame import FrameScreen
from tutor.ui.wrapping import APART

WIDE = 70
"""Cells from which name, value, range and meaning stand on one line."""


class SettingsScreen(FrameScreen):
    """Up and down choose, left and right or typing change, Enter saves all, Esc drops all."""

    def __init__(self) -> None:
        super().__init__()
        self._settings: tuple[Setting, ...] = ()
        self._row = 0
        self._changed: dict[str, Value] = {}
        self._typed: str | None = None
        """What stands in the line under the cursor while it is being typed."""
        self._said = ""

    def on_mount(self) -> None:
        """Paint the settings in force."""
        own = [name for name in self.app.available_themes if name.startswith("tutor-")]
        others = sorted(set(self.app.available_themes) - set(own))
        self._settings = with_themes((*own, *others))
        self.refresh_frame()

    def take_key(self, event: Key) -> None:
        """Change by an arrow, or type into the line under the cursor."""
        if event.key in ("left", "right"):
            self._keep_typed()
            self._step(1 if event.key == "right" else -1)
        elif event.key == "backspace":
            self._typed = (written(self.value(self.setting)) if self._typed is None else self._typed)[:-1]
        elif event.character and event.is_printable and event.character not in " ?":
            self._typed = (self._typed or "") + event.character
        else:
            return
        event.stop()
        self._said = ""
        self.refresh_frame()

    def action_arrow(self, by: int) -> None:
        """Go to the next line or the one before, keeping what was typed."""
        self._keep_typed()
        self._row = (self._row + by) % len(self._settings)
        self._said = ""
        self.refresh_frame()

    @property
    def setting(self) -> Setting:
        """The setting under the cursor."""
        return self._settings[self._row]

    def value(self, setting: Setting) -> Value:
        """Return a setting's value with the changes that are not saved yet."""
        saved: Value = getattr(self.app.desk.config, setting.key)
        return self._changed.get(setting.key, saved)

    def action_save(self) -> None:
        """Save every change and obey it at once, or say which cannot be used and stand there."""
        self._keep_typed()
        changes = {s.key: self._changed[s.key] for s in self._settings if s.key in self._changed}
        try:
            self._refuse_unknown_theme()
            change_settings(self.app.desk, changes)
        except ConfigError as error:
            self._said = str(error)
            keys = [setting.key for setting in self._settings]
            self._row = next((n for n, key in enumerate(keys) if f": {key} " in self._said), self._row)
        else:
            told = ", ".join(f"{key} {written(value) or _('empty')}" for key, value in changes.items())
            self._said = (
                _("Saved in {file}: {changes}.").format(file=self.app.desk.home.config, changes=told)
                if told
                else _("Nothing was changed.")
            )
            self._changed = {}
            self.app.wear_settings()
        self.refresh_frame()

    def action_back(self) -> None:
        """Return to Today; what is not saved is named first, and dropped at the second press."""
        self._keep_typed()
        unsaved = ", ".join(f"{key} {written(value) or _('empty')}" for key, value in self._changed.items())
        said = keyed(_("Not saved: {changes}; {save} saves, {back} again drops."), typing=True, changes=unsaved)
        if not unsaved or self._said == said:
            self.app.pop_screen()
            return
        self._said = said
        self.refresh_frame()

    def refresh_frame(self) -> None:
        """Paint every line, and keep the one under the cursor in view."""
        if not self.is_mounted or not self._settings:
            return
        blocks = [
            line(setting, self._value_text(setting), self._mark(n, setting), self.room)
            for n, setting in enumerate(self._settings)
        ]
        keys = _("↑ ↓ choose   ← → or type to change") + APART + hints(("save", "back"), typing=True)
        self.show(_("settings"), Content("\n").join(blocks), "\n".join(text for text in (self._said, keys) if text))
        heights = [block.plain.count("\n") + 1 for block in blocks]
        at = Region(0, sum(heights[: self._row]), 1, heights[self._row])
        self.call_after_refresh(self.body.scroll_to_region, at, animate=False)

    def _value_text(self, setting: Setting) -> str:
        if self._typed is not None and setting is self.setting:
            return f"{self._typed}▏"
        return written(self.value(setting)) or _("empty")

    def _mark(self, place: int, setting: Setting) -> str:
        return ("›" if place == self._row else " ") + ("*" if setting.key in self._changed else " ")

    def _keep_typed(self) -> None:
        if self._typed is not None:
            self._change(self.setting, read_typed(self.setting, self._typed))
            self._typed = None

    def _step(self, direction: int) -> None:
        try:
            self._change(self.setting, stepped(self.setting, self.value(self.setting), direction, self.app.desk.day()))
        except (TypeError, ValueError):  # what was typed is no date or number yet: begin again from what is in force
            self._changed.pop(self.setting.key, None)

    def _change(self, setting: Setting, value: Value) -> None:
        self._changed.pop(setting.key, None)
        if value != getattr(self.app.desk.config, setting.key):
            self._changed[setting.key] = value

    def _refuse_unknown_theme(self) -> None:
        theme: Any = self._changed.get("theme", "")
        if theme and theme not in self.app.available_themes:
            known = ", ".join(str(name) for name in self._settings[-1].choices if name)
            fault = _("write one of {choices}").format(choices=known)
            raise ConfigError(unusable(self.app.desk.home.config, "theme", theme, fault))


def line(setting: Setting, shown: str, mark: str, width: int) -> Content:
    """Return a setting's name, value, range and meaning: beside each other where there is room, else below."""
    head: list[tuple[str, str]] = [(mark, KEY), (f" {setting.key:<17}", STRONG), (f"{shown:<13}", KEY)]
    if width >= WIDE:
        room = width - 48
        about = ("\n" + " " * 48).join(textwrap.wrap(_(setting.about), room))
        return Content.assemble(*head, (f"{_(setting.range):<15}", ""), (about, QUIET))
    below = textwrap.wrap(f"{_(setting.range)}: {_(setting.about)}", width - 3)
    return Content.assemble(*head, *((f"\n   {text}", QUIET) for text in below)).rstrip()
