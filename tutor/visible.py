"""Makes deck text safe to print: control characters become visible marks, so a stranger's deck cannot drive the terminal."""

from __future__ import annotations

_BIDI = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C}
_ZERO_WIDTH = {0x200B, 0x2060, 0xFEFF, 0x00AD}


def _mark(code: int) -> str | None:
    if code in (0x09, 0x0A):
        return None
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0x80 <= code < 0xA0 or code in _BIDI or code in _ZERO_WIDTH:
        return f"<U+{code:04X}>"
    return None


_TABLE = {code: mark for code in (*range(0xA0), *_BIDI, *_ZERO_WIDTH) if (mark := _mark(code)) is not None}


def visible(text: str) -> str:
    """Return `text` with C0 (but newline and tab), DEL, C1, bidirectional and zero-width controls as visible marks.

    Zero-width joiners stay: emoji and several scripts are written with them.
    """
    return text.translate(_TABLE)
