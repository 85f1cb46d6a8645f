"""Broken decks: each fault is named with file, line and remedy, and all that is sound loads."""

from __future__ import annotations

import pytest

from tutor.content.source import MAX_BYTES


def test_broken_toml_is_named(shelf) -> None:
    """A deck that is no TOML is refused at its line, and the other decks load."""
    shelf.copy("other")
    line = shelf.edit('title = "Randomness and replay"', "title = Randomness")
    problem = shelf.problem()

    assert (problem.path, problem.line) == (str(shelf.root / "randomness/deck.toml"), line)
    assert "not TOML" in problem.message
    assert [deck.id for deck in shelf.load().decks] == ["other"]


def test_stray_text_is_an_error(shelf) -> None:
    """A paragraph between items is not skipped in silence."""
    line = shelf.append("\nThis is a note to myself.\n") + 1
    problem = shelf.problem()

    assert problem.line == line
    assert "not TOML" in problem.message


@pytest.mark.parametrize(
    ("old", "new", "line_of", "words"),
    [
        (
            "stem = 'A checkpointed",
            "stme = 'A checkpointed",
            "stem = 'A checkpointed",
            ["'stme'", "did you mean 'stem'?"],
        ),
        (
            "text = 'Replay would raise",
            "texte = 'Replay would raise",
            "text = 'Replay would raise",
            ["'texte'", "'text'"],
        ),
        ('id = "rng-7f3k"', "id = 1.10", 'id = "rng-7f3k"', ["id", "1.1", "quote it"]),
        ('answer = ["mask"]', "answer = [1]", 'answer = ["mask"]', ["answer", "quotes"]),
        ('answer = ["mask"]', 'answer = ["maks"]', 'answer = ["mask"]', ["'maks'", "mask"]),
        ('answer = ["mask"]', 'answer = ["mask", "loss"]', 'answer = ["mask"]', ["exactly one"]),
        (
            'answer = ["cpu", "device"]',
            'answer = ["cpu", "device", "python"]',
            'answer = ["cpu", "device"]',
            ["one wrong"],
        ),
        ('answer = ["cpu", "device"]', "answer = []", 'answer = ["cpu", "device"]', ["one right"]),
        ("text = 'Replay would raise a shape error in backward'", "text = ''", "text = 'Replay would raise", ["empty"]),
        ('kind = "multi"', 'kind = "match"', 'kind = "multi"', ["'match'", "choice, multi, numeric, order"]),
        ("p = 0.5 }, bet", "p = 0.95 }, bet", 'experiment = { id = "rng-replay", set = { p = 0.5 }', ["0.1 to 0.9"]),
        ("p = 0.5 }, bet", "q = 0.5 }, bet", 'experiment = { id = "rng-replay", set = { p = 0.5 }', ["q", "p, blocks"]),
        (
            '"rng-replay", set = { p = 0.5 }',
            '"rng-reply", set = { p = 0.5 }',
            'experiment = { id = "rng-replay", set = { p = 0.5 }',
            ["'rng-reply'", "rng-replay"],
        ),
        (
            'family = "rng.state_bytes"',
            'family = "rng.bytes"',
            'family = "rng.state_bytes"',
            ["'rng.bytes'", "rng.state_bytes"],
        ),
        ("params = { n = [12, 24, 48] }", "params = { n = [12, 960] }", "params = {", ["960", "8 to 96"]),
        ("params = { n = [12, 24, 48] }", "params = { m = [12] }", "params = {", ["m", "it has n"]),
        ("tolerance = 0.005", 'tolerance = "5 %"', "tolerance = 0.005", ["tolerance", "0 to 0.5"]),
    ],
)
def test_one_broken_item(shelf, old: str, new: str, line_of: str, words: list[str]) -> None:
    """A fault is named at its own line with the remedy; the broken item is dropped and the other four load."""
    text = (shelf.root / "randomness/deck.toml").read_text(encoding="utf-8")
    line = text[: text.index(line_of)].count("\n") + 1
    shelf.edit(old, new)
    library = shelf.load()

    assert len(library.items) == 4
    assert line in {problem.line for problem in library.problems}
    said = " ".join(problem.message for problem in library.problems)
    assert all(word in said for word in words), said


def test_a_missing_key_is_named_at_its_item(shelf) -> None:
    """An item without an explanation is named by its id at the line it begins on."""
    line = shelf.edit(
        "why = 'It stashes the CPU state and that of the devices in use. Python keeps a stream of its own.'", ""
    )
    problem = shelf.problem()

    assert "item rng-8q2w has no 'why'; add one." in problem.message
    assert problem.line == line - 8


def test_a_missing_answer_is_not_looked_for_elsewhere(shelf) -> None:
    """The line named is the item's own, not that of the next item's answer."""
    line = shelf.edit('answer = ["mask"]\n', "")
    shelf.edit("rev = 2\n", "")

    assert 0 < line - shelf.problem().line < 10


def test_a_misspelt_table_is_named(shelf) -> None:
    """`[[itme]]` is no item that vanishes: its line is named with the word that was meant, and the others load."""
    line = shelf.append('\n[[itme]]\nid = "rng-1a2b"\n') + 1
    problem = shelf.problem()

    assert problem.line == line
    assert "'itme'" in problem.message
    assert "did you mean 'item'?" in problem.message
    assert len(shelf.load().items) == 5


def test_equal_options_are_refused(shelf) -> None:
    """Two options that read the same, but for capitals, cannot be told apart."""
    shelf.edit("'Replay would change the loss already reported'", "'replay would RAISE a shape error in backward'")
    assert "read the same" in shelf.problem().message


def test_an_id_used_twice_in_one_file(shelf) -> None:
    """The second use of an id is refused with both places; the first stands."""
    first = shelf.load().items["rng-8q2w"].line
    line = shelf.edit('id = "rng-3x6n"', 'id = "rng-8q2w"') - 1
    problem = shelf.problem()

    assert problem.line == line
    assert f"deck.toml:{first};" in problem.message
    assert shelf.load().items["rng-8q2w"].kind == "multi"


def test_an_id_used_in_two_decks(shelf) -> None:
    """An id is taken for all decks: the later one is refused, naming the file of the earlier."""
    shelf.copy("zebra")
    problems = shelf.load().problems

    assert len(problems) == 5
    assert all("zebra" in problem.path and "randomness/deck.toml:" in problem.message for problem in problems)


def test_a_folder_and_its_deck_agree(shelf) -> None:
    """A deck that calls itself otherwise than its folder is complained of."""
    shelf.edit('deck = "randomness"', 'deck = "random"')
    assert "'random'" in shelf.problem().message


def test_a_huge_file_is_refused(shelf) -> None:
    """A file beyond the limit is not read at all."""
    (shelf.root / "randomness/deck.toml").write_text("#" * (MAX_BYTES + 1), encoding="utf-8")
    assert "split it" in shelf.problem().message


def test_bytes_that_are_no_text(shelf) -> None:
    """A file that is not UTF-8 is refused with the byte."""
    (shelf.root / "randomness/deck.toml").write_bytes(b'schema = 1\ntitle = "\xff"\n')
    assert "byte 20 is not UTF-8" in shelf.problem().message


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "{a=" * 5000 + "1" + "}" * 5000])
def test_deep_nesting_ends(shelf, text: str) -> None:
    """A file nested a hundred thousand deep is one sentence, not a crash."""
    (shelf.root / "randomness/deck.toml").write_text(text, encoding="utf-8")
    assert shelf.problem().message == "not TOML: nested too deeply; mend this line."


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("requires = []", "requires itself"),
        ('requires = ["rng.streams"]', "'rng.stream', which does not exist"),
    ],
)
def test_the_graph_is_checked(shelf, change: str, words: str) -> None:
    """A concept that requires what does not exist, or itself through others, is named."""
    shelf.edit(
        change,
        'requires = ["rng.state-cost"]' if change == "requires = []" else 'requires = ["rng.stream"]',
        "concepts.toml",
    )
    problems = shelf.load().problems

    assert any(words in problem.message for problem in problems), problems
    assert all(problem.path.endswith("concepts.toml") for problem in problems)
