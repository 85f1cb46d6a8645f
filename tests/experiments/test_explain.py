"""A learner's own file under fake tensors: within two percent of a real run, and one sentence for each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest
from torch import nn

from experiments import explain
from experiments.emit import Refused
from experiments.instruments.allocator import allocator_peak
from experiments.instruments.fake import estimate, train
from experiments.learner_file import job_of, load
from tests.experiments.support import ROOT, run

EXAMPLES = ROOT / "experiments" / "explain_examples"
SMALL = """
import torch
from torch import nn

def model():
    return nn.Sequential(*(nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 16)) for _ in range(4)))

def batch():
    return torch.randn(256, 16)
"""
BLOCK = """
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 16))

    def forward(self, x):
        return x + self.body(x)

def model():
    return nn.Sequential(*(Block() for _ in range(4)))
"""


def written(folder: Path, text: str) -> str:
    """Write a learner's file and return its path."""
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize("name", ["gpt", "vit", "resnet", "lstm", "moe"])
def test_the_estimate_is_within_two_percent(name: str) -> None:
    """Five architectures, trained for real and with fake tensors: the allocator's peak and the estimate."""
    file = str(EXAMPLES / f"{name}.py")
    job = job_of(file, load(file))

    assert estimate(job).peak == pytest.approx(allocator_peak(lambda: train(job)), rel=0.02)


def test_all_that_is_told(tmp_path: Path) -> None:
    """A file without repeated blocks of its own: curves, rows, three answers, and why checkpointing was not run."""
    said = run(explain, file=written(tmp_path, SMALL), ranks=4)

    assert said.measured("phase") == "backward"
    assert said.measured("largest category") == "activation"
    assert said.measured("saves most") == "bf16"
    assert said.measured("peak, fsdp") < said.measured("peak")
    assert "repeats no submodule" in said.of("note")[-1]["text"]
    assert sum(row["bytes"] for row in said.of("row") if row["table"] == "at the peak") == said.measured("peak")
    tops = zip(*(said.points(category) for category in explain.CATEGORIES), strict=True)
    assert max(sum(point["y"] for point in points) for points in tops) == pytest.approx(
        said.measured("peak") / explain.MIB, rel=0.1
    )


def test_checkpointing_is_found_and_mutant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four blocks of one class are wrapped and the peak falls; where wrapping does nothing, it does not."""
    file = written(tmp_path, SMALL + BLOCK)
    said = run(explain, file=file, ranks=1)

    assert said.measured("peak, checkpointing") < 0.75 * said.measured("peak")
    assert not [m for m in said.of("measure") if m["name"] == "peak, fsdp"]
    monkeypatch.setattr(explain, "checkpointed", lambda model: model)
    assert run(explain, file=file, ranks=1).measured("peak, checkpointing") == said.measured("peak")


def test_the_contract(tmp_path: Path) -> None:
    """Named inputs, an output that is one number, an optimizer of the file's own; fixed precision stops bf16 alone."""
    text = """
import torch
from torch import nn

class Scored(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 1, dtype=torch.float32)

    def forward(self, x, scale):
        return (self.linear(x.float()) * scale).mean()

def model():
    return Scored()

def batch():
    return {"x": torch.randn(4, 8, dtype=torch.float32), "scale": 2.0}

def optimizer(parameters):
    return torch.optim.SGD(parameters, lr=0.1)
"""
    said = run(explain, file=written(tmp_path, text), ranks=1)

    assert said.measured("peak, sgd") == said.measured("peak")
    assert said.measured("saves most") == "none"


def test_a_fused_recurrent_module_is_told(tmp_path: Path) -> None:
    """The estimate misses the kernel's workspace, and says so."""
    text = SMALL.replace("def model", "def other").replace("randn(256", "randn(4, 8") + (
        "\nclass Mine(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.rnn = nn.LSTM(16, 16)\n"
        "    def forward(self, x):\n        return self.rnn(x)[0]\n\ndef model():\n    return Mine()\n"
    )

    assert any("nn.LSTM keeps a workspace" in n["text"] for n in run(explain, file=written(tmp_path, text)).of("note"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("def model():\n    retrun 1\n", r"mine.py:2: invalid syntax.*; mend that line"),
        ("import nowhere_to_be_found\n", r"mine.py:1: importing the file raised ModuleNotFoundError"),
        ("def batch():\n    return 1\n", r"mine.py:1: model\(\) is missing; define a function model\(\)"),
        ("def model():\n    return 1\n", r"mine.py:1: batch\(\) is missing"),
        ("def batch():\n    return 1\ndef model():\n    return 1\n", r"model\(\) returned an object of type int; return an nn.Module"),
        (SMALL.replace("range(4)", "range(4.0)"), r"mine.py:6: model\(\) raised TypeError"),
        (SMALL.replace("256, 16", "256, 17"), r"mine.py: the forward pass raised RuntimeError.*mend it and try"),
        (SMALL + "def loss(output, batch):\n    return output\n", r"loss\(\) must return one number; take a mean"),
        (
            SMALL + "def loss(output, batch):\n    return output[output > 0].mean()\n",
            r"mine.py:11: the forward pass needs a value \(aten.nonzero.default\).*; use a mask or a fixed capacity",
        ),
        (
            SMALL + "def optimizer(parameters):\n    return torch.optim.Adafactor(parameters)\n",
            r"mine.py: the step needs a value .*; choose another optimizer, such as AdamW",
        ),
        (
            SMALL + "X = torch.ones(1)\ndef loss(output, batch):\n    return (output * X).mean()\n",
            r"mine.py:12: the forward pass uses a tensor made while the file was imported",
        ),
        ("raise SystemExit(3)\n", r"mine.py:1: importing the file raised SystemExit: 3"),
    ],
)  # fmt: skip
def test_mistakes_get_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    """The file, the line where there is one, what is wrong, the remedy."""
    with pytest.raises(Refused, match=sentence) as refusal:
        run(explain, file=written(tmp_path, text))

    assert "\n" not in str(refusal.value)


def test_the_missing_file() -> None:
    """A path that leads nowhere."""
    with pytest.raises(Refused, match=r"nothing.py: there is no such file"):
        run(explain, file="nothing.py")


def test_which_submodules_repeat() -> None:
    """Those of one class that hold most: encoder layers, not the attention inside; none in a stack of linears."""
    layers = nn.ModuleList(nn.TransformerEncoderLayer(16, 2, 32) for _ in range(3))

    assert explain.repeated(nn.Sequential(*layers, nn.Linear(16, 4))) == list(layers)
    assert explain.repeated(nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))) == []
