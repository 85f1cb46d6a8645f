"""Digits as people write them in three languages: 1,234.5 and 1.234,5 and 1 234,5 are one number."""

from __future__ import annotations

import re

NUMERAL = r"[+-]?(?:[0-9][0-9.,_ \u00a0\u202f]*|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?"
"""What may be a number; `read_numeral` says whether it is one."""
_SPACES = re.compile(r"[_ \u00a0\u202f]")
_GROUPED = re.compile(r"[+-]?[0-9]{1,3}([_ \u00a0\u202f])[0-9]{3}(?:\1[0-9]{3})*(?:[.,][0-9]+)?")
_THOUSANDS = {mark: re.compile(rf"[+-]?[1-9][0-9]{{0,2}}(?:\{mark}[0-9]{{3}})+") for mark in ",."}


class Ambiguous(ValueError):
    """One comma before three digits: it may part thousands or begin a fraction."""


def read_numeral(text: str, whole: bool) -> float:
    """Return the value of a numeral. `whole`: a count is asked for, so three digits after a mark are thousands.

    Raises Ambiguous where a comma could mean either, ValueError where the text is no number.
    """
    mantissa, _, exponent = text.strip().lower().partition("e")
    mantissa = mantissa.strip()
    if _SPACES.search(mantissa):
        if not _GROUPED.fullmatch(mantissa):
            raise ValueError(text)
        mantissa = _SPACES.sub("", mantissa)
    return float(_marks(mantissa, whole) + (f"e{exponent}" if exponent else ""))


def _marks(digits: str, whole: bool) -> str:
    """Return the digits with a point before the fraction and no other mark."""
    comma, point = digits.rfind(","), digits.rfind(".")
    if comma >= 0 and point >= 0:
        parting, decimal = (",", ".") if point > comma else (".", ",")
        integer, _, fraction = digits.partition(decimal)
        if not _THOUSANDS[parting].fullmatch(integer):
            raise ValueError(digits)
        return f"{integer.replace(parting, '')}.{fraction}"
    mark = "," if comma >= 0 else "."
    if _THOUSANDS[mark].fullmatch(digits):
        if whole or digits.count(mark) > 1:
            return digits.replace(mark, "")
        if mark == ",":
            raise Ambiguous(digits)
    return digits.replace(",", ".")
