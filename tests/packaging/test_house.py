"""The house's own rules that no other tool checks: sizes of files and functions, and what is never said."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([*(ROOT / "tutor").rglob("*.py"), *(ROOT / "experiments").rglob("*.py")])


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_is_one_idea_and_a_function_fits_a_screen(path: Path) -> None:
    """Files stay near 300 lines, functions within 60 lines as formatted, and each module and public name says what it is."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert len(text.splitlines()) <= 420, "redraw the room"
    assert ast.get_docstring(tree) or not tree.body
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, f"{node.name} does not fit a screen"


def test_experiments_are_short_enough_to_read() -> None:
    """Each experiment is under 200 lines."""
    for description in (ROOT / "experiments").glob("*/*.toml"):
        if "." not in description.stem:
            assert len(description.with_suffix(".py").read_text().splitlines()) < 200, description


def test_nothing_speaks_of_a_machine_or_leaves_work_undone() -> None:
    """No machine's path, no marker of unfinished work."""
    pattern = re.compile(r"/work/|/home/\w+/|TODO|FIXME|NotImplementedError")
    for path in [*SOURCES, *(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        assert not pattern.search(path.read_text(encoding="utf-8")), path
