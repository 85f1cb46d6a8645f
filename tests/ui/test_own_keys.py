"""Keys of the learner's own: obeyed and named everywhere in place of the usual ones, and never where a letter is typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from textual.widgets import Input

from tests import messages
from tests.ui.conftest import Opener, screen_text
from tests.ui.test_review import place
from tutor.learning.state import Asking, Betting, Shown
from tutor.study.desk import Desk
from tutor.ui.actions import ACTIONS, hint, hints, keyed, named, wear_keys
from tutor.ui.help import help_text
from tutor.ui.keys import listed, printed
from tutor.ui.own_keys import usable

DROPOUT, GAP, NUMBER = "rng-7f3k", "act-gap1", "act-msty"
OWN = {
    "decks": "m",
    "settings": "b",
    "place": "n",
    "go_on": "j",
    "undo": "y",
    "experiment": "k",
    "edit": "ctrl+e",
    "not_now": "v",
    "unsure": "a",
    "guess": "b",
    "dont_know": "w",
    "back": "h",
    "write": "r",
    "submit": "t",
    "leave": "ctrl+x",
    "palette": "f8",
}


@pytest.fixture(autouse=True)
def usual_again() -> Iterator[None]:
    """The keys are the process's own."""
    yield
    wear_keys({})


@pytest.fixture
def own(desk: Desk) -> Desk:
    """A desk whose learner has other keys for nearly everything."""
    desk.config = replace(desk.config, keys=OWN)
    return desk


async def test_keys_of_ones_own_are_shown_and_obeyed(opened: Opener, own: Desk) -> None:
    """On Today, in the help and on the way: the key named does what the usual one did, and the usual one nothing."""
    async with opened() as pilot:
        text = screen_text(pilot.app)
        assert "m decks" in text and "b settings" in text and "^x quit" in text
        assert "New here? n asks" in text
        await pilot.press("d")
        assert screen_text(pilot.app) == text
        await pilot.press("question_mark")
        await pilot.pause()
        assert re.search(r"^ +F8 +Find any action", screen_text(pilot.app), re.MULTILINE)
        await pilot.press("h", "m")
        await pilot.pause()
        assert "new left today" in screen_text(pilot.app)
        await pilot.press("f8")
        await pilot.pause()
        assert type(pilot.app.screen).__name__ == "PaletteScreen"


async def test_sentences_name_the_keys_in_force(opened: Opener, own: Desk) -> None:
    """What a wrong key is told, before and after the answer, and beside a bet."""
    async with opened(item=DROPOUT) as pilot:
        text = screen_text(pilot.app)
        assert "a unsure   b guess   w I don't know   y undo" in text
        await pilot.press("j")
        assert "or w for I don't know" in screen_text(pilot.app)
        await pilot.press("k")
        assert "then k opens the experiment" in screen_text(pilot.app)
        await pilot.press("ctrl+e")
        assert "then ^e opens the item" in screen_text(pilot.app)
        await pilot.press("a")
        assert "noted: not sure" in screen_text(pilot.app)
        await pilot.press(place(pilot, "shape"))
        text = screen_text(pilot.app)
        assert "t run without a bet" in text and "v not now" in text and "h skip it" in text
        await pilot.press("j")
        assert "A number bets, t runs without a bet, v is not now." in screen_text(pilot.app)
        await pilot.press("y")
        assert isinstance(pilot.app.screen.sitting.session.phase, Asking)
        await pilot.press(place(pilot, "shape"), "v")
        assert not isinstance(pilot.app.screen.sitting.session.phase, Betting)


async def test_letters_are_letters_where_something_is_typed(opened: Opener, own: Desk) -> None:
    """In an input and in the settings own letters are typed; the keys that write nothing stay, and are the ones named."""
    async with opened(item=NUMBER) as pilot:
        assert "⏎ answer   F2 unsure   F3 guess   F4 I don't know   ^z undo   esc back" in screen_text(pilot.app)
        await pilot.press("a", "b", "h", "w")
        assert pilot.app.screen.query_one("#number", Input).value == "abhw"
        await pilot.press("f4")
        assert isinstance(pilot.app.screen.sitting.session.phase, Shown | Betting)
    async with opened() as pilot:
        await pilot.press("b", "h", "m")
        assert type(pilot.app.screen).__name__ == "SettingsScreen"
        assert pilot.app.screen._typed == "hm"
        assert "esc back" in screen_text(pilot.app)
        await pilot.press("escape", "escape")
        assert type(pilot.app.screen).__name__ == "TodayScreen"


def test_no_sentence_names_a_key_by_its_letter() -> None:
    """Whatever is marked for the screen leaves its keys to the registry; a digit, an arrow and the names of file keys are no such."""
    fixed = re.compile(r"⏎|\b[Ee]sc\b|\bF\d\b|\bctrl\+|\^q|(?<![\w'`{.-])[b-hj-z](?![\w'})=-])|\b[Ss]pace (?!$)")
    found = {
        entry[0]: files
        for entry, files in messages.gather().items()
        if any(file.startswith(("tutor/ui/", "tutor/study/")) for file in files) and fixed.search(entry[0])
    }
    allowed = {entry for entry in found if "(n = {n" in entry or "{minutes} min" in entry or "{seconds} s" in entry}
    assert {entry: files for entry, files in found.items() if entry not in allowed} == {}


def test_every_key_in_a_sentence_is_an_action_on_that_screen() -> None:
    """The placeholders that are filled with keys are names of actions, in every language."""
    names = {action.name for action in ACTIONS}
    for lang in messages.LANGUAGES:
        for entry, said in messages.read(messages.catalogue(lang)).items():
            wanted = set(re.findall(r"\{(\w+)\}", entry[0])) & names
            assert all(wanted <= set(re.findall(r"\{(\w+)\}", text)) for text in said), entry


@pytest.mark.parametrize(
    ("wished", "own", "said"),
    [
        ({"undo": "y"}, {"undo": ("y",)}, ""),
        ({"undo": "?"}, {"undo": ("question_mark",)}, "give help another key"),
        ({"undo": "ctrl+y, F9"}, {"undo": ("ctrl+y", "f9")}, ""),
        ({"undoo": "y"}, {}, "did you mean 'undo'?"),
        ({"zzz": "y"}, {}, "the help names them all"),
        ({"undo": "banana"}, {}, "undo: banana is no key"),
        ({"undo": "3"}, {}, "digits answer"),
        ({"undo": "l"}, {"undo": ("l",)}, "give experiment another key"),
        ({"undo": "l", "experiment": "z"}, {"undo": ("l",), "experiment": ("z",)}, ""),
        ({"undo": "y", "flag": "y"}, {"undo": ("y",)}, "flag: the key is undo already"),
        ({"decks": "y", "undo": "y"}, {"decks": ("y",), "undo": ("y",)}, ""),
        ({"leave": "d"}, {}, "join it with ctrl"),
        ({"leave": "escape"}, {"leave": ("escape",)}, "give back another key"),
    ],
)
def test_what_cannot_be_obeyed_is_said(wished: dict[str, str], own: dict[str, tuple[str, ...]], said: str) -> None:
    """A name that is none, a key that is none, a key given twice on one screen; what is sound is obeyed all the same."""
    found, faults = usable(wished)
    assert found == own
    assert said in "; ".join(faults)
    assert bool(faults) == bool(said)


async def test_today_says_what_cannot_be_obeyed(opened: Opener, desk: Desk) -> None:
    """With the file and the remedy."""
    desk.config = replace(desk.config, keys={"undoo": "y"})
    async with opened(size=(100, 30)) as pilot:
        assert "config.toml, keys: there is no action 'undoo'; did you mean 'undo'?" in screen_text(pilot.app)
    desk.config = replace(desk.config, keys={}, theme="zzz")
    async with opened(size=(100, 30)) as pilot:
        assert "config.toml, theme: there is no theme 'zzz'; the palette shows them all." in screen_text(pilot.app)


def test_an_action_that_lost_its_key_is_found_in_the_palette() -> None:
    """Hints leave it out, sentences name the palette's key, the help shows no key for it."""
    wear_keys(usable({"undo": "l"})[0])
    assert named("experiment").keys == ()
    assert hints(("undo", "experiment")) == "l undo"
    assert hint("experiment", "x") == ""
    assert keyed("{experiment} opens {id}", id="it") == "^p opens it"
    assert re.search(r"^  - +Run the experiment of this item", help_text("review"), re.MULTILINE)


def test_keys_are_written_and_printed() -> None:
    """As the settings write them, as Textual names them, as people read them."""
    assert listed("u, F2") == ("u", "f2")
    assert [printed(key) for key in ("escape", "enter", "question_mark", "f2", "ctrl+e", "space")] == [
        "esc",
        "⏎",
        "?",
        "F2",
        "ctrl+e",
        "space",
    ]


async def test_an_answer_is_taken_back_while_a_number_is_awaited(opened: Opener, desk: Desk) -> None:
    """`z` is a letter there; Ctrl+Z is not, and the hint names it."""
    async with opened(item=NUMBER) as pilot:
        assert "^z undo" in screen_text(pilot.app)
        await pilot.press("f4", "z")
        assert isinstance(pilot.app.screen.sitting.session.phase, Asking)
        await pilot.press("z", "ctrl+z")
        assert pilot.app.screen.query_one("#number", Input).value == "z"
        assert "There is no answer to take back." in screen_text(pilot.app)
