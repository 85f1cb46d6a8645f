"""Numbers as learners type them: `42e9`, `42 GB`, `39.1GiB`, `1/3`, `1,234.5`, `0,75`; and the units they may come in.

A bare number is in the unit asked for. The same dimension converts; another dimension is not read at all, and asked again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_BYTES = {
    "B": 1.0,
    "kB": 1e3,
    "KB": 1e3,
    "MB": 1e6,
    "GB": 1e9,
    "TB": 1e12,
    "KiB": 2.0**10,
    "MiB": 2.0**20,
    "GiB": 2.0**30,
    "TiB": 2.0**40,
}
_COUNTS = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12, "million": 1e6, "billion": 1e9}
_NOUNS = ("params", "parameters", "samples", "units", "layers", "tokens", "calls", "bytes")
_RATIOS = {"": 1.0, "x": 1.0, "×": 1.0, "%": 0.01, "fraction": 1.0}
_TIMES = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "min": 60.0, "h": 3600.0}

_NUMBER = re.compile(r"^([+-]?[0-9][0-9.,_  ]*(?:[eE][+-]?[0-9]+)?|[+-]?[.,][0-9]+)(?:\s*/\s*([0-9][0-9.,]*))?\s*(.*)$")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in the unit asked for, and what was understood."""

    value: float
    understood: str


@dataclass(frozen=True, slots=True)
class Misread:
    """Why a text is not an answer, in one sentence."""

    sentence: str


def parse_quantity(text: str, unit: str) -> Quantity | Misread:
    """Read `text` as a value in `unit`, converting from another unit of the same dimension."""
    found = _NUMBER.match(text.strip())
    number = _number(found[1]) if found else None
    if found is None or number is None:
        return Misread(f"{text.strip()!r} is not a number; type one{_in(unit)}, such as 42 or 4.2e9.")
    if found[2]:
        divisor = _number(found[2])
        if not divisor:
            return Misread(f"{text.strip()!r} divides by zero or by no number; type a number{_in(unit)}.")
        number /= divisor
    given = found[3].strip()
    if not given or given == unit:
        return Quantity(number, f"{number:.6g} {unit}".rstrip())
    scale = _scale(given, unit)
    if scale is None:
        return Misread(f"{given!r} does not measure what is asked; answer in {unit or 'plain numbers'}.")
    value = number * scale
    return Quantity(value, f"{number:.6g} {given} = {value:.6g} {unit}".rstrip())


def prefix_slip(value: float, answer: float, unit: str, tolerance: float) -> str | None:
    """Return the name of a slip of units: the right digits with a prefix off by powers of 1000 or 1024, or bits for bytes."""
    if not answer or not value:
        return None
    near = max(tolerance, 1e-3)
    kin = [u for u in _BYTES if u != "KB"] if unit in _BYTES else []
    for other in kin:
        converted = answer * _BYTES[unit] / _BYTES[other]
        if other != unit and abs(value - converted) <= near * abs(converted):
            return f"the number is in {other}, not in {unit}"
    if kin and abs(value - 8 * answer) <= near * 8 * abs(answer):
        return "bits were counted for bytes"
    for power in (3, 6, 9):
        for factor in (10.0**power, 10.0**-power):
            if abs(value - answer * factor) <= near * abs(answer * factor):
                return f"the digits are right, the prefix is off by 10^{power}"
    return None


def _scale(given: str, unit: str) -> float | None:
    """Return what a number in `given` must be multiplied by to be in `unit`; None for another dimension."""
    for table in (_BYTES, _TIMES):
        if unit in table:
            return table[given] / table[unit] if given in table else _bits(given, unit)
    if unit in ("fraction", "x", "×", "ratio", "%"):
        goal = _RATIOS.get(unit, 1.0)
        return _RATIOS[given] / goal if given in _RATIOS else None
    size, noun = _count(unit)
    given_size, given_noun = _count(given)
    if size is None or given_size is None or (given_noun and noun and given_noun != noun):
        return None
    return given_size / size


def _bits(given: str, unit: str) -> float | None:
    bits = {"bit": 1 / 8, "bits": 1 / 8, "Gbit": 1e9 / 8, "Mbit": 1e6 / 8, "bytes": 1.0, "byte": 1.0}
    return bits[given] / _BYTES[unit] if unit in _BYTES and given in bits else None


def _count(text: str) -> tuple[float | None, str]:
    words = text.split()
    size, noun = 1.0, ""
    for word in words:
        if word in _COUNTS:
            size *= _COUNTS[word]
        elif word in _NOUNS:
            noun = "params" if word == "parameters" else word
        else:
            return None, ""
    return size, noun


def _number(text: str) -> float | None:
    """Return the value of digits with point, comma or spaces; None where the comma could mean either."""
    text = re.sub(r"[_  ]", "", text).replace(" ", "")
    if "," in text and "." in text:
        text = text.replace(",", "") if text.rfind(".") > text.rfind(",") else text.replace(".", "").replace(",", ".")
    elif text.count(",") == 1:
        whole, part = text.split(",")
        if len(part) == 3 and whole not in ("0", "", "-0") and part.isdecimal():
            return None  # 1,234 may be a thousand or one and a bit: ask again
        text = text.replace(",", ".")
    elif text.count(",") > 1:
        text = text.replace(",", "")
    try:
        return float(text)
    except ValueError:
        return None


def _in(unit: str) -> str:
    return f" in {unit}" if unit else ""
