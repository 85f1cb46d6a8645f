"""The palette: find an action, or a theme, by its name."""

from __future__ import annotations

from textual.command import CommandPalette

from tutor.ui.widgets.frame import FloorScreen


class PaletteScreen(CommandPalette, FloorScreen[None]):
    """Textual's own, in the words of the registry and with the floor of every screen."""
