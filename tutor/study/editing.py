"""An item opened in the learner's own editor at its line, and its deck read again when the editor ends.

What the editor wrote is never touched. Where it brought an error, the sitting goes on with the old text and the error is named with
file, line and remedy; where it changed the item's `rev`, whoever called decides with the learner what becomes of its history.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tutor.content.model import Item, Library, Problem
from tutor.frozen import dataclass
from tutor.i18n import _
from tutor.paths import resources
from tutor.study.revising import Revision
from tutor.study.sitting import Sitting

FALLBACKS = ("sensible-editor", "editor", "nano", "vim", "vi", "emacs", "notepad")
"""What is tried, in this order, where neither VISUAL nor EDITOR is set."""
_PLUS = frozenset(
    [
        "vi",
        "vim",
        "nvim",
        "view",
        "nano",
        "pico",
        "emacs",
        "emacsclient",
        "micro",
        "joe",
        "ne",
        "kak",
        "mg",
        "jed",
        "editor",
        "sensible-editor",
    ]
)
"""Editors that take a line as `+12 FILE`."""
_COLON = {"hx": (), "helix": (), "subl": ("--wait",), "zed": ("--wait",)}
"""Editors that take a line as `FILE:12`, with what makes them wait."""
_GOTO = frozenset(("code", "codium", "code-insiders", "cursor"))
_NUMBER = re.compile(r"\d+")
Run = Callable[[Sequence[str]], int]
"""Gives the terminal to a command and returns its exit code. Raises OSError where it cannot be started."""


class CannotEdit(Exception):
    """Why an item cannot be opened, in one sentence."""


@dataclass(frozen=True, slots=True)
class Edited:
    """What an edit came to."""

    sentence: str
    line: int = 0
    """The line to mend, where the new text has an error."""
    revision: Revision | None = None
    """The change of meaning that the learner is to decide over."""


def find_editor(environ: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return the learner's editor as a command: VISUAL, else EDITOR, else one that is installed. Raises CannotEdit."""
    wished = environ.get("VISUAL", "").strip() or environ.get("EDITOR", "").strip()
    if wished:
        try:
            return tuple(shlex.split(wished, posix=os.name == "posix"))
        except ValueError:
            raise CannotEdit(
                _("VISUAL or EDITOR is {wished!r}, which is no command; close its quotes.").format(wished=wished)
            ) from None
    found = next((name for name in FALLBACKS if shutil.which(name, path=environ.get("PATH", os.defpath))), None)
    if found is None:
        raise CannotEdit(_("No editor is found; set VISUAL or EDITOR to one, such as `export EDITOR=nano`."))
    return (found,)


def at_line(editor: Sequence[str], path: Path, line: int) -> list[str]:
    """Return the command that opens `path` at `line`; an editor that is not known opens it at its top."""
    name = Path(editor[0]).stem.lower()
    if name in _PLUS:
        return [*editor, f"+{line}", str(path)]
    if name in _COLON:
        return [*editor, *_COLON[name], f"{path}:{line}"]
    if name in _GOTO:
        return [*editor, "--wait", "--goto", f"{path}:{line}"]
    return [*editor, str(path)]


def edit(sitting: Sitting, item: Item, run: Run, line: int = 0, environ: Mapping[str, str] = os.environ) -> Edited:
    """Open the item's file at `line`, or at the item, and take up what was written. Raises CannotEdit, changing nothing."""
    path = Path(item.path)
    _may_write(path)
    editor = find_editor(environ)
    before = _bytes(path)
    try:
        code = run(at_line(editor, path, line or item.line))
    except OSError as error:
        said = _("The editor {name} cannot be started: {reason}; set VISUAL or EDITOR to one that is installed.")
        raise CannotEdit(said.format(name=editor[0], reason=error.strerror or error)) from error
    if _bytes(path) == before:
        told = _("The editor ended with code {code}; nothing was changed.").format(code=code)
        return Edited(told if code else _("Nothing was changed."))
    return _taken_up(sitting, item)


def _taken_up(sitting: Sitting, item: Item) -> Edited:
    """Go on over the decks as they are now, unless the edit brought an error."""
    desk = sitting.desk
    library = desk.read_library()
    error = _new_error(desk.library, library)
    if error is not None:
        where = f"{Path(error.path).parent.name}/{Path(error.path).name}:{error.line}"
        said = _("{where}: {message} Until it is mended the old text stays; opened again, it is there.")
        return Edited(said.format(where=where, message=error.message), error.line)
    sitting.reread(library)
    new = library.items.get(item.id)
    if new is None:
        return Edited(_("The item is no longer in its file and is not asked any more."))
    told = _("The new text is in use.")
    if Path(item.path).is_relative_to(resources("decks")):
        told = _("The new text is in use; this deck comes with the program, whose next version brings its own text.")
    card = desk.store.cards().get(item.id)
    changed = card is not None and card.rev != new.rev
    return Edited(told, revision=Revision(item.id, card.rev, new.rev, "keep") if card is not None and changed else None)


def _new_error(old: Library, new: Library) -> Problem | None:
    """Return the first error that was not there before; an edit moves lines, also those that a message names."""
    known = Counter(_without_lines(problem) for problem in old.problems)
    for problem in new.problems:
        said = _without_lines(problem)
        known[said] -= 1
        if known[said] < 0 and problem.severity == "error":
            return problem
    return None


def _without_lines(problem: Problem) -> tuple[str, str]:
    return problem.path, _NUMBER.sub("", problem.message)


def _may_write(path: Path) -> None:
    """Say why a file is not to be written, if it is not. Raises CannotEdit."""
    if os.access(path, os.W_OK):
        return
    if path.is_relative_to(resources("decks")):
        said = _(
            "The deck {deck} comes with the program and is read-only here; flag the item for its author, or begin "
            "one of your own with `tutor decks new`."
        )
        raise CannotEdit(said.format(deck=path.parent.name))
    raise CannotEdit(_("{path} cannot be written; check its permissions.").format(path=path))


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
