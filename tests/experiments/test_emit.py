"""The protocol's lines, the claims that judge themselves, and running one experiment from a shell."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from experiments import emit
from experiments.emit import Emit, Refused
from tests.experiments.support import ROOT, run

TOML = """
schema = 1
id = "toy"
version = 3
shows = "A toy."
question = "What does it show?"
[parameters.size]
type = "int"
default = 2
min = 1
max = 5
[parameters.mode]
type = "choice"
default = "slow"
choices = ["slow", "fast"]
[parameters.loud]
type = "bool"
default = false
"""


@pytest.fixture
def toy(tmp_path: Path) -> ModuleType:
    """An experiment that claims its size is below four, and draws one point first."""
    (tmp_path / "toy.toml").write_text(TOML, encoding="utf-8")

    def predict(params: dict[str, Any]) -> list[dict[str, Any]]:
        return [{"name": "size", "op": "==", "value": params["size"]}]

    def measure(params: dict[str, Any], out: Emit) -> None:
        out.series("curve", "a curve", "step", "B", "B")
        out.point("curve", 1, 2.5, "forward")
        out.row("table", op="mm", bytes=4)
        out.event("phase", "forward", "It began.")
        out.measure("size", params["size"], "B", "hand")
        out.note("Almost done.")
        out.claim("small", params["size"], "<", 4)

    module = ModuleType("toy")
    module.__file__, module.predict, module.run = str(tmp_path / "toy.py"), predict, measure  # type: ignore[attr-defined]
    return module


def test_messages_in_order(toy: ModuleType) -> None:
    """A run says who it is, what theory says, what it measures, and whether all claims held; every line names its version."""
    messages = run(toy).messages

    assert [m["type"] for m in messages] == (
        ["meta", "prediction", "series", "point", "row", "event", "measure", "note", "claim", "done"]
    )
    assert {m["v"] for m in messages} == {emit.PROTOCOL}
    assert messages[0]["params"] == {"size": 2, "mode": "slow", "loud": False}
    assert (messages[0]["experiment"], messages[0]["version"], messages[0]["threads"]) == ("toy", 3, 1)
    assert messages[-1]["passed"] is True
    assert json.loads(json.dumps(messages)) == messages


def test_a_failed_claim_is_told(toy: ModuleType) -> None:
    """A claim that does not hold is sent as such, with both sides, and the run does not pass."""
    said = run(toy, size=5)

    assert said.failed == ["small"]
    assert said.of("claim")[0] | {"v": 1} == {
        "v": 1, "type": "claim", "name": "small", "left": 5, "op": "<", "right": 4, "passed": False,
    }  # fmt: skip
    assert said.of("done")[0]["passed"] is False


@pytest.mark.parametrize(
    ("left", "op", "right", "tolerance", "holds"),
    [
        (1, "==", 1, 0, True), ("a", "==", "b", 0, False), (1, "!=", 1, 0, False), ("a", "!=", "b", 0, True),
        (1, "<", 2, 0, True), (2, "<", 2, 0, False), (2, "<=", 2, 0, True), (3, "<=", 2, 0, False),
        (3, ">", 2, 0, True), (2, ">", 2, 0, False), (2, ">=", 2, 0, True), (1, ">=", 2, 0, False),
        (104, "~", 100, 0.05, True), (96, "~", 100, 0.05, True), (106, "~", 100, 0.05, False),
        (-104, "~", -100, 0.05, True), (float("nan"), "~", 1, 0.5, False), (float("nan"), "==", 0.0, 0, False),
    ],
)  # fmt: skip
def test_claims_judge_themselves(left: Any, op: str, right: Any, tolerance: float, holds: bool) -> None:
    """Each operator compares what was measured, on the left, with what was claimed; what is no number never passes."""
    sent: list[dict[str, Any]] = []

    assert Emit(sent.append).claim("c", left, op, right, tolerance) is holds
    assert sent[0]["passed"] is holds
    assert ("tolerance" in sent[0]) == (op == "~")


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"size": 0}, "size = 0 is out of range; it goes from 1 to 5."),
        ({"mode": "warp"}, "mode = warp is not one of slow, fast."),
        ({"height": 1}, "height is not a parameter of toy; it has size, mode, loud."),
    ],
)
def test_parameters_out_of_range_are_refused(toy: ModuleType, params: dict[str, Any], sentence: str) -> None:
    """One sentence with the remedy, and no message before it."""
    sent: list[dict[str, Any]] = []
    with pytest.raises(Refused) as refusal:
        emit.execute(toy, params, sent.append)

    assert (str(refusal.value), sent) == (sentence, [])


def test_words_for_a_reader(
    toy: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without --json a person reads theory, measure and claim, and that a claim was not shown; the exit status says so too."""
    monkeypatch.setattr(sys, "argv", ["toy", "--size", "5", "--loud", "true"])
    with pytest.raises(SystemExit) as left:
        emit.main(str(toy.__file__), toy.predict, toy.run)
    text = capsys.readouterr().out

    assert left.value.code == 1
    assert "theory    size == 5" in text
    assert "measured  size = 5 B   (hand)" in text
    assert "small: 5 < 4   NOT SHOWN ON THIS MACHINE" in text
    assert "'loud': True" in text


def test_json_for_a_program(
    toy: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --json each line is one message."""
    monkeypatch.setattr(sys, "argv", ["toy", "--json", "--mode", "fast"])
    with pytest.raises(SystemExit) as left:
        emit.main(str(toy.__file__), toy.predict, toy.run)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert left.value.code == 0
    assert lines[0]["params"]["mode"] == "fast"
    assert lines[-1]["type"] == "done"


def test_a_refusal_in_a_shell(
    toy: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is refused is one sentence on stderr and exit status 2."""
    monkeypatch.setattr(sys, "argv", ["toy", "--size", "9"])
    with pytest.raises(SystemExit) as left:
        emit.main(str(toy.__file__), toy.predict, toy.run)
    streams = capsys.readouterr()

    assert (left.value.code, streams.out) == (2, "")
    assert streams.err == "size = 9 is out of range; it goes from 1 to 5.\n"


def test_an_experiment_runs_alone_from_a_clone() -> None:
    """`python -m experiments.randomness.rng_replay --p 0.3` works as the lesson's first lines say."""
    command = [sys.executable, "-m", "experiments.randomness.rng_replay", "--p", "0.3"]
    finished = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, env=os.environ | {"PYTHONPATH": ""}
    )

    assert finished.returncode == 0, finished.stderr
    assert "masks that agree ~ 0.58" in finished.stdout
    assert "NOT SHOWN" not in finished.stdout
