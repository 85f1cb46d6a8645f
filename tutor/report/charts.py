"""Charts as small SVG with literal text: no script, no font from elsewhere, readable in dark and light."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from tutor.i18n import _


def bars(labels: Sequence[str], values: Sequence[float], title: str, width: int = 640, height: int = 120) -> str:
    """Return a bar chart; every bar carries its label and value as a tooltip."""
    if not values:
        return ""
    top, step = max(*values, 1), width / len(values)
    shapes = []
    for place, (label, value) in enumerate(zip(labels, values, strict=True)):
        tall = value / top * (height - 30)
        x, y = place * step + 1, height - 16 - tall
        shapes.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(1.0, step - 2):.1f}" height="{tall:.1f}"><title>{escape(label)}: {value:g}</title></rect>'
        )
    first, last = escape(labels[0]), escape(labels[-1])
    ends = (
        f'<text x="0" y="{height - 2}">{first}</text><text x="{width}" y="{height - 2}" text-anchor="end">{last}</text>'
    )
    high = f'<text x="0" y="10">{_("highest {value:g}").format(value=top)}</text>'
    return f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}"><title>{escape(title)}</title>{"".join(shapes)}{ends}{high}</svg>'


def share_bar(value: float | None, width: int = 160) -> str:
    """Return a bar of a share between 0 and 1."""
    full = 0.0 if value is None else value * width
    return f'<svg class="share" viewBox="0 0 {width} 10" width="{width}" height="10" aria-hidden="true"><rect class="empty" width="{width}" height="10"/><rect width="{full:.1f}" height="10"/></svg>'
