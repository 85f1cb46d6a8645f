"""Values of the wrong shape: whatever TOML allows in a place, the author reads one sentence and the rest loads."""

from __future__ import annotations

import re

import pytest

from tutor.content.text import hash_item

VALUES = ("3", "nan", "[]", '[["a"]]', "{ a = [1] }", '"x"', "1979-01-01")
ITEM = {
    "id": '"x-0001"',
    "kind": '"choice"',
    "concept": '"rng.replay"',
    "level": '"easy"',
    "stem": '"s"',
    "answer": '["a"]',
    "why": '"w"',
    "sources": '["z"]',
    "option": '{ a = { text = "1" }, b = { text = "2", myth = "one-stream" } }',
}
NUMERIC = {key: value for key, value in ITEM.items() if key not in ("answer", "option")} | {
    "kind": '"numeric"',
    "family": '"rng.state_bytes"',
    "params": "{ n = [12, 24] }",
    "unit": '"KiB"',
    "tolerance": "0.005",
    "slips": "{ x = 3 }",
    "rev": "1",
    "transfer_of": '"rng-2m9d"',
    "experiment": '{ id = "rng-replay", set = { p = 0.5 }, bet = "what-differs" }',
}


def item(values: dict[str, str]) -> str:
    """Return an item as TOML."""
    return "\n[[item]]\n" + "".join(f"{key} = {value}\n" for key, value in values.items())


def stands(shelf) -> None:
    """Load and check without an exception, with the five sound items there."""
    assert {"rng-7f3k", "rng-4c1p", "rng-2m9d", "rng-8q2w", "rng-3x6n"} <= set(shelf.load("vi").items)
    assert all(problem.message.endswith((".", "?")) for problem in shelf.check())


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("key", [*ITEM, *(key for key in NUMERIC if key not in ITEM)])
def test_a_key_of_an_item(shelf, key: str, value: str) -> None:
    """No value of any key brings the library down or drops another item."""
    shelf.append(item((ITEM if key in ITEM else NUMERIC) | {key: value}))
    stands(shelf)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("key", ["params = { n =", "experiment = { id =", "option = { a ="])
def test_a_value_within_a_table(shelf, key: str, value: str) -> None:
    """Nor does a value one level deeper."""
    shelf.append(item({**NUMERIC, key.split()[0]: f"{key.partition(' = ')[2]} {value} }}"}))
    stands(shelf)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("entry", ["item", 'item."x-0001"', *(f'item."x-0001".{k}' for k in ("of", "stem", "option"))])
def test_an_entry_of_an_overlay(shelf, entry: str, value: str) -> None:
    """An overlay of any shape shows the English text."""
    shelf.append(item(ITEM))
    fresh = f'item."x-0001".of = "{hash_item("s", "w", {"a": "1", "b": "2"})}"\n'
    whole = "".join(f'item."x-0001".{key}\n' for key in ('stem = "S"', 'why = "W"', 'option.a = "A"', 'option.b = "B"'))
    kept = "".join(
        line + "\n" for line in (fresh + whole).splitlines() if not re.match(rf"{re.escape(entry)}[ .]", line)
    )
    (shelf.root / "randomness/vi.toml").write_text(f"{entry} = {value}\n{kept}", encoding="utf-8")

    stands(shelf)
    if not (entry.endswith(("of", "stem")) and value.startswith('"')):
        assert shelf.load("vi").items["x-0001"].stem == "s"


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("table", ["concept", "myth"])
@pytest.mark.parametrize("lang", ["", ".vi"])
@pytest.mark.parametrize("depth", ["", ".x", ".x.requires"])
def test_the_shared_vocabulary(shelf, table: str, lang: str, depth: str, value: str) -> None:
    """Concepts and myths of any shape, and their overlays, leave the decks standing."""
    (shelf.root / f"{table}s{lang}.toml").write_text(f"{table}{depth} = {value}\n", encoding="utf-8")
    stands(shelf)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("tolerance = 0.005", 'tolerance = "5 %"', "tolerance of item rng-2m9d must be a share"),
        ("params = { n = [12, 24, 48] }", "params = { n = [] }", "params of item rng-2m9d must be a table of lists"),
        ("slips = { ", 'slips = { "other" = "2", ', "slips of item rng-3x6n must be a table of numbers"),
        ('answer = ["5056"]', 'answer = ["nan"]', "a number as its answer"),
        ("set = { p = 0.5 }", "set = 0.5", "set of the experiment of item rng-7f3k must be a table"),
        ('myth = "wrong-mask-is-caught"', "myth = 3", "myth of option 'shape' of item rng-7f3k"),
        ('kind = "multi"', 'family = "rng.state_bytes"\nkind = "multi"', "no numeric item; drop its family"),
        ('guide = "guide.md"', "guide = 3", "guide of deck randomness must be the name of a file"),
        ('guide = "guide.md"', 'quiz = "no"', "quiz of deck randomness must be true or false"),
    ],
)
def test_what_the_author_reads(shelf, old: str, new: str, words: str) -> None:
    """The sentence says which key of which item, and what to write instead."""
    shelf.edit(old, new)
    assert words in shelf.problem().message
