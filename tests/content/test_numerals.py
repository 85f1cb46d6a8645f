"""Digits in three languages: one value, or asked again where a mark could mean either."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.content.numerals import Ambiguous, read_numeral
from tutor.content.units import Misread, Quantity, parse_quantity


@pytest.mark.parametrize(
    "text", ["1234.5", "1,234.5", "1.234,5", "1 234.5", "1 234,5", "1\u202f234,5", "1_234.5", "1234,5"]
)
def test_one_number_in_many_hands(text: str) -> None:
    """English, Turkish, Vietnamese and program notations of one number read alike."""
    assert read_numeral(text, whole=False) == 1234.5


@pytest.mark.parametrize("text", ["1,00,000", "1,234,5", "1 2 3", "12 34", "1.5.2", "1,2.3,4", ",", "1e5e5"])
def test_what_is_no_number(text: str) -> None:
    """Groups that are not of three digits are a slip of the hand, not thousands."""
    with pytest.raises(ValueError, match=r".*"):
        read_numeral(text, whole=False)


@pytest.mark.parametrize(
    ("text", "value"), [("131,072", 131072), ("131.072", 131072), ("1.000.000", 1e6), ("2,5", 2.5)]
)
def test_counts_have_thousands(text: str, value: float) -> None:
    """Nobody has a thousandth of a parameter: where a count is asked for, a mark before three digits parts thousands."""
    assert read_numeral(text, whole=True) == value


@pytest.mark.parametrize("text", ["1,234", "12,500"])
def test_a_comma_before_three_digits(text: str) -> None:
    """Of a size it may be either, and is asked again with both readings."""
    with pytest.raises(Ambiguous):
        read_numeral(text, whole=False)
    read = parse_quantity(text, "GB")
    assert isinstance(read, Misread)
    assert text.replace(",", "") in read.sentence and text.replace(",", ".") in read.sentence


@given(st.integers(0, 10**12), st.sampled_from([",", ".", " ", "_"]))
def test_grouped_thousands(value: int, mark: str) -> None:
    """Any count with its thousands parted by one mark is that count."""
    assert read_numeral(f"{value:,}".replace(",", mark), whole=True) == value


@pytest.mark.parametrize("text", ["1e999", "9" * 400, "1/1e-320", "1e308 TB"])
def test_beyond_all_numbers(text: str) -> None:
    """What is too large to be a number is no answer: no infinity reaches the log."""
    assert isinstance(parse_quantity(text, "GB"), Misread)


@pytest.mark.parametrize(
    ("text", "unit", "understood"),
    [
        ("1048576", "params", "1048576 params"),
        ("8 layer", "layers", "8 layer = 8 layers"),
        ("42 gb", "GB", "42 gb = 42 GB"),
        ("42 gib", "GiB", "42 gib = 42 GiB"),
    ],
)
def test_what_is_forgiven(text: str, unit: str, understood: str) -> None:
    """Small letters and singulars are understood, and large whole numbers are said back with every digit."""
    read = parse_quantity(text, unit)
    assert isinstance(read, Quantity) and read.understood == understood


def test_small_b_may_be_a_bit() -> None:
    """Gb may mean gigabits, so it is asked again."""
    assert isinstance(parse_quantity("42 Gb", "GB"), Misread)
