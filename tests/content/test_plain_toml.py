"""The fast reader of plain TOML: what it reads is what `tomllib` reads, and what it does not, it leaves to `tomllib`."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.content.plain_toml import _plain, loads
from tutor.paths import resources

FILES = sorted([*resources("decks").rglob("*.toml"), *resources("experiments").rglob("*.toml")])


def by_the_standard(text: str) -> Any:
    """Return what tomllib says: its values, or None for its complaint."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def assert_the_same(text: str) -> None:
    """The plain reader gives tomllib's values, types included, or leaves the text alone."""
    found, right = _plain(text), by_the_standard(text)
    assert found is None or repr(found) == repr(right), text


@pytest.mark.parametrize("path", FILES, ids=lambda path: "/".join(path.parts[-2:]))
def test_every_file_of_ours_is_plain(path: Path) -> None:
    """Decks, overlays and experiments are read by the fast way, to the same values in the same order."""
    text = path.read_text(encoding="utf-8").replace("\r\n", "\n")
    assert repr(_plain(text)) == repr(tomllib.loads(text))


@pytest.mark.parametrize(
    "text",
    [
        "", "\n\n# only\n", "a = 1", "a = ''", 'a = ""', "a = '''x'''", 'a = """\nx\n"""', "a = ''''x''''", "a = '''x''''''",
        "a = 'x' # said", "a = 'x' 'y'", "a = 'x'y'", 'a = "x\\n"', "a = 01", "a = +1", "a = 1_000", "a = 0x1f", "a = 1e3", "a = nan",
        "a = -1.5", "a = 1.", "a = .5", "a = true", "a = True", "a = 2026-12-01", "a = []", "a = ['x', 'y',]", "a = [,]", "a = ['x' 'y']",
        "a = ['x', 1]", "a = [\n 'x', # said\n 'y'\n]", "a = [\n 'x',\n 'y'\n]", "a = { b = 1 }", "a = { b = 1, b = 2 }", "a = {\n b = 1 }",
        "a = 1\na = 2", "a.b = 1\na.c = 2", "a = 1\na.b = 2", "a.b = 1\n[a]\nc = 1", "a.b = 1\n[a.c]\nd = 1", "[a]\n[a]", "[a.b]\n[a]\nc = 1",
        "[a]\nb = 1\n[a.b]", "[[a]]\n[[a]]\nb = 1", "a = []\n[[a]]", "[a]\n[[a]]", "[[a]]\n[a]", "[[a]]\n[a.b]\nc = 1\n[[a]]\n[a.b]\nc = 2",
        "a = { b = {} }\n[a.b.c]", "[a]\nb = { c = 1 }\n[a.b.d]", "[ a . 'b c' ]\nd = 1", "[a.]", "[]", "[[a]", "[a] b = 1", "'a b' = 1",
        '"a\\u0041" = 1', "é = 1", "a b = 1", "= 1", "a =", "a", "a = 'x", "a = \u2028'x'", "a = 'x\ty'", "[a]\nb.c = 1\n[a.b]\nd = 1",
        "b.c = 1\nb.c.d = 2", "[x]\ny.z = 1\ny.w.v = 2\n[x.u]\n", "a = 99999999999999999999", "a = 1.0000000000000000001", "a='x'", "a\t=\t'x'\t",
    ],
)  # fmt: skip
def test_at_the_edges_of_what_is_plain(text: str) -> None:
    """Each form is read as tomllib reads it or left to it; together they cannot be told apart."""
    assert_the_same(text)
    right = by_the_standard(text)
    if right is None:
        with pytest.raises(tomllib.TOMLDecodeError):
            loads(text)
    else:
        assert repr(loads(text)) == repr(right)


PIECES = st.sampled_from(
    ["\n", " ", "a", "b", "'a b'", ".", "=", " = ", "'", "''", "'''", '"', '"""', "[", "]", "[[", "]]", "{", "}", ",", "#", "1", "0", "-",
     "true", "\\", "a = 'x'\n", "b = 1\n", "[a]\n", "[[a]]\n", "[a.b]\n", "a.b = 'x'\n", "c = ['x', 'y']\n", "d = { e = 1 }\n", "é", "\t"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=14))
def test_any_text_made_of_pieces_of_toml(pieces: list[str]) -> None:
    """Whatever they are put together to."""
    assert_the_same("".join(pieces))


def test_files_with_something_wrong() -> None:
    """A sign lost, doubled or exchanged, a line lost or moved: two thousand times in files of ours."""
    chance = random.Random(3)
    texts = [path.read_text(encoding="utf-8")[:3000] for path in FILES if path.stat().st_size < 20_000]
    signs = "'\"[]{}=.,#\\\n a1é"
    for _ in range(2000):
        text = chance.choice(texts)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(text))
            text = text[:at] + chance.choice(["", text[at] * 2, chance.choice(signs)]) + text[at + 1 :]
        if chance.random() < 0.3:
            lines = text.split("\n")
            lines.insert(chance.randrange(len(lines)), lines.pop(chance.randrange(len(lines))))
            text = "\n".join(lines)
        assert_the_same(text)
