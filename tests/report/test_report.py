"""One report model, four formats: what is counted, what is escaped, what is said about small n."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.given import answered
from tests.support import FakeClock
from tutor.learning import moves
from tutor.report.html import to_html
from tutor.report.intervals import wilson
from tutor.report.markdown import to_markdown
from tutor.report.tables import guarded, to_csv, to_json
from tutor.study.desk import Desk, with_limits
from tutor.study.reporting import report_of
from tutor.study.sitting import Sitting

NASTY = "=cmd|'/c calc'!A1 <script>alert(1)</script> | `x[i]` [/INST]"


@pytest.fixture
def report(desk: Desk, clock: FakeClock) -> dict[str, Any]:
    """A report after three days of answers to one item: missed, then right twice."""
    for key in ("shape", "mask", "mask"):
        sitting = Sitting(desk, with_limits(desk.rules(), limit=None, new=None, item="rng-7f3k", decks=frozenset()))
        clock.pass_seconds(20)
        sitting.send(moves.Mark(desk.now(), "sure"))
        sitting.send(moves.Answer(desk.now(), choice=(key,)))
        clock.pass_days(4)
    return report_of(desk)


def test_the_model_counts_what_happened(report: dict[str, Any]) -> None:
    """Reviews, true retention over cards met before, standing per concept, myths and time."""
    assert report["reviews"] == {"answered": 3, "right": 2, "scheduled": 3, "new": 1, "cards": 1}
    assert (report["retention"]["value"], report["retention"]["n"]) == (1.0, 2)
    concept = report["concepts"][0]
    assert (concept["known"], concept["missed"], concept["n"]) == (1, 0, 1)
    assert report["myths"][0]["myth"] == "determinism-check-sees-values"
    assert report["time"]["minutes"] == 1.0
    assert report["calibration"][0]["n"] == 3


def test_a_declared_guess_is_not_recall(desk: Desk, clock: FakeClock, report: dict[str, Any]) -> None:
    """True retention does not count a right guess as remembered, and the concept stands as guessed."""
    sitting = Sitting(desk, with_limits(desk.rules(), limit=None, new=None, item="rng-7f3k", decks=frozenset()))
    sitting.send(moves.Mark(desk.now(), "guess"))
    sitting.send(moves.Answer(desk.now(), choice=("mask",)))
    after = report_of(desk)
    assert after["retention"]["value"] == pytest.approx(2 / 3)
    assert after["concepts"][0]["guessed"] == 1


def test_known_is_what_was_likely_not_luck(desk: Desk, clock: FakeClock) -> None:
    """Right, undeclared: q of 0.6, as after a coin's toss, leaves the item unsure; 0.8 makes it known."""
    for q, state in ((0.6, "unsure"), (0.8, "known")):
        clock.pass_days(1)
        desk.store.append("answered", answered("rng-7f3k", q=q), clock.now(), desk.day())
        concept = report_of(desk)["concepts"][0]
        assert [concept[one] for one in ("known", "unsure", "guessed", "missed")] == [
            int(one == state) for one in ("known", "unsure", "guessed", "missed")
        ]


def test_json_is_one_document_with_the_promised_keys(report: dict[str, Any]) -> None:
    """The contract's top-level keys are there, and the text reads back equal."""
    document = json.loads(to_json(report))
    assert {"schema", "period", "time", "reviews", "retention", "concepts", "forecast", "myths", "runs"} <= set(
        document
    )


def test_html_has_no_script_and_loads_nothing(report: dict[str, Any]) -> None:
    """No tag that runs or fetches, a strict policy, and every text from outside escaped."""
    report["myths"][0]["text"] = NASTY
    report["name"] = NASTY
    text = to_html(report)
    tags: set[str] = set()
    sources: list[str] = []

    class Seen(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.add(tag)
            sources.extend(value or "" for name, value in attrs if name in ("src", "href"))

    Seen().feed(text)
    assert not tags & {"script", "link", "img", "iframe", "object"}
    assert sources == []
    assert "default-src 'none'" in text
    assert "<script>alert" not in text


def test_markdown_shows_texts_as_written(report: dict[str, Any]) -> None:
    """Signs that Markdown would take for its own are escaped; a pipe cannot add a column."""
    report["myths"][0]["text"] = NASTY
    row = next(line for line in to_markdown(report).splitlines() if "cmd" in line)
    assert r"\<script\>" in row
    assert row.replace(r"\|", "").count("|") == 5


def test_csv_cells_cannot_start_a_formula(report: dict[str, Any]) -> None:
    """A cell that starts like a formula is quoted; the rows read back with five cells each."""
    report["myths"][0]["text"] = NASTY
    rows = list(csv.reader(io.StringIO(to_csv(report))))
    assert all(len(row) == 5 for row in rows)
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)


@given(st.text(max_size=20))
def test_guarded_cells_keep_their_text(text: str) -> None:
    """The guard adds one quote at most and takes nothing away."""
    assert str(guarded(text)).removeprefix("'") in (text, text.removeprefix("'"))


@given(st.integers(1, 500), st.data())
def test_the_interval_holds_the_share(n: int, data: st.DataObject) -> None:
    """A Wilson interval lies within 0 and 1 and around the share."""
    right = data.draw(st.integers(0, n))
    low, high = wilson(right, n)
    assert 0 <= low <= right / n + 1e-12
    assert right / n - 1e-12 <= high <= 1


def test_an_empty_log_gives_a_report_too(desk: Desk) -> None:
    """Before the first answer each format says that there is nothing yet."""
    empty = report_of(desk)
    for text in (to_html(empty), to_markdown(empty), to_csv(empty)):
        assert text
    assert "nothing answered yet" in to_markdown(empty)


def test_bets_are_scored_per_concept_and_week(desk: Desk, clock: FakeClock) -> None:
    """A bet twice too high, one right and one without a wager: two bets, one right, and the direction is said."""

    def ran(metric: str, bet: Any, measured: Any, item: str | None) -> None:
        payload = {
            "miss": None,
            "item": item,
            "experiment": "checkpoint",
            "metric": metric,
            "bet": bet,
            "measured": measured,
        }
        rest = {"params": {}, "unit": "x", "theory": None, "observation": None, "claims": [], "ending": "passed"}
        more = {"seconds": 1.0, "torch": "2", "device": "cpu", "version": 1, "myth": None}
        desk.store.append("ran", payload | rest | more, desk.now(), desk.day())

    ran("FLOPs ratio", 2.5, 1.25, None)
    clock.pass_days(7)
    ran("what changes", "memory-and-time", "memory-and-time", "rng-7f3k")
    ran("what changes", None, "memory-and-time", None)
    report = report_of(desk)

    assert (report["bets"]["all"]["n"], report["bets"]["all"]["right"]) == (2, 1)
    assert (report["bets"]["all"]["off"], report["bets"]["all"]["bias"]) == (2.0, 2.0)
    assert [row["n"] for row in report["bets"]["weeks"]] == [1, 1]
    assert {row["concept"]: row["n"] for row in report["bets"]["concepts"]}["rng.replay"] == 1
    for text in (to_markdown(report), to_html(report), to_csv(report)):
        assert "numbers typically 2 times off, mostly too high (n = 1)" in text
