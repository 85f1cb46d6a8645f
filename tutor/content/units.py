"""Numbers as learners type them: `42e9`, `42 GB`, `39.1GiB`, `1/3`, `1,234.5`, `0,75`; and the units they may come in.

A bare number is in the unit asked for. The same dimension converts; another dimension is not read at all, and asked again.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from tutor.content.numerals import NUMERAL, Ambiguous, read_numeral
from tutor.i18n import _

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
_BITS = {"bit": 1 / 8, "bits": 1 / 8, "Mbit": 1e6 / 8, "Gbit": 1e9 / 8}
_PREFIXES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18, "Z": 1e21, "Y": 1e24}
_DIMENSIONS: tuple[dict[str, float], ...] = (
    _BYTES | _BITS | {"byte": 1.0, "bytes": 1.0},
    {f"{unit}/s": size for unit, size in (_BYTES | _BITS).items()}
    | {"Mb/s": 1e6 / 8, "Gb/s": 1e9 / 8, "Tb/s": 1e12 / 8},
    {
        "s": 1.0,
        "ms": 1e-3,
        "us": 1e-6,
        "µs": 1e-6,
        "min": 60.0,
        "h": 3600.0,
        "d": 86400.0,
        "day": 86400.0,
        "days": 86400.0,
    },
    {prefix + name: size for prefix, size in _PREFIXES.items() for name in ("FLOP", "FLOPs")},
    {prefix + name: size for prefix, size in _PREFIXES.items() for name in ("FLOP/s", "FLOPs/s", "FLOPS")},
    {"FLOP/B": 1.0, "FLOPs/B": 1.0, "FLOP/byte": 1.0},
    {"tokens/s": 1.0, "token/s": 1.0, "tok/s": 1.0},
    {"1/s": 1.0, "/s": 1.0, "requests/s": 1.0, "req/s": 1.0},
    {"$": 1.0, "USD": 1.0, "k$": 1e3, "M$": 1e6},
)
"""What can be measured: a number converts between the units of one table."""
_COUNTS = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12, "million": 1e6, "billion": 1e9}
_NOUNS = frozenset(
    [
        "params",
        "samples",
        "units",
        "layers",
        "tokens",
        "calls",
        "bytes",
        "sequences",
        "workers",
        "slots",
        "blocks",
        "requests",
        "replicas",
        "streams",
        "micro-batches",
        "GPUs",
        "steps",
        "doublings",
    ]
)
_RATIOS = {"": 1.0, "x": 1.0, "×": 1.0, "%": 0.01, "fraction": 1.0}

_NUMBER = re.compile(rf"^({NUMERAL})(?:\s*/\s*({NUMERAL}))?\s*(.*)$", re.DOTALL)
_LOWER = {unit.casefold(): unit for unit in _BYTES if unit not in ("B", "kB")} | {"kb": "kB"}


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
    text = text.strip()
    found = _NUMBER.match(text.removeprefix("$"))
    whole = _count(unit)[0] == 1 and bool(unit)
    try:
        number = read_numeral(found[1], whole) if found else math.nan
        number = number / read_numeral(found[2], whole) if found and found[2] else number
    except Ambiguous as mark:
        plain = str(mark).replace(",", "")
        dotted = str(mark).replace(",", ".")
        said = _("{text!r} can be read two ways; write {plain} or {dotted}{unit}.")
        return Misread(said.format(text=text, plain=plain, dotted=dotted, unit=_in(unit)))
    except ZeroDivisionError:
        return Misread(_("{text!r} divides by zero; type a number{unit}.").format(text=text, unit=_in(unit)))
    except ValueError:
        number = math.nan
    if found is None or not math.isfinite(number):
        said = _("{text!r} is not a number; type one{unit}, such as 42 or 4.2e9.")
        return Misread(said.format(text=text, unit=_in(unit)))
    given = found[3].strip()
    if not given or given == unit:
        return Quantity(number, f"{_plain(number)} {unit}".rstrip())
    scale = _scale(given, unit)
    if scale is None or not math.isfinite(number * scale):
        said = _("{text!r} does not measure what is asked; answer in {unit}.")
        return Misread(said.format(text=given, unit=unit or _("plain numbers")))
    return Quantity(number * scale, f"{_plain(number)} {given} = {_plain(number * scale)} {unit}".rstrip())


def prefix_slip(value: float, answer: float, unit: str, tolerance: float) -> str | None:
    """Return the name of a slip of units: the right digits with a prefix off by powers of 1000 or 1024, or bits for bytes."""
    if not answer or not value:
        return None
    near = max(tolerance, 1e-3)
    kin = [u for u in _BYTES if u != "KB"] if unit in _BYTES else []
    for other in kin:
        converted = answer * _BYTES[unit] / _BYTES[other]
        if other != unit and abs(value - converted) <= near * abs(converted):
            return _("the number is in {other}, not in {unit}").format(other=other, unit=unit)
    if kin and abs(value - 8 * answer) <= near * 8 * abs(answer):
        return _("bits were counted for bytes")
    for power in (3, 6, 9):
        for factor in (10.0**power, 10.0**-power):
            if abs(value - answer * factor) <= near * abs(answer * factor):
                return _("the digits are right, the prefix is off by 10^{power}").format(power=power)
    return None


_SHOWN: dict[str, tuple[str, ...]] = {
    "B": ("B", "kB", "MB", "GB", "TB"),
    "B/s": ("B/s", "kB/s", "MB/s", "GB/s", "TB/s"),
    "s": ("us", "ms", "s", "min", "h", "days"),
    "FLOP": tuple(f"{prefix}FLOP" for prefix in _PREFIXES),
    "FLOP/s": tuple(f"{prefix}FLOP/s" for prefix in _PREFIXES),
}
"""The units a number is shown in, small to large."""


def readable(value: float, unit: str) -> str:
    """Return a value as a person reads it: in the largest unit that leaves at least 1, bytes in binary units beside it."""
    ladder = _SHOWN.get(unit)
    if ladder is None:
        size, letter = next((step for step in _LETTERS if abs(value) >= step[0]), (1.0, ""))
        percent = f" ({100 * value:.4g} %)" if unit == "fraction" and value <= 1 else ""
        return f"{_short(value / size)}{letter} {'' if unit == 'fraction' else unit}".rstrip() + percent
    table = next(table for table in _DIMENSIONS if unit in table)
    chosen = next((u for u in reversed(ladder) if abs(value) >= table[u] / table[unit]), ladder[0])
    text = f"{_short(value * table[unit] / table[chosen])} {chosen}"
    if unit != "B" or abs(value) < 1024:
        return text
    binary = next(u for u in ("TiB", "GiB", "MiB", "KiB") if abs(value) >= _BYTES[u])
    return f"{text} ({_short(value / _BYTES[binary])} {binary})"


_LETTERS = ((1e12, "T"), (1e9, "B"), (1e6, "M"))


def _short(number: float) -> str:
    """Return four digits, or every digit of a whole number below a million."""
    return str(int(number)) if number.is_integer() and abs(number) < 1e6 else f"{number:.4g}"


def _scale(given: str, unit: str) -> float | None:
    """Return what a number in `given` must be multiplied by to be in `unit`; None for another dimension."""
    if unit in _BYTES:
        given = _LOWER.get(given, given)
    for table in _DIMENSIONS:
        if unit in table:
            return table[given] / table[unit] if given in table else None
    if unit in ("fraction", "x", "×", "ratio", "%"):
        goal = _RATIOS.get(unit, 1.0)
        return _RATIOS[given] / goal if given in _RATIOS else None
    size, noun = _count(unit)
    given_size, given_noun = _count(given)
    if size is None or given_size is None or (given_noun and noun and given_noun != noun):
        return None
    return given_size / size


def _count(text: str) -> tuple[float | None, str]:
    words = text.split()
    size, noun = 1.0, ""
    for word in words:
        if word in _COUNTS:
            size *= _COUNTS[word]
        elif (named := word.replace("parameter", "param").rstrip("s") + "s") in _NOUNS:
            noun = named
        else:
            return None, ""
    return size, noun


def _plain(number: float) -> str:
    """Return whole numbers with every digit, others with six."""
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else f"{number:.6g}"


def _in(unit: str) -> str:
    return _(" in {unit}").format(unit=unit) if unit else ""
