"""Placement in line mode."""

from __future__ import annotations

from dataclasses import replace

from tests.plain.test_mode import Learner
from tutor.plain.lines import Lines
from tutor.plain.mode import LineMode
from tutor.study.desk import Desk
from tutor.study.sitting import Sitting


def test_a_newcomer_is_offered_a_placement_and_told_where_he_stands(desk: Desk) -> None:
    """The offer is one line; the placement runs to its end, says what is likely known, and the offer is gone."""
    kinds = ("choice", "multi", "numeric", "order", "cloze", "predict")
    first = Learner({})
    LineMode(Sitting(desk, desk.rules(), "plain"), Lines(first, first.said)).run()
    assert "tutor review --placement --plain" in first.said.getvalue()
    learner = Learner(dict.fromkeys(kinds, ["i"] * 40) | {"explain": ["", "i"] * 40})
    rules = replace(desk.rules(), placement=True, lab="off", confidence=False)
    LineMode(Sitting(desk, rules, "plain"), Lines(learner, learner.said)).run()
    assert "Likely known: 0 of" in learner.said.getvalue()
    again = Learner({})
    LineMode(Sitting(desk, desk.rules(), "plain"), Lines(again, again.said)).run()
    assert "--placement" not in again.said.getvalue()
