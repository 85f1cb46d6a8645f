"""An experiment's source with the lines marked that are the technique itself."""

from __future__ import annotations

import ast
from pathlib import Path

from tutor.content.experiments import Experiment


def marked_source(experiment: Experiment) -> list[tuple[str, bool]]:
    """Return each line of the experiment's file, and whether it belongs to a function the experiment says to look at."""
    text = Path(experiment.source).read_text(encoding="utf-8")
    marked: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in experiment.look_at:
            marked.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return [(line, number in marked) for number, line in enumerate(text.splitlines(), start=1)]


def first_marked(lines: list[tuple[str, bool]]) -> int:
    """Return the number of the first marked line, counted from 0; 0 where none is."""
    return next((number for number, (_, marked) in enumerate(lines) if marked), 0)
