"""Numbers as learners type them: read in the unit asked for, or asked again; a wrong prefix has a name of its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.content.units import Misread, Quantity, parse_quantity, prefix_slip

BYTES = ("B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB")
positive = st.floats(1e-3, 1e6)


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("42", "GB", 42),
        (" 42 GB ", "GB", 42),
        ("39.1GiB", "GB", 41.9833),
        ("39.1 GiB", "GB", 41.9833),
        ("42000 MB", "GB", 42),
        ("42e9 B", "GB", 42),
        ("42e9", "B", 42e9),
        ("336 Gbit", "GB", 42),
        ("1/3", "fraction", 1 / 3),
        ("4/3 x", "x", 4 / 3),
        ("50%", "fraction", 0.5),
        ("133 %", "x", 1.33),
        ("1.33×", "x", 1.33),
        ("0,75", "fraction", 0.75),
        ("12,5", "GB", 12.5),
        ("1,234.5", "GB", 1234.5),
        ("1.234,5", "GB", 1234.5),
        ("1 234", "params", 1234),
        ("1,234,567", "params", 1234567),
        ("1_000", "params", 1000),
        ("7e9", "params", 7e9),
        ("7B", "params", 7e9),
        ("7B", "B params", 7),
        ("350M", "B params", 0.35),
        ("7", "B params", 7),
        ("131072 parameters", "params", 131072),
        ("8 layers", "layers", 8),
        ("1500 ms", "s", 1.5),
        (".5", "fraction", 0.5),
        ("50 GB/s", "B/s", 50e9),
        ("400 Gb/s", "GB/s", 50),
        ("400Gbit/s", "GB/s", 50),
        ("989 TFLOP/s", "FLOP/s", 989e12),
        ("1.979 PFLOPS", "TFLOP/s", 1979),
        ("6.3e24 FLOP", "ZFLOP", 6300),
        ("2 days", "h", 48),
        ("36 h", "days", 1.5),
        ("12 workers", "workers", 12),
        ("1 GPU", "GPUs", 1),
        ("15T", "tokens", 15e12),
        ("2T tokens", "tokens", 2e12),
        ("1.5 tok/s", "tokens/s", 1.5),
        ("20 requests/s", "1/s", 20),
        ("$2.50", "$", 2.5),
        ("3 k$", "$", 3000),
    ],
)
def test_what_is_read(text: str, unit: str, value: float) -> None:
    """A bare number is in the unit asked for; the same dimension converts."""
    read = parse_quantity(text, unit)

    assert isinstance(read, Quantity)
    assert read.value == pytest.approx(value, rel=1e-5)


@pytest.mark.parametrize(
    ("text", "unit", "words"),
    [
        ("", "GB", "in GB"),
        ("many", "GB", "'many' is not a number"),
        ("nan", "GB", "not a number"),
        ("42 s", "GB", "'s' does not measure"),
        ("50 GB", "GB/s", "answer in GB/s"),
        ("312 TFLOP", "TFLOP/s", "answer in TFLOP/s"),
        ("3 GPUs", "workers", "answer in workers"),
        ("42 tokens", "GB", "answer in GB"),
        ("42 GB", "layers", "answer in layers"),
        ("42 GB", "fraction", "answer in fraction"),
        ("8 samples", "layers", "'samples'"),
        ("4/0", "x", "by zero"),
        ("1.5.2", "GB", "not a number"),
        ("42 \x1b[31m", "GB", "does not measure"),
    ],
)
def test_what_is_asked_again(text: str, unit: str, words: str) -> None:
    """Another dimension or no number is not an answer: one sentence says what was wanted."""
    read = parse_quantity(text, unit)

    assert isinstance(read, Misread)
    assert words in read.sentence
    assert read.sentence.isprintable()


def test_a_comma_that_could_mean_either() -> None:
    """1,234 GB may be a thousand or one and a bit, so it is asked again."""
    assert isinstance(parse_quantity("1,234", "GB"), Misread)


def test_what_was_understood_is_said() -> None:
    """After a conversion the learner sees both numbers."""
    read = parse_quantity("39.1 GiB", "GB")
    assert isinstance(read, Quantity) and read.understood == "39.1 GiB = 41.9833 GB"


@given(positive, st.sampled_from(BYTES), st.sampled_from(BYTES))
def test_units_go_round(value: float, first: str, second: str) -> None:
    """A size written in one unit, read in another and written there, comes back."""
    there = parse_quantity(f"{value:.12g} {first}", second)
    assert isinstance(there, Quantity)
    back = parse_quantity(f"{there.value:.12g} {second}", first)
    assert isinstance(back, Quantity) and back.value == pytest.approx(value, rel=1e-9)


@given(st.text(max_size=30), st.sampled_from([*BYTES, "params", "B params", "x", "fraction", "s", "layers", ""]))
def test_any_text_is_read_or_asked_again(text: str, unit: str) -> None:
    """Whatever is typed, there is a number or a sentence, never an exception."""
    assert isinstance(parse_quantity(text, unit), Quantity | Misread)


@pytest.mark.parametrize(
    ("value", "answer", "unit", "words"),
    [
        (39.12, 42, "GB", "in GiB, not in GB"),
        (42_000, 42, "GB", "in MB, not in GB"),
        (0.042, 42, "GB", "in TB, not in GB"),
        (42e9, 42, "GB", "in B, not in GB"),
        (336, 42, "GB", "bits"),
        (7e9, 7, "B params", "10^9"),
        (16, 16_000, "params", "10^3"),
    ],
)
def test_the_right_digits_in_the_wrong_unit(value: float, answer: float, unit: str, words: str) -> None:
    """The slip says which prefix the number is in."""
    assert words in (prefix_slip(value, answer, unit, 0.005) or "")


@pytest.mark.parametrize(("value", "answer"), [(41, 42), (84, 42), (0, 42), (42, 0), (-42_000, 42)])
def test_other_numbers_are_no_slip_of_units(value: float, answer: float) -> None:
    """A number off by anything else has no such name."""
    assert prefix_slip(value, answer, "GB", 0.005) is None
