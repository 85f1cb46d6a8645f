"""An item in the learner's own editor: which editor, at which line, and what becomes of what it wrote."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.study.test_own_decks import DECK
from tests.support import FakeClock
from tutor.learning import moves
from tutor.learning.state import Shown
from tutor.paths import Home
from tutor.study import editing
from tutor.study.desk import Desk, with_limits
from tutor.study.editing import CannotEdit, Edited, at_line, edit, find_editor
from tutor.study.sitting import Sitting

EDITOR = {"EDITOR": "true"}


@pytest.fixture
def path(home: Home) -> Path:
    """A deck of the learner's own, of one item."""
    file = home.decks / "mine" / "deck.toml"
    file.parent.mkdir(parents=True)
    file.write_text(DECK, encoding="utf-8")
    return file


@pytest.fixture
def sitting(home: Home, path: Path, clock: FakeClock) -> Iterator[Sitting]:
    """A sitting in which that item was just answered right."""
    with Desk(home, clock) as desk:
        sat = Sitting(desk, with_limits(desk.rules(), limit=None, new=None, item="mine-1", decks=frozenset()))
        clock.pass_seconds(5)
        sat.send(moves.Mark(desk.now(), "sure"))
        sat.send(moves.Answer(desk.now(), raw="2", value=2.0))
        assert isinstance(sat.session.phase, Shown)
        yield sat


def writing(path: Path, old: str, new: str, code: int = 0, count: int = -1) -> Callable[[Sequence[str]], int]:
    """Return what stands for an editor that replaces a text and ends with a code."""

    def run(command: Sequence[str]) -> int:
        text = path.read_text(encoding="utf-8")
        assert old in text and str(path) in command
        path.write_text(text.replace(old, new, count), encoding="utf-8")
        return code

    return run


def shown_why(sitting: Sitting) -> str:
    """Return the explanation on the screen."""
    assert isinstance(sitting.session.phase, Shown)
    return sitting.session.phase.judged.question.item.why


def edited(sitting: Sitting, run: Callable[[Sequence[str]], int], line: int = 0) -> Edited:
    """Edit the item of one's own."""
    return edit(sitting, sitting.desk.library.items["mine-1"], run, line, EDITOR)


@pytest.mark.parametrize(
    ("environ", "command"),
    [
        ({"VISUAL": "code -n", "EDITOR": "vi"}, ("code", "-n")),
        ({"VISUAL": " ", "EDITOR": "vi -u NONE"}, ("vi", "-u", "NONE")),
        ({"EDITOR": "'/opt/my editor/run' -w"}, ("/opt/my editor/run", "-w")),
    ],
)
def test_the_learners_own_editor(environ: dict[str, str], command: tuple[str, ...]) -> None:
    """VISUAL before EDITOR, with their arguments; never through a shell."""
    assert find_editor(environ) == command


def test_without_a_wish_the_first_that_is_installed(tmp_path: Path) -> None:
    """Neither is set: what the machine has; nothing there: a sentence that says what to do."""
    with pytest.raises(CannotEdit, match="EDITOR=nano"):
        find_editor({"PATH": str(tmp_path)})
    for name in ("vi", "nano"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    assert find_editor({"PATH": str(tmp_path)}) == ("nano",)


def test_an_editor_with_open_quotes_is_a_sentence() -> None:
    """What is no command is not run."""
    with pytest.raises(CannotEdit, match="close its quotes"):
        find_editor({"EDITOR": "vi 'half"})


@pytest.mark.parametrize(
    ("editor", "command"),
    [
        (("vim", "-n"), ["vim", "-n", "+12", "deck.toml"]),
        (("/usr/bin/nano",), ["/usr/bin/nano", "+12", "deck.toml"]),
        (("code",), ["code", "--wait", "--goto", "deck.toml:12"]),
        (("hx",), ["hx", "deck.toml:12"]),
        (("subl",), ["subl", "--wait", "deck.toml:12"]),
        (("my-own",), ["my-own", "deck.toml"]),
    ],
)
def test_each_editor_is_asked_for_the_line_in_its_own_way(editor: tuple[str, ...], command: list[str]) -> None:
    """One that is not known is given the file alone, never an argument it could take for another file."""
    assert at_line(editor, Path("deck.toml"), 12) == command


def test_a_mended_explanation_is_shown_at_once(sitting: Sitting, path: Path) -> None:
    """The verdict stands with the new words, the answer stays one answer, and nothing is asked."""
    count = len(list(sitting.desk.store.events()))
    done = edited(sitting, writing(path, "So.", "One and one."))
    assert (done.sentence, done.line, done.revision) == ("The new text is in use.", 0, None)
    assert shown_why(sitting) == "One and one."
    assert sitting.desk.library.items["mine-1"].why == "One and one."
    assert (sitting.session.answers, len(list(sitting.desk.store.events()))) == (1, count)


def test_an_error_is_named_and_the_old_text_stays(sitting: Sitting, path: Path) -> None:
    """File, line and remedy; what was written stays in the file, and the next edit opens there."""
    done = edited(sitting, writing(path, "rev = 1", "rev = one"))
    assert done.sentence.startswith("mine/deck.toml:11: not TOML: ")
    assert (done.line, shown_why(sitting)) == (11, "So.")
    assert "mine-1" in sitting.desk.library.items and "rev = one" in path.read_text(encoding="utf-8")
    opened: list[Sequence[str]] = []

    def mend(command: Sequence[str]) -> int:
        opened.append(command)
        return writing(path, "rev = one", "rev = 1")(command)

    assert edit(sitting, sitting.desk.library.items["mine-1"], mend, done.line, {"EDITOR": "vi"}).line == 0
    assert opened == [["vi", "+11", str(path)]]


def test_an_error_that_was_there_before_hinders_nothing(sitting: Sitting, path: Path) -> None:
    """Another item of the deck is broken already: the edit of this one is taken up."""
    broken = '\n[[item]]\nid = "mine-2"\nkind = "riddle"\n' + DECK[DECK.index("[[item]]") :]
    path.write_text(path.read_text(encoding="utf-8") + broken, encoding="utf-8")
    sitting.reread(sitting.desk.read_library())
    assert edited(sitting, writing(path, "rev = 1\n", "rev = 1\n# a line more\n", count=1)).line == 0
    assert len(sitting.desk.problems) > 1


@pytest.mark.parametrize("choice", ["keep", "halve", "reset"])
def test_another_rev_asks_what_becomes_of_the_history(sitting: Sitting, path: Path, choice: str) -> None:
    """The decision is an event, and the sitting goes on with the card that is left."""
    before = sitting.desk.store.cards()["mine-1"]
    done = edited(sitting, writing(path, "rev = 1", "rev = 2"))
    assert done.revision is not None and (done.revision.old_rev, done.revision.new_rev) == (1, 2)
    sitting.revise("mine-1", choice)
    assert [event.data["choice"] for event in sitting.desk.store.events() if event.kind == "revised"] == [choice]
    left = sitting.desk.store.cards().get("mine-1")
    assert sitting.card("mine-1") == left
    if choice == "reset":
        assert left is None
    else:
        share = {"keep": 1.0, "halve": 0.5}[choice]
        assert left is not None and left.memory.stability == share * before.memory.stability
    sitting.send(moves.Undo(sitting.desk.now()))
    assert sitting.session.answers == 0, "the answer is taken back through the log"


@pytest.mark.parametrize(
    ("code", "sentence"), [(0, "Nothing was changed."), (3, "The editor ended with code 3; nothing was changed.")]
)
def test_an_editor_that_changes_nothing(sitting: Sitting, code: int, sentence: str) -> None:
    """Left at once, or failed: the decks are not read, the code is said."""
    library = sitting.desk.library
    assert edited(sitting, lambda command: code).sentence == sentence
    assert sitting.desk.library is library


def test_an_item_taken_out_of_its_file(sitting: Sitting, path: Path) -> None:
    """It is not asked any more; its answers stay in the log."""
    done = edited(sitting, writing(path, DECK[DECK.index("[[item]]") :], ""))
    assert "no longer in its file" in done.sentence
    assert "mine-1" not in sitting.desk.library.items
    assert "mine-1" in sitting.desk.store.cards()


def test_an_editor_that_is_not_there(sitting: Sitting) -> None:
    """A sentence with the reason; the sitting goes on."""

    def run(command: Sequence[str]) -> int:
        raise FileNotFoundError(2, "No such file or directory")

    with pytest.raises(CannotEdit, match="true cannot be started: No such file or directory"):
        edited(sitting, run)


def test_what_may_not_be_written(sitting: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shipped deck of a read-only install says what else can be done; one's own names its permissions. No editor is started."""

    def run(command: Sequence[str]) -> int:
        raise AssertionError(command)

    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(CannotEdit, match="randomness comes with the program and is read-only here; flag the item"):
        edit(sitting, sitting.desk.library.items["rng-7f3k"], run, environ=EDITOR)
    with pytest.raises(CannotEdit, match="check its permissions"):
        edited(sitting, run)


def test_a_shipped_deck_that_can_be_written_says_that_it_will_be_replaced(
    sitting: Sitting, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An author at work on the program's own decks is told once the text is in use."""
    monkeypatch.setattr(editing, "resources", lambda name: path.parent.parent)
    assert "comes with the program" in edited(sitting, writing(path, "So.", "Thus.")).sentence
