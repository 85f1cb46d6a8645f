"""Each way a run can end, with its one sentence, and that the next run is none the worse for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lab.conftest import Laboratory, furnish
from tutor.lab.catalogue import load_catalogue
from tutor.lab.supervisor import Supervisor


async def test_a_run_whose_claims_hold_has_passed(lab: Laboratory) -> None:
    """Messages come in the order said, and the result holds what they say."""
    messages, result = await lab.run("good")
    assert [m.type for m in messages] == ["meta", "measure", "claim", "done"]
    assert (result.ending, result.sentence, result.completed) == ("passed", "", True)
    assert (result.version, result.torch, result.device, result.params) == (3, "stub", "cpu", {"n": 1})
    assert result.measured("n") == 1
    assert [claim.passed for claim in result.claims] == [True]


async def test_a_claim_that_does_not_hold_fails_the_run(lab: Laboratory) -> None:
    """A run that ended in order with a false claim is completed and failed, not crashed."""
    _, result = await lab.run("bad")
    assert (result.ending, result.completed) == ("failed", True)
    assert result.sentence


@pytest.mark.parametrize(
    ("id", "ending", "word"),
    [
        ("dies", "killed", "9"),
        ("refuses", "refused", "too few"),
        ("leaves", "crashed", ""),
        ("newer", "unavailable", "no attribute 'tomorrow'"),
        ("floods", "flooded", "stopped"),
        ("one_long_line", "flooded", "stopped"),
    ],
)
async def test_every_bad_ending_has_its_word_and_one_sentence(lab: Laboratory, id: str, ending: str, word: str) -> None:
    """What an experiment does wrong gives the agreed ending and one printable sentence, and the next run passes."""
    _, result = await lab.run(id)
    assert result.ending == ending
    assert word in result.sentence
    assert result.sentence.isprintable() and result.sentence.endswith(".")
    assert (await lab.run("good"))[1].ending == "passed"


async def test_what_was_said_before_a_crash_is_passed_on(lab: Laboratory) -> None:
    """A crash takes nothing back: earlier messages arrive, and the run counts as crashed."""
    messages, result = await lab.run("crash")
    assert [m.fields["text"] for m in messages if m.type == "note"] == ["still fine"]
    assert result.ending == "crashed"


async def test_a_crash_is_told_by_its_own_last_line(lab: Laboratory) -> None:
    """The sentence of each of twenty crashes carries the error itself."""
    sentences = [(await lab.run("crash"))[1].sentence for _ in range(20)]
    assert [s for s in sentences if "the block is gone" not in s] == []


async def test_memory_is_bounded_above_what_the_worker_holds(lab: Laboratory) -> None:
    """400 MB do not fit into 100 MB more than the warm worker has, and fit into 1000."""
    assert (await lab.run("hungry", memory_mb=100))[1].ending == "memory"
    assert (await lab.run("hungry", memory_mb=1000))[1].completed


async def test_a_run_that_takes_too_long_is_stopped(lab: Laboratory) -> None:
    """The time limit ends a run that computes for ever, and the sentence names the limit."""
    _, result = await lab.run("endless", timeout_s=0.3)
    assert result.ending == "timeout"
    assert "0.3 s" in result.sentence


async def test_stderr_does_not_stop_a_run(lab: Laboratory) -> None:
    """Three megabytes on stderr neither fill a pipe nor change the ending."""
    assert (await lab.run("loud"))[1].ending == "passed"


async def test_lines_that_are_no_message_are_dropped_and_counted(lab: Laboratory) -> None:
    """Prints, broken JSON and other versions are not passed on."""
    run = lab.supervisor.run(lab.catalogue["strays"], {})
    assert [m.type async for m in run] == ["meta", "measure", "done"]
    assert run.result.ending == "passed"
    assert run.dropped >= 3


async def test_half_a_line_does_not_swallow_the_end(lab: Laboratory) -> None:
    """A child killed in the middle of a line is reported as killed at once."""
    messages, result = await lab.run("half_line")
    assert [m.type for m in messages] == ["meta", "note"]
    assert result.ending == "killed"


async def test_parameters_out_of_range_start_nothing(lab: Laboratory) -> None:
    """A refused parameter gives the sentence with its range, and no process."""
    run = lab.supervisor.run(lab.catalogue["good"], {"n": 99})
    assert [m async for m in run] == []
    assert (run.result.ending, lab.processes()) == ("refused", [])
    assert "from 1 to 9" in run.result.sentence


async def test_without_torch_a_run_is_unavailable(tmp_path: Path) -> None:
    """Where torch cannot be imported the run is unavailable, and the sentence says what is missing."""
    missing = 'raise ModuleNotFoundError("No module named \'torch\'", name="torch")'
    root = furnish(tmp_path, {"good": "pass"}, missing)
    supervisor = Supervisor(root)
    run = supervisor.run(load_catalogue(root / "experiments")[0]["good"], {})
    assert [m async for m in run] == []
    await supervisor.close()
    assert run.result.ending == "unavailable"
    assert "torch" in run.result.sentence and "install" in run.result.sentence


async def test_a_child_sees_a_clean_world(lab: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No secret of the learner's shell, no terminal on stdin, one thread, a process group of its own."""
    monkeypatch.setenv("API_TOKEN", "secret")
    messages, _ = await lab.run("environment")
    row = next(m.fields for m in messages if m.type == "row")
    assert "API_TOKEN" not in row["names"] and "OMP_NUM_THREADS" in row["names"]
    assert (row["stdin"], row["own"]) == ("/dev/null", True)
