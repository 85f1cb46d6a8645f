"""The pages that list what the product holds say what it holds."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.pages import PAGES
from tutor.content.facts import rests_on
from tutor.content.load import load_library
from tutor.lab.catalogue import load_catalogue
from tutor.paths import resources

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_up_to_date(name: str) -> None:
    """`make docs` would change nothing."""
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), "run `make docs`"


def test_the_readme_counts_what_there_is() -> None:
    """Questions by what confirms them, and the runs that do; the guesser's range is that of the table in the curriculum."""
    library = load_library([resources("decks")], "en", load_catalogue(resources("experiments"))[0])
    items = list(library.items.values())
    evidence = Counter(name for item in items for name in rests_on(item))
    both = sum(len(rests_on(item)) == 2 for item in items)
    runs = {(item.experiment.id, str(sorted(item.experiment.set.items()))) for item in items if item.experiment}
    spoken, sealed = sum(item.kind == "explain" for item in items), sum(item.sealed for item in items)
    points = re.findall(
        r"^\| (?!seed-).* \| ([+-]\d+\.\d) \|$", (DOCS / "curriculum.md").read_text("utf-8"), re.MULTILINE
    )
    low, high = min(points, key=float), max(points, key=float)
    readme = " ".join((DOCS.parent / "README.md").read_text("utf-8").split())
    for said in (
        f"{len(items)} questions on {len(library.concepts)} concepts: {spoken} to say aloud, {sealed} sealed",
        f"{evidence['formula']} by formula and {evidence['experiment']} by measurement in {len(runs)} runs",
        f"({both} by both); {evidence['source']} rest on their source only",
        f"between {low} and {high} points beside chance",
    ):
        assert said in readme
