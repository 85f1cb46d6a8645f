"""What every experiment of the house keeps to: short, described, bets that its run settles."""

from __future__ import annotations

import ast
import importlib
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.experiments.support import ROOT, description

FOLDER = ROOT / "experiments"
FILES = sorted(FOLDER.glob("*/*.toml"))
BASE = [file for file in FILES if "." not in file.stem]
LESSONS = sorted(path for path in FOLDER.rglob("*.py") if path.name not in ("__init__.py", "worker.py"))
ALLOWED = {"torch", "experiments", "tutor"}


@pytest.fixture(params=BASE, ids=lambda file: file.stem)
def module(request: pytest.FixtureRequest) -> ModuleType:
    """Each experiment in turn."""
    file: Path = request.param
    return importlib.import_module(f"experiments.{file.parent.name}.{file.stem}")


def settings(described: dict[str, Any]) -> dict[str, Any]:
    return {name: p["default"] for name, p in described["parameters"].items()}


def in_range(value: Any, parameter: dict[str, Any]) -> bool:
    if parameter["type"] == "choice":
        return value in parameter["choices"]
    return parameter["type"] == "bool" or parameter["min"] <= value <= parameter["max"]


def test_the_three_are_there() -> None:
    """The ids that decks name exist, each once."""
    ids = [tomllib.loads(file.read_text(encoding="utf-8"))["id"] for file in BASE]

    assert len(ids) == len(set(ids))
    assert {"checkpoint", "rng-replay", "optimizer-oom"} <= set(ids)


def test_a_lesson_fits_on_a_few_screens(module: ModuleType) -> None:
    """An experiment has fewer than 200 lines, says on top how to run it, and no function fills more than 40 lines."""
    source = Path(module.__file__ or "").read_text(encoding="utf-8")
    functions = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef)]

    assert len(source.splitlines()) < 200
    assert f"python -m {module.__name__}" in (module.__doc__ or "")
    assert [f.name for f in functions if (f.end_lineno or 0) - f.lineno > 40] == []
    assert [
        f.name for f in functions if f.name[0] != "_" and not ast.get_docstring(f) and f.name not in ("forward", "step")
    ] == []


def test_predictions_settle_bets(module: ModuleType) -> None:
    """Each choice bet and the observation have a prediction by the metric's name, and what is predicted is a choice."""
    described = description(module)
    theory = {p["name"]: p["value"] for p in module.predict(settings(described))}

    for bet in described["bets"]:
        assert bet["metric"] in theory
        assert bet["kind"] != "choice" or theory[bet["metric"]] in bet["choices"]
        assert bet["kind"] != "ratio" or isinstance(theory[bet["metric"]], float)
    assert theory[described["observation"]["metric"]] in described["observation"]["choices"]


def test_variations_and_flips_are_within_range(module: ModuleType) -> None:
    """What a variation or a flip sets is a parameter with that value in its range, and theory can be asked about it."""
    described = description(module)
    for change in [*(v["set"] for v in described["variations"]), *(f["set"] for f in described["flips"])]:
        assert change.keys() <= described["parameters"].keys()
        assert list(module.predict(settings(described) | change))
        for name, value in change.items():
            parameter = described["parameters"][name]
            assert value != parameter["default"]
            assert value in parameter["choices"] if "choices" in parameter else in_range(value, parameter)


def test_the_technique_can_be_marked(module: ModuleType) -> None:
    """The source view has something to mark: each name to look at is a function or class of the file."""
    tree = ast.parse(Path(module.__file__ or "").read_text(encoding="utf-8"))
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    looked = description(module)["look_at"]

    assert looked
    assert set(looked) <= names


def test_flips_can_be_missed(module: ModuleType) -> None:
    """A flip has an answer among its choices, and names the metric that a run measures it by."""
    for flip in description(module)["flips"]:
        assert flip["answer"] in flip["choices"]
        assert len(flip["choices"]) >= 3
        assert flip["metric"]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: str(path.relative_to(FOLDER)))
def test_imports_torch_the_standard_library_and_formulas_alone(path: Path) -> None:
    """A reader meets torch, the standard library and `tutor.formulas`, and nothing else."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            assert name.split(".")[0] in ALLOWED | sys.stdlib_module_names, name
            assert not name.startswith("tutor") or name.startswith("tutor.formulas"), name
