"""Runs experiments as the worker does, and reads what they said."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from experiments.emit import execute
from tutor.content.experiments import Experiment
from tutor.content.runs import RunResult
from tutor.lab.endings import summary
from tutor.lab.messages import Message

ROOT = Path(__file__).parents[2]
_APART = """
import gc, importlib, json, sys
from experiments.emit import execute
module, sets = importlib.import_module(sys.argv[1]), json.loads(sys.argv[2])
gc.freeze()  # as the worker does once torch is loaded
for settings in sets:
    said = []
    execute(module, settings, said.append)
    print(json.dumps(said))
"""


@dataclass(frozen=True)
class Said:
    """All that one run said."""

    messages: list[dict[str, Any]]

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Return the messages of one type, in order."""
        return [message for message in self.messages if message["type"] == kind]

    def measured(self, name: str) -> Any:
        """Return the value of a measure."""
        return next(message["value"] for message in self.of("measure") if message["name"] == name)

    def theory(self, name: str) -> Any:
        """Return the value of a prediction."""
        return next(message["value"] for message in self.of("prediction") if message["name"] == name)

    def points(self, series: str) -> list[dict[str, Any]]:
        """Return the points of a curve."""
        return [message for message in self.of("point") if message["series"] == series]

    def result(self, experiment: Experiment, params: Mapping[str, Any]) -> RunResult:
        """Return what the run showed as the lab tells it."""
        heard = [Message(m["type"], {k: v for k, v in m.items() if k not in ("v", "type")}) for m in self.messages]
        return summary(experiment, params, heard, "failed" if self.failed else "passed", "", 0.0)

    def texts(self) -> set[str]:
        """Return all that a learner reads of it: names, titles and axes, notes, the heads and the words of tables."""
        found = {
            str(m[key])
            for m in self.messages
            for key in ("name", "title", "x", "text")
            if m["type"] != "point" and key in m
        }
        cells = [
            (key, value) for row in self.of("row") for key, value in row.items() if key not in ("v", "type", "table")
        ]
        return found | {key for key, _ in cells} | {value for _, value in cells if isinstance(value, str)}

    @property
    def failed(self) -> list[str]:
        """Names of the claims that did not hold."""
        return [message["name"] for message in self.of("claim") if not message["passed"]]


def run(module: ModuleType, **params: Any) -> Said:
    """Run an experiment in this process, warm as the worker's children are."""
    messages: list[dict[str, Any]] = []
    execute(module, params, messages.append)
    return Said(messages)


def run_apart(module: str, sets: Sequence[dict[str, Any]]) -> list[Said]:
    """Run an experiment once for each set of parameters in one process of its own, as a limit on memory asks for."""
    command = [sys.executable, "-c", _APART, module, json.dumps(list(sets))]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    finished = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=ROOT)
    assert finished.returncode == 0, finished.stderr
    return [Said(json.loads(line)) for line in finished.stdout.splitlines()]


@cache
def by_default(module: ModuleType) -> Said:
    """Return a run with the defaults, made once for all tests of this process that look at it."""
    return run(module)


@cache
def by_default_apart(module: str) -> Said:
    """Return such a run in a process of its own."""
    return run_apart(module, [{}])[0]


def description(module: ModuleType) -> dict[str, Any]:
    """Return the TOML beside an experiment."""
    return tomllib.loads(Path(module.__file__ or "").with_suffix(".toml").read_text(encoding="utf-8"))


def chosen(flip: dict[str, Any], default: Said, flipped: Said) -> str:
    """Return the key of the flip's choice that a run with its parameters, beside the default run, makes true."""
    value = flipped.measured(flip["metric"])
    if "values" in flip:
        return next(key for key, expected in flip["values"].items() if expected == value)
    if "against" in flip:
        before = default.measured(flip["metric"])
        sign = "<" if value < before else ">" if value > before else "=="
        return next(key for key, operator in flip["against"].items() if operator == sign)
    return str(value)
