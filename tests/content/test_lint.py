"""The lint: each rule speaks where it is broken, at file and line, and is silent on a sound deck."""

from __future__ import annotations

import pytest

from tutor.content.lint import GUIDE_WORDS, check

MASK = "'Replay must draw the same dropout mask again'"
SHAPE = "'Replay would raise a shape error in backward'"


def test_a_sound_deck_has_no_errors(shelf) -> None:
    """Nothing is wrong in English; in Vietnamese one entry is stale and three are missing."""
    assert [problem for problem in shelf.check("en") if problem.severity == "error"] == []
    assert {problem.rule for problem in shelf.check()} == {"W9", "guide"}


@pytest.mark.parametrize(
    ("old", "new", "rule", "words"),
    [
        ('answer = ["mask"]', 'answer = ["loss", "mask"]', "E1", "exactly one"),
        (SHAPE, "'None of the above'", "E2", "none of the above"),
        ("'The loss was there before backward began", "'Option B is right. The loss was there", "E3", "by its place"),
        ("why = 'It stashes", "why = 'The first option holds. It stashes", "E3", "by its place"),
        ('myth = "replay-changes-the-loss"\n', "", "E4", "names no myth"),
        ('myth = "wrong-mask-is-caught"', 'myth = "no-such-myth"', "E4", "not in myths.toml"),
        ('unit = "KiB"', 'unit = "kB"', "E5", "make them equal"),
        ("tolerance = 0.005", "tolerance = 0.05", "E5", "keeps its slips apart"),
        ("{working}. Beside", "{formula}. Beside", "E5", "{formula}"),
        (SHAPE, "'replay MUST draw the same dropout mask again'", "E6", "read the same"),
        (
            'sources = ["torch.utils.checkpoint, note on preserve_rng_state"]\nexperiment',
            "experiment",
            "E8",
            "no source",
        ),
        (
            MASK,
            "'Replay must draw the same dropout mask again, or else the gradient is of another network'",
            "W1",
            "times as long",
        ),
        (SHAPE, "'Replay would always raise a shape error there'", "W2", "'always'"),
        (
            "Why does a consistent RNG state",
            "Which of these reasons does not hold for the consistent RNG state? " + "word " * 60,
            "W7",
            "words",
        ),
        (SHAPE, f"'Replay would raise {'x' * 120}'", "W7", "120 characters"),
        (
            "Why does a consistent RNG state",
            "Which of these does not explain why a consistent RNG state",
            "W3",
            "not so",
        ),
        ("Why does a consistent RNG state matter during", "All of these hold except which one in", "W3", "not so"),
    ],
)
def test_a_broken_rule(shelf, old: str, new: str, rule: str, words: str) -> None:
    """The rule names the item and says what to do."""
    shelf.edit(old, new)
    said = shelf.said(rule)

    assert said and all("rng-" in problem.message for problem in said), said
    assert any(words in problem.message for problem in said)
    assert all(problem.path.endswith("randomness/deck.toml") and problem.line > 1 for problem in said)


def test_an_emphasised_negation_is_allowed(shelf) -> None:
    """A stem may ask for what is not so where it shouts the word."""
    shelf.edit("Why does a consistent RNG state", "Which of these does NOT explain why a consistent RNG state")
    assert shelf.said("W3") == []


def test_decks_served_as_they_are(shelf) -> None:
    """A deck that keeps its original options is exempt from myths, absolute words and long keys, not from sources."""
    shelf.edit('myth = "replay-changes-the-loss"\n', "")
    shelf.edit(MASK, "'Replay must always draw the same dropout mask again, or the gradient is of another network'")
    shelf.edit('blurb = "Masks', 'as_served = true\nblurb = "Masks')
    shelf.edit('sources = ["torch.utils.checkpoint, note on preserve_rng_state"]\nexperiment', "experiment")
    rules = {problem.rule for problem in shelf.check("en")}

    assert rules == {"guide", "E8"}


def test_keys_that_are_longest_too_often(shelf) -> None:
    """Five choices whose keys are all the longest option fail as a deck, though each passes by itself."""
    for number in range(5):
        shelf.append(choice(f"rng-k{number}aa", f"The key number {number} is longer", "A rival that is short"))
    said = [problem for problem in shelf.said("W1") if problem.severity == "error"]

    assert len(said) == 1
    assert "83%" in said[0].message and "rng-k0aa" in said[0].message


def test_an_overlay_for_an_unknown_item(shelf) -> None:
    """A translation of what is not there is an orphan, named at its line."""
    line = shelf.append('\n[item.rng-0000]\nof = "00000000"\n', "randomness/vi.toml") + 1
    said = [problem for problem in shelf.said("W9") if "rng-0000" in problem.message]

    assert [problem.line for problem in said] == [line]


def test_a_stale_translation(shelf) -> None:
    """A changed English text makes its translation stale, and both hashes are named."""
    before = shelf.load().items["rng-7f3k"].text_hash
    shelf.edit("why does a consistent".capitalize(), "Why does a constant")
    said = [problem for problem in shelf.said("W9") if "rng-7f3k" in problem.message]

    assert len(said) == 1
    assert before in said[0].message and shelf.load().items["rng-7f3k"].text_hash in said[0].message


def test_code_that_was_translated(shelf) -> None:
    """Code in backticks is the same in every language."""
    shelf.edit("`preserve_rng_state=False`", "`giữ_trạng_thái=False`", "randomness/vi.toml")
    said = shelf.said("E7")

    assert len(said) == 1 and "why of rng-7f3k" in said[0].message


@pytest.mark.parametrize(
    ("words", "speaks"),
    [(GUIDE_WORDS[0] - 1, True), (GUIDE_WORDS[0], False), (GUIDE_WORDS[1], False), (GUIDE_WORDS[1] + 1, True)],
)
def test_the_length_of_a_guide(shelf, words: int, speaks: bool) -> None:
    """A guide page is a page: neither a paragraph nor a book."""
    (shelf.root / "randomness/guide.md").write_text("word " * words, encoding="utf-8")
    assert bool(shelf.said("guide")) == speaks


def test_a_transfer_that_repeats_its_origin(shelf) -> None:
    """An option shared with the origin makes the transfer a memory test."""
    shelf.edit("'The loss differs between the runs'", "'Replay would change the loss already reported'")
    assert any("shares the option" in problem.message for problem in shelf.said("transfer"))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('transfer_of = "rng-7f3k"', 'transfer_of = "rng-0000"', "does not exist"),
        ('concept = "rng.state-cost"', 'concept = "rng.cost"', "not in concepts.toml"),
    ],
)
def test_links_that_lead_nowhere(shelf, old: str, new: str, words: str) -> None:
    """A transfer of nothing and a concept of no graph are errors."""
    shelf.edit(old, new)
    assert any(words in problem.message and problem.severity == "error" for problem in shelf.check("en"))


def test_an_option_is_a_word_too(shelf) -> None:
    """An option a library offers is not option A."""
    shelf.edit("'The loss was there before backward began", "'It is an option a user sets. The loss was there before")
    assert shelf.said("E3") == []


def test_every_rule_is_called(shelf) -> None:
    """The rules about items, translations, the vocabulary and the heads of overlays speak through the one lint."""
    shelf.edit("How many KiB in all?", "How much in all?")
    shelf.edit(
        "'Lượt chạy lại sẽ gây lỗi kích thước khi backward'", "'Lượt chạy lại luôn gây lỗi'", "randomness/vi.toml"
    )
    shelf.edit('lang = "vi"', 'lang = "tr"', "randomness/vi.toml")
    said = " ".join(problem.message for problem in shelf.check())

    assert all(words in said for words in ("unit KiB", "says 'luôn'", "text of concept rng.streams", "write 'vi'"))


def test_a_deck_by_its_own_folder(shelf) -> None:
    """The folder of one deck may be checked by itself."""
    shelf.edit(SHAPE, "'None of the above'")
    assert any(problem.rule == "E2" for problem in check([shelf.root / "randomness"], shelf.catalogue, ("en",)))


def choice(id: str, key: str, rival: str) -> str:
    """Return a choice of three options as TOML."""
    options = "".join(
        f"[item.option.{name}]\ntext = '{text}'\n{myth}"
        for name, text, myth in (
            ("key", key, ""),
            ("one", f"{rival} one", 'myth = "one-stream"\n'),
            ("two", f"{rival} two", 'myth = "one-stream"\n'),
        )
    )
    return f"""
[[item]]
id = "{id}"
kind = "choice"
concept = "rng.streams"
level = "easy"
rev = 1
stem = 'What is asked in {id}?'
answer = ["key"]
why = 'For a reason.'
sources = ["arithmetic"]
{options}"""
