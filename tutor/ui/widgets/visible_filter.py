"""The last line of defence against a stranger's deck: no segment drawn as text may carry control characters."""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from tutor.visible import visible


class VisibleFilter(LineFilter):
    """Replaces control characters by visible marks in every segment that is not itself a terminal control."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments with their text made visible."""
        return [
            segment if segment.control else Segment(visible(segment.text), segment.style, segment.control)
            for segment in segments
        ]
