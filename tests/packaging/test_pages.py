"""The pages that list what the product holds say what it holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import PAGES

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_up_to_date(name: str) -> None:
    """`make docs` would change nothing."""
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), "run `make docs`"
