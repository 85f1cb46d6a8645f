"""A fit in words: the reason with its numbers, and what was left out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tutor.learning.fit import LEAST_HELD_OUT, LEAST_SCORED, Fit
from tutor.learning.intervals import Interval
from tutor.learning.parameters import default_parameters
from tutor.study.verdict import judged, why

DEFAULTS = default_parameters()
NONE = {"rating": 0, "time": 0, "duplicate": 0, "clock_back": 0, "duration": 0, "evidence": 0}


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("no repeats", "None of 500 reviews repeats a card on a later day. Parameters kept."),
        ("too few", f"20 of 500 reviews can be scored; a fit needs {LEAST_SCORED}. Parameters kept."),
        (
            "one outcome",
            "All 20 scored reviews of 500 reviews came out alike; a fit needs both outcomes. Parameters kept.",
        ),
        (
            "too few held out",
            f"The last fifth of the time holds 3 reviews to check a fit on; {LEAST_HELD_OUT} are needed. Parameters kept.",
        ),
        ("cancelled", "The fit was stopped. Parameters kept."),
    ],
)
def test_a_refusal_names_its_numbers(reason: str, said: str) -> None:
    """One sentence each, from the reason and the counts."""
    verdict = judged(Fit(DEFAULTS, False, reason, 500, 20, 3), DEFAULTS, {}, NONE)
    assert why(verdict) == said


def test_rows_left_out_are_said() -> None:
    """Whoever has too few reviews learns how many could not be used."""
    verdict = judged(Fit(DEFAULTS, False, "too few", 3, 2), DEFAULTS, {}, NONE | {"rating": 5, "time": 1})
    assert "2 of 3 reviews (5 left out for an unknown rating, 1 left out without a usable time) can be scored" in why(
        verdict
    )


def test_what_was_compared_is_said_with_its_interval() -> None:
    """Log loss before and after, the difference between them, and on how many reviews."""
    done = Fit(DEFAULTS, False, "not better", 5000, 4000, 812, 0.35, 0.36, Interval(0.01, -0.002, 0.021))
    compared = "log loss 0.3500 -> 0.3600 (+0.0100 [-0.0020, +0.0210]) on the 812 scored reviews of the last fifth"
    assert why(judged(done, DEFAULTS, {}, NONE)) == f"Not better: {compared}. Parameters kept."
    assert why(judged(replace(done, reason="better"), DEFAULTS, {}, NONE)) == f"Better: {compared}."
