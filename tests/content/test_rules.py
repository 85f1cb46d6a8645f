"""What a question gives away or leaves out: rules over items, over their numbers, and over each language."""

from __future__ import annotations

import pytest

from tutor.content.rules import check_library
from tutor.content.translated import check_translation

SHAPE = "'Replay would raise a shape error in backward'"


def test_a_sound_library_gives_nothing_away(shelf) -> None:
    """The rules are silent on a sound deck, in English and in Vietnamese."""
    assert list(check_library(shelf.load())) == []
    assert list(check_translation(shelf.load("vi"), "vi")) == []


@pytest.mark.parametrize(
    ("old", "new", "rule", "severity", "words"),
    [
        ("checkpoints {n} blocks", "checkpoints blocks", "E5", "error", "{n}"),
        ("How many KiB in all?", "How much in all?", "E5", "warning", "unit KiB"),
        (
            "'Replay must draw the same dropout mask again'",
            "'It draws the mask.'",
            "W5",
            "warning",
            "sentence or phrase",
        ),
        (
            "'Replay must draw the same dropout mask again'",
            "'A consistent state: why it matters in replay'",
            "W4",
            "warning",
            "more words of the stem",
        ),
        ("'Replay must draw the same dropout mask again'", "'mask'", "W5", "warning", "one word or several"),
        (
            "'Replay must draw the same dropout mask again'",
            "'replay must draw the same dropout mask'",
            "W5",
            "warning",
            "capital",
        ),
    ],
)
def test_what_a_question_gives_away(shelf, old: str, new: str, rule: str, severity: str, words: str) -> None:
    """The item is named at its line with the remedy."""
    shelf.edit(old, new)
    said = [problem for problem in check_library(shelf.load()) if words in problem.message]

    assert len(said) == 1
    assert (said[0].rule, said[0].severity) == (rule, severity)
    assert said[0].line in {item.line for item in shelf.load().items.values()}


def test_values_that_are_never_drawn(shelf) -> None:
    """A listed value that the sampler always refuses is named: the deck asks less than it says."""
    old = 'family = "rng.state_bytes"\nparams = { n = [12, 24, 48] }\nunit = "KiB"'
    shelf.edit(old, 'family = "mem.accum_batch"\nparams = { k = [4, 8], m = [4, 8], d = [1, 64] }\nunit = "samples"')
    shelf.edit("checkpoints {n} blocks", "steps on {m}, {k} and {d}")
    said = [problem.message for problem in check_library(shelf.load()) if "never drawn" in problem.message]

    assert said == ["d = 1 of rng-2m9d is never drawn: a slip would equal the answer or another; drop it."]


def test_two_items_that_read_the_same(shelf) -> None:
    """Identical text under two ids is asked twice: the later one is named with the place of the first."""
    path = shelf.root / "randomness/deck.toml"
    text = path.read_text(encoding="utf-8")
    shelf.append("\n" + text[text.index('[[item]]\nid = "rng-3x6n"') :].replace("rng-3x6n", "rng-4x6n"))
    said = [problem for problem in check_library(shelf.load()) if problem.rule == "twin"]

    assert len(said) == 1
    assert "rng-4x6n" in said[0].message and f"rng-3x6n ({path}:" in said[0].message


def test_two_items_of_one_concept_that_read_alike(shelf) -> None:
    """A question put twice with other numbers is a sibling: named until it is linked, of another concept, or sealed."""
    old = '[[item]]\nid = "rng-3x6n"'
    text = (shelf.root / "randomness/deck.toml").read_text(encoding="utf-8")
    item = text[text.index(old) :]
    stem = item[item.index("stem = ") :].splitlines()[0]
    first = 'stem = "A block with two dropout layers replays its forward once; how many masks does replay draw?"'
    again = 'stem = "A block with seven dropout layers replays its forward once; how many masks does its replay draw?"'
    shelf.edit(stem, first)
    shelf.append("\n" + item.replace("rng-3x6n", "rng-4x6n").replace(stem, again))
    (said,) = [problem for problem in check_library(shelf.load()) if problem.rule == "W8"]

    assert said.severity == "warning"
    assert "rng-4x6n reads like rng-3x6n" in said.message and 'transfer_of = "rng-3x6n"' in said.message
    shelf.edit(again, again + '\ntransfer_of = "rng-3x6n"')
    assert [problem for problem in check_library(shelf.load()) if problem.rule == "W8"] == []


def test_a_transfer_with_the_numbers_of_its_origin(shelf) -> None:
    """A number told in the origin is remembered, not worked out; code and the smallest numbers do not count."""
    shelf.edit("A checkpointed block contains dropout.", "Each of 12 checkpointed blocks has 2 masks of `p=7`.")
    shelf.edit("The same network runs without", "The same 12 blocks with 2 masks of `p=7` run without")
    said = [problem for problem in check_library(shelf.load()) if problem.rule == "transfer"]

    assert len(said) == 1 and "the number 12" in said[0].message


@pytest.mark.parametrize(
    ("old", "new", "rule", "words"),
    [
        (
            "'Lượt chạy lại sẽ gây lỗi kích thước khi backward'",
            "'Lượt chạy lại luôn gây lỗi kích thước'",
            "W2",
            "'luôn'",
        ),
        (
            "Vì sao trạng thái RNG nhất quán lại quan trọng khi chạy lại?",
            "Điều nào không đúng khi chạy lại?",
            "W3",
            "not so",
        ),
        (
            "'Lượt chạy lại phải rút đúng mặt nạ dropout cũ'",
            "'Lượt chạy lại phải rút đúng mặt nạ dropout cũ, nếu không gradient là của một mạng khác'",
            "W1",
            "times as long",
        ),
        (
            "'Lượt chạy lại phải rút đúng mặt nạ dropout cũ'",
            "'Khi nhất quán, trạng thái quan trọng: mặt nạ cũ'",
            "W4",
            "words of the stem",
        ),
        (
            "'Lượt chạy lại phải rút đúng mặt nạ dropout cũ'",
            "'Lượt chạy lại phải rút đúng mặt nạ dropout cũ.'",
            "W5",
            "sentence or phrase",
        ),
        ("Với `preserve", "Phương án B sai. Với `preserve", "E3", "by its place"),
        (
            "'Lượt chạy lại sẽ gây lỗi kích thước khi backward'",
            "'Không phương án nào ở trên'",
            "E2",
            "kind multi",
        ),
        (
            "'Lượt chạy lại sẽ gây lỗi kích thước khi backward'",
            "'LƯỢT chạy lại phải rút đúng mặt nạ dropout cũ'",
            "E6",
            "read the same",
        ),
        (
            "'Lượt chạy lại sẽ gây lỗi kích thước khi backward'",
            "'" + "Lượt chạy lại sẽ gây lỗi kích thước " * 4 + "'",
            "W7",
            "120 characters",
        ),
        (
            "Vì sao trạng thái RNG nhất quán lại quan trọng khi chạy lại?",
            "một hai " * 45 + "?",
            "W7",
            "keep it to 90",
        ),
    ],
)
def test_what_a_translation_gives_away(shelf, old: str, new: str, rule: str, words: str) -> None:
    """Absolute and negative words are looked for in each language, and named in the overlay at the item's entry."""
    shelf.edit(old, new, "randomness/vi.toml")
    said = list(check_translation(shelf.load("vi"), "vi"))

    assert [problem.rule for problem in said] == [rule]
    assert words in said[0].message
    assert said[0].path.endswith("vi.toml")
    assert said[0].line == 1 + (shelf.root / "randomness/vi.toml").read_text(encoding="utf-8").split("\n").index(
        "[item.rng-7f3k]"
    )


def test_an_emphasised_negation_is_allowed(shelf) -> None:
    """A stem may ask for what is not so where it shouts the word."""
    shelf.edit(
        "Vì sao trạng thái RNG nhất quán lại quan trọng khi chạy lại?",
        "Điều nào KHÔNG ĐÚNG khi chạy lại?",
        "randomness/vi.toml",
    )
    assert list(check_translation(shelf.load("vi"), "vi")) == []


def test_decks_served_as_they_are_keep_their_form(shelf) -> None:
    """The original options of a served deck are not judged."""
    shelf.edit("'Replay must draw the same dropout mask again'", "'mask'")
    shelf.edit('blurb = "Masks', 'as_served = true\nblurb = "Masks')
    assert list(check_library(shelf.load())) == []
