"""`tutor explain`: one JSON document, words for a reader, bets at a terminal, one sentence for a mistake."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from tests.cli.running import tutor
from tutor.cli import explain
from tutor.plain.lines import Lines

FILE = """
import torch
from torch import nn

def model():
    print("said by the file")
    return nn.Linear(64, 64)

def batch():
    return torch.randn(4, 64)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A learner's file."""
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    return path


def test_json_is_one_document(file: Path) -> None:
    """Peak, phase, categories, changes, timeline and questions with answers among their choices."""
    result = tutor("explain", str(file), "--ranks", "4", "--json")
    found = json.loads(result.stdout)

    assert result.returncode == 0, result.stderr
    assert (
        found["peak_bytes"] == 5 * 4 * 4160 + 4 * 4 * 64 + 2 * 4
    )  # five buffers a parameter in the step, the batch, two counters
    assert (found["phase"], found["largest_category"], found["ranks"]) == ("step", "optimizer-state", 4)
    assert {change["change"] for change in found["changes"]} == {"sgd", "bf16", "fsdp"}
    assert set(found["timeline"]) == {"parameter", "gradient", "optimizer state", "activation"}
    assert all(question["answer"] in question["choices"] for question in found["questions"])


def test_words_for_a_reader(file: Path) -> None:
    """Without a terminal the questions are printed with their answers; what the file prints does not mix in."""
    result = tutor("explain", str(file))

    assert result.returncode == 0, result.stderr
    assert "Peak 82.26 KiB in the optimizer's step" in result.stdout
    assert "1. In which phase does the step reach its peak? measured: the optimizer's step." in result.stdout
    assert "said by the file" not in result.stdout


def test_mistakes_exit_2_with_one_sentence(tmp_path: Path) -> None:
    """A missing file, and a syntax error at its line."""
    broken = tmp_path / "broken.py"
    broken.write_text("def model(:\n")
    for path, words in ((tmp_path / "none.py", "there is no such file"), (broken, "broken.py:1: ")):
        result = tutor("explain", str(path))
        assert result.returncode == 2
        assert words in result.stderr


def test_bets_are_taken_before_anything_is_shown() -> None:
    """Each question with numbered choices; what is no number is asked again; the end of the input ends the bets."""
    asked = [explain.Asked("Which?", {"a": "one", "b": "two"}, "a")] * 2
    sink = io.StringIO()

    assert explain._bets(Lines(io.StringIO("x\n3\n2\n1\n"), sink), asked) == ["b", "a"]
    assert "Type a number from 1 to 2." in sink.getvalue()
    assert explain._bets(Lines(io.StringIO("1\n"), io.StringIO()), asked) is None
