"""Steps to order, gaps to fill, points to say: how they are read, what is refused, and what their translations bring."""

from __future__ import annotations

import pytest

from tutor.content.gaps import blanked, fills, slip_of, split_typed
from tutor.content.model import Gap

HEAD = 'concept = "rng.replay"\nlevel = "easy"\nsources = ["arithmetic"]\nwhy = \'For a reason.\'\n'
ORDER = f"""
[[item]]
id = "rng-o111"
kind = "order"
{HEAD}stem = 'In which order do these happen?'
answer = ["stash", "loss", "replay"]

[item.option.replay]
text = 'The block runs again'
myth = "wrong-mask-is-caught"

[item.option.loss]
text = 'The loss is computed'

[item.option.stash]
text = 'The generator state is kept'
"""
CLOZE = f"""
[[item]]
id = "rng-c111"
kind = "cloze"
{HEAD}stem = 'The mask of the {{first}} pass is drawn again in `{{second}}()`.'

[item.gap.second]
accept = ["backward"]
slips = {{ "step" = "wrong-mask-is-caught" }}

[item.gap.first]
accept = ["forward", "first"]
ignore_case = true
"""
EXPLAIN = f"""
[[item]]
id = "rng-e111"
kind = "explain"
{HEAD}stem = 'Explain what a replay restores.'

[item.rubric]
state = 'It restores the generator state'
mask = 'So the mask is drawn again'
loss = 'The loss was there before'
silent = 'Nothing would be raised'
"""
SOUND = ORDER + CLOZE + EXPLAIN


def test_each_kind_as_read(shelf) -> None:
    """Steps keep their order in the answer, gaps stand as their stem names them, points are all of the answer."""
    shelf.append(SOUND)
    library = shelf.load()
    order, cloze, explain = (library.items[id] for id in ("rng-o111", "rng-c111", "rng-e111"))

    assert library.problems == ()
    assert order.answer == ("stash", "loss", "replay")
    assert (order.option("replay").myth, order.myths) == ("wrong-mask-is-caught", ("wrong-mask-is-caught",))
    assert cloze.stem == "The mask of the (1)____ pass is drawn again in `(2)____()`."
    assert [gap.key for gap in cloze.gaps] == ["first", "second"]
    assert cloze.answer == ("forward", "backward")
    assert cloze.myths == ("wrong-mask-is-caught",)
    assert explain.answer == tuple(option.key for option in explain.options) == ("state", "mask", "loss", "silent")


def test_the_lint_is_silent_on_sound_ones(shelf) -> None:
    """None of the three has an error or a warning."""
    shelf.append(SOUND)
    assert [problem for problem in shelf.check("en") if "111" in problem.message] == []


def test_what_may_be_shown_before_the_answer(shelf) -> None:
    """A preview tells neither the order nor the points."""
    shelf.append(SOUND)
    items = shelf.load().items

    texts = [option.text for option in items["rng-o111"].unspoilt]
    assert texts == sorted(texts) and len(texts) == 3
    assert items["rng-e111"].unspoilt == ()
    assert items["rng-7f3k"].unspoilt == items["rng-7f3k"].options


@pytest.mark.parametrize(
    ("old", "new", "at", "words"),
    [
        ('["stash", "loss", "replay"]', '["stash", "loss"]', "answer =", "name each step once"),
        ('["stash", "loss", "replay"]', '["stash", "loss", "loss"]', "answer =", "name each step once"),
        ('["stash", "loss", "replay"]', '["replay", "stash", "loss"]', "[item.option.replay]", "drop its myth"),
        ("[item.option.stash]\ntext = 'The generator state is kept'\n", "", '[[item]]\nid = "rng-o111"', "2 steps"),
        ("the {first} pass", "the pass", "stem = 'The mask", "{first}"),
        ("{second}", "{first}", "stem = 'The mask", "name each gap once"),
        ('accept = ["backward"]', "accept = []", "[item.gap.second]", "accepts nothing"),
        ('accept = ["backward"]', 'accept = "backward"', "accept =", "must be a list of texts"),
        ('"step" =', '"backward" =', "slips =", "calls it a slip"),
        ("ignore_case = true", "ignore_cas = true", "ignore_cas", "did you mean 'ignore_case'"),
        ("[item.gap.first]", 'answer = ["x"]\n\n[item.gap.first]', "", "unknown key 'answer'"),
        ("loss = 'The loss was there before'\n", "", "[item.rubric]", "rubric] of 4 points"),
        ("loss = 'The loss was there before'", "loss = ''", "[item.rubric]", "rubric] of 4 points"),
        ("loss = 'The loss was there before'", "loss = 'so the MASK is drawn again'", "[item.rubric]", "read the same"),
        ("[item.rubric]", 'answer = ["state"]\n\n[item.rubric]', 'answer = ["state"]', "drop 'answer'"),
    ],
)
def test_what_is_refused(shelf, old: str, new: str, at: str, words: str) -> None:
    """One sentence at the line of the fault; that item is dropped and the other two load."""
    start = shelf.append(SOUND.replace(old, new))
    library = shelf.load()
    lines = SOUND.replace(old, new)
    found = [problem for problem in library.problems if words in problem.message]

    assert found, library.problems
    assert len({"rng-o111", "rng-c111", "rng-e111"} & set(library.items)) == 2
    if at:
        assert start + lines[: lines.index(at)].count("\n") - (not lines.startswith("\n")) in [p.line for p in found]


@pytest.mark.parametrize(
    ("kind", "words"), [("rubric", "no explain item"), ("gap", "no cloze item")], ids=["rubric", "gap"]
)
def test_what_belongs_to_another_kind(shelf, kind: str, words: str) -> None:
    """Points of an item that asks for none, gaps of one that has none."""
    table = {"rubric": "[item.rubric]\na = 'b'\n", "gap": '[item.gap.a]\naccept = ["b"]\n'}[kind]
    shelf.append(ORDER + table)
    assert words in shelf.problem().message


@pytest.mark.parametrize("value", ["3", "[]", '"x"', "{ a = 3 }", "{ a = { accept = 3 } }", '{ a = "b", c = [1] }'])
@pytest.mark.parametrize(("key", "kind"), [("rubric", "explain"), ("gap", "cloze"), ("option", "order")])
def test_any_value_is_told(shelf, key: str, kind: str, value: str) -> None:
    """Whatever TOML allows there, the author reads a sentence and the rest loads."""
    shelf.append(f'\n[[item]]\nid = "rng-x111"\nkind = "{kind}"\n{HEAD}stem = \'s\'\n{key} = {value}\n')
    library = shelf.load("vi")
    assert library.problems and "rng-x111" not in library.items and "rng-7f3k" in library.items
    assert all(problem.message.endswith((".", "?")) for problem in shelf.check())


def test_a_stem_that_fills_its_own_gap(shelf) -> None:
    """The accepted text stands beside the blank."""
    shelf.append(CLOZE.replace("The mask of", "In the forward pass the mask of"))
    assert ["'forward'" in problem.message for problem in shelf.said("cloze")] == [True]


def test_a_step_that_says_its_place(shelf) -> None:
    """`Then` is half of the answer."""
    shelf.append(ORDER.replace("'The loss is computed'", "'Then the loss is computed'"))
    assert ["'loss'" in problem.message for problem in shelf.said("order")] == [True]


def test_a_slip_names_a_myth_that_exists(shelf) -> None:
    """As an option does."""
    shelf.append(CLOZE.replace('"step" = "wrong-mask-is-caught"', '"step" = "no-such-myth"'))
    assert any("no-such-myth" in problem.message for problem in shelf.said("E4"))


def vietnamese(shelf, id: str, texts: str) -> None:
    """Append an overlay entry of the present wording."""
    shelf.append(f'\n[item.{id}]\nof = "{shelf.load().items[id].text_hash}"\n{texts}\n', "randomness/vi.toml")


def test_translations_of_each_kind(shelf) -> None:
    """Steps and points in the language; its words fill a gap beside the English ones and come first."""
    shelf.append(SOUND)
    steps = "option.replay = 'Khối chạy lại'\noption.loss = 'Tính loss'\noption.stash = 'Giữ trạng thái'"
    vietnamese(shelf, "rng-o111", f"stem = 'Thứ tự nào?'\nwhy = 'Vì vậy.'\n{steps}")
    gaps = "gap.first = ['xuôi']"
    vietnamese(shelf, "rng-c111", f"stem = 'Trong `{{second}}()` mặt nạ của lượt {{first}}.'\nwhy = 'Vì vậy.'\n{gaps}")
    points = "\n".join(f"rubric.{key} = '{key} bằng tiếng Việt'" for key in ("state", "mask", "loss", "silent"))
    vietnamese(shelf, "rng-e111", f"stem = 'Giải thích.'\nwhy = 'Vì vậy.'\n{points}")
    order, cloze, explain = (shelf.load("vi").items[id] for id in ("rng-o111", "rng-c111", "rng-e111"))

    assert [problem for problem in shelf.check() if "111" in problem.message] == []
    assert {order.lang, cloze.lang, explain.lang} == {"vi"}
    assert order.option("replay").text == "Khối chạy lại" and order.option("replay").myth
    assert cloze.stem == "Trong `(2)____()` mặt nạ của lượt (1)____."
    assert cloze.gaps[0].accept == ("xuôi", "forward", "first") and cloze.answer == ("xuôi", "backward")
    assert explain.option("mask").text == "mask bằng tiếng Việt"


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ("stem = 'Mặt nạ của lượt {first} trong `second()`.'\nwhy = 'w'", "must name each gap once"),
        ("stem = 'Mặt nạ của lượt {first} trong `{second}()`.'\nwhy = 'w'\ngap.third = ['a']", "no gap 'third'"),
    ],
)
def test_a_translation_without_its_gap(shelf, texts: str, words: str) -> None:
    """The lint says so; where the gap is gone the English text is shown."""
    shelf.append(CLOZE)
    vietnamese(shelf, "rng-c111", texts)
    assert any(words in problem.message for problem in shelf.said("W9"))
    assert shelf.load("vi").items["rng-c111"].lang == ("en" if "each" in words else "vi")


def test_accepted_texts_are_part_of_what_is_translated(shelf) -> None:
    """A gap that takes another word makes the translation stale."""
    shelf.append(CLOZE)
    before = shelf.load().items["rng-c111"].text_hash
    shelf.edit('accept = ["backward"]', 'accept = ["backwards"]')
    assert shelf.load().items["rng-c111"].text_hash != before


CODE = Gap("a", ("preserve_rng_state",))
FOLDED = Gap("a", ("Forward", "İleri", "Đi tới"), {"Backward": "m"}, ignore_case=True)


@pytest.mark.parametrize(
    ("gap", "text", "right"),
    [
        (CODE, "preserve_rng_state", True),
        (CODE, "  preserve_rng_state\t", True),
        (CODE, "Preserve_RNG_state", False),
        (FOLDED, "FORWARD", True),
        (FOLDED, "İleri", True),
        (FOLDED, "İleri", True),  # decomposed
        (FOLDED, "ileri", False),
        (FOLDED, "đi tới", False),
        (FOLDED, "Đi  tới", True),
        (FOLDED, "for ward", False),
    ],
)
def test_what_fills_a_gap(gap: Gap, text: str, right: bool) -> None:
    """Exact after composition and white space; case counts unless the gap says otherwise, and beyond ASCII always."""
    assert fills(gap, text) == right


def test_a_slip_is_found_by_the_same_rule() -> None:
    """A foreseen wrong text is named as its author wrote it."""
    assert slip_of(FOLDED, "BACKWARD") == "Backward"
    assert slip_of(FOLDED, "sideways") is None


@pytest.mark.parametrize(
    ("text", "parts"),
    [("a ; b", ("a", "b")), ("a;", None), ("a", None), ("a;b;c", None), ("a, b; c", ("a, b", "c"))],
)
def test_two_gaps_are_typed_with_a_semicolon_between(text: str, parts: tuple[str, ...] | None) -> None:
    """A comma may be part of an answer."""
    assert split_typed(text, (CODE, FOLDED)) == parts


def test_one_gap_takes_the_whole_line() -> None:
    """A semicolon too; and braces that are no gap stay."""
    assert split_typed("a; b", (CODE,)) == ("a; b",)
    assert split_typed("  ", (CODE,)) is None
    assert blanked("f'{x}' of {a}", (CODE,)) == "f'{x}' of ____"
