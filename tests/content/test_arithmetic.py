"""Arithmetic in prose: what is computed, what is passed over, and what can never run."""

from __future__ import annotations

import pytest

from tutor.content.arithmetic import agree, equations, evaluate


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("8·16·1024²·4 / 2^20", 512),
        ("8,388,608 / 2", 4194304),
        ("min(3, 5) + max(2, 7)", 10),
        ("⌈257 / 128⌉ · √(16)", 12),
        ("7B · 2 / 1e9", 14),
        ("−2 + 3", 1),
    ],
)
def test_an_expression_is_computed(text: str, value: float) -> None:
    """School arithmetic with the signs that prose uses."""
    assert evaluate(text) == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    ["", "n + 1", "1 / 0", "9^9^9^9", "__import__('os')", "(1).real", "[1]", "1 if 1 else 2", "sqrt", "abs(-1)", "(" * 250, "1e999", "2 +"],
)  # fmt: skip
def test_what_is_no_arithmetic_has_no_value(text: str) -> None:
    """Names, code, what is endless and what is not finite come to nothing."""
    assert evaluate(text) is None


def test_equations_of_a_text() -> None:
    """Both sides in numbers are found in the middle of a sentence; formulas in names are passed over."""
    text = "Backward repeats one: 7 / 6 = 1.17 of it. With n blocks 2n + 1 = 9, and a chain x = 4 · 5 = 20 bytes."
    assert [(left, right) for left, _, right in equations(text)] == [("7 / 6", "1.17"), ("4 · 5", "20")]


@pytest.mark.parametrize(
    ("value", "written", "right"),
    [
        (7 / 6, "1.17", True),
        (7 / 6, "1.2", True),
        (7 / 6, "1.16", False),
        (7 / 6, "1", False),
        (21.12, "21", True),
        (21.12, "22", False),
        (2 / 3, "67 %", True),
        (7e9, "7B", True),
        (7.3e9, "7B", False),
        (1180.9, "1181", True),
    ],
)
def test_a_number_is_read_as_precisely_as_it_is_written(value: float, written: str, right: bool) -> None:
    """Rounding is no error; another number is."""
    assert agree(value, written) is right
