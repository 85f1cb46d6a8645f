"""The free lab below the screen: parameters as typed, runs kept, columns to compare, files written."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tutor.content.runs import Claim, Measure, Prediction, RunResult
from tutor.lab.messages import Message
from tutor.lab.recording import Recording
from tutor.report.run import Sheet
from tutor.study.desk import Desk
from tutor.study.exploring import Exploration, changes_in_words
from tutor.study.run_files import write_run
from tutor.study.source import first_marked, marked_source
from tutor.study.tables import table_lines


def result(measured: str = "memory-and-time", passed: bool = True, **params: int) -> RunResult:
    """A run of checkpoint as the lab would hand it over."""
    return RunResult(
        ending="passed" if passed else "failed",
        sentence="",
        seconds=1.0,
        version=1,
        torch="2",
        device="cpu",
        params={"layers": 12, "width": 128} | params,
        predictions=(Prediction("FLOPs ratio", "~", 1.23, "x", "a formula"),),
        measures=(Measure("what changes", measured, "choice"), Measure("saved, plain", 2**20, "B")),
        claims=(Claim("saved, plain", 2**20, "==", 2**20, passed),),
    )


def recording() -> Recording:
    """A curve of two points, a table, a note with what XML must escape."""
    heard = Recording()
    heard.hear(Message("series", {"name": "plain", "title": "live <MiB>", "x": "operation", "y": "MiB", "unit": "MiB"}))
    heard.hear(Message("point", {"series": "plain", "x": 1, "y": 2.0, "phase": "forward"}))
    heard.hear(Message("point", {"series": "plain", "x": 2, "y": 5.0, "phase": "backward"}))
    heard.hear(Message("row", {"table": "ops", "op": "mm", "bytes": 4096, "shape": [4, 128]}))
    heard.hear(Message("note", {"text": "a < b & c"}))
    return heard


def test_parameters_as_typed(desk: Desk) -> None:
    """What differs from the defaults is kept; what cannot be used is said with its range and changes nothing."""
    exploration = Exploration(desk, desk.catalogue["checkpoint"])
    assert exploration.change({"layers": "6", "width": "128"}) == ""
    assert exploration.changed == {"layers": 6}
    assert exploration.change({"layers": "six"}) == "layers = 'six' is no whole number; it goes from 1 to 48."
    assert exploration.change({"layers": "99"}) == "layers = 99 is out of range; it goes from 1 to 48."
    assert exploration.changed == {"layers": 6}
    assert exploration.settings["layers"] == 6


def test_a_run_is_kept_with_its_bet_and_moves_no_card(desk: Desk) -> None:
    """The event has no miss and no item, the bet beside the measured choice; on another day it is a column."""
    experiment = desk.catalogue["checkpoint"]
    exploration = Exploration(desk, experiment)
    exploration._bet = (experiment.bets["what-changes"], "accuracy")
    exploration._keep(result(layers=6))

    event = desk.store.runs()[0].payload
    assert (event["miss"], event["item"], event["bet"], event["measured"]) == (
        None,
        None,
        "accuracy",
        "memory-and-time",
    )
    assert desk.store.history(desk.day()).myths == {}
    now, before = exploration.columns()[0], Exploration(desk, experiment).columns()[0]
    assert (now.head, before.head) == ("run 1", "30 Nov")
    assert now.changed == before.changed == "layers 6"
    assert now.bet == before.bet == "the gradients ✗"
    assert now.values["what changes"] == before.values["what changes"] == "less is saved, more is computed"
    assert now.values["saved, plain"] == "1 MiB ✓"


def test_a_run_that_ended_early_is_shown_and_not_kept(desk: Desk) -> None:
    """A crash is a column with its ending, and no event."""
    exploration = Exploration(desk, desk.catalogue["checkpoint"])
    exploration._keep(RunResult("crashed", "The run crashed: no.", 0.1))

    assert exploration.columns()[0].bet == "crashed"
    assert desk.store.runs() == []


def test_changes_in_words(desk: Desk) -> None:
    """Only what differs is named; parameters an experiment no longer has are left out."""
    experiment = desk.catalogue["rng-replay"]
    assert changes_in_words(experiment, {"p": 0.5, "gone": 1}) == "as it comes"
    assert changes_in_words(experiment, {"p": 0.3}) == "p 0.3"


def test_both_files_hold_what_was_shown(desk: Desk, tmp_path: Path) -> None:
    """JSON reads back with bet, theory and curves; the SVG is well formed, with every text escaped; names never clash."""
    experiment = desk.catalogue["checkpoint"]
    bet = experiment.bets["what-changes"]
    sheet = Sheet(experiment, "2026-11-30", result(passed=False), recording(), bet, "accuracy")
    first, second = write_run(sheet, tmp_path), write_run(sheet, tmp_path)

    assert first != second
    document = json.loads(first[0].read_text(encoding="utf-8"))
    assert document["bet"] == {"question": bet.question, "metric": bet.metric, "wager": "accuracy", "right": False}
    assert document["theory"][0]["value"] == 1.23
    assert document["series"]["plain"]["ys"] == [2.0, 5.0]
    assert document["tables"]["ops"] == [{"op": "mm", "bytes": 4096, "shape": [4, 128]}]
    text = "".join(ElementTree.parse(first[1]).getroot().itertext())
    assert "live <MiB>, highest 5" in text
    assert "✗ not shown" in text and "the gradients" in text


@pytest.mark.parametrize("id", ["checkpoint", "rng-replay", "optimizer-oom"])
def test_the_technique_is_marked(desk: Desk, id: str) -> None:
    """Every function an experiment says to look at is found in its source."""
    experiment = desk.catalogue[id]
    lines = marked_source(experiment)
    marked = [line for line, mark in lines if mark]

    assert experiment.look_at
    for name in experiment.look_at:
        assert any(f"def {name}(" in line or f"class {name}" in line for line in marked)
    assert lines[first_marked(lines)][1]


def test_tables_fit_or_become_lines() -> None:
    """Columns where they fit, numbers at the right; one line a row where they do not."""
    rows = [{"op": "mm", "bytes": 12_345, "shape": [4, 128], "kept": True}, {"op": "softmax", "bytes": 8.25}]
    wide, narrow = table_lines(rows, 60), table_lines(rows, 20)

    assert wide[0].split() == ["op", "bytes", "shape", "kept"]
    assert wide[1] == "mm       12 345  4x128  yes"
    assert narrow[0] == "op mm; bytes 12 345; shape 4x128; kept yes"
    assert narrow[1] == "op softmax; bytes 8.25"
