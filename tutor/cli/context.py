"""What every command shares: the common options, the desk, and errors said in one sentence."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, ParamSpec, TypeVar

import click

from tutor.clock import Clock, ClockError, SystemClock
from tutor.config import ConfigError, load_config
from tutor.i18n import LANGUAGES, _, choose_language, speak
from tutor.paths import Home
from tutor.store import StoreError
from tutor.study.desk import Desk, Wishes

OK, NOT_IN_ORDER, USAGE, CRASHED, CANNOT = 0, 1, 2, 3, 4

P = ParamSpec("P")
T = TypeVar("T")


class Common:
    """The options that may stand before or after the subcommand."""

    def __init__(self, home: Path | None = None, lang: str | None = None, as_json: bool = False) -> None:
        self.home, self.lang, self.json = home, lang, as_json

    def clock(self) -> Clock:
        """Return the clock, at `TUTOR_NOW` where that is set."""
        return SystemClock()

    def language(self) -> str:
        """Return the language of the decks: the flag, the settings, the system's locale. Raises ConfigError."""
        return choose_language(self.lang, load_config(Home.find(self.home).config).lang)

    def speak(self) -> None:
        """Let the interface speak it, and English where a program reads. Settings that cannot be read are told where they are needed."""
        try:
            lang = self.language()
        except ConfigError:
            lang = choose_language(self.lang, "")
        speak("en" if self.json else lang)

    @contextmanager
    def desk(self, *, read_only: bool = False, wishes: Wishes | None = None) -> Iterator[Desk]:
        """Open the desk for one command."""
        wish = wishes or Wishes()
        with Desk(
            Home.find(self.home), self.clock(), Wishes(self.lang, wish.memory_mb, wish.timeout_s), read_only=read_only
        ) as desk:
            self.speak()
            yield desk


def common(command: Callable[P, T]) -> Callable[P, T]:
    """Add the common options to a command; what stands after it beats what stands before."""

    @click.option(
        "--home", type=click.Path(path_type=Path, file_okay=False), help="Folder of your data (or TUTOR_HOME)."
    )
    @click.option("--lang", type=click.Choice(LANGUAGES), help="Language of the decks and of the tutor.")
    @click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
    @functools.wraps(command)
    def wrapped(*args: Any, home: Path | None, lang: str | None, as_json: bool, **kwargs: Any) -> Any:
        shared = click.get_current_context().ensure_object(Common)
        shared.home = home or shared.home
        shared.lang = lang or shared.lang
        shared.json = as_json or shared.json
        shared.speak()
        with spoken_errors():
            return command(shared, *args, **kwargs)  # type: ignore[arg-type]

    return wrapped  # type: ignore[return-value]


@contextmanager
def spoken_errors() -> Iterator[None]:
    """Turn what a user can cause into one sentence and an exit code."""
    try:
        yield
    except (StoreError, ConfigError, ClockError) as error:
        fail(str(error), USAGE)
    except BrokenPipeError:
        sys.stderr.close()
        raise SystemExit(OK) from None
    except OSError as error:
        fail(f"{error.filename or _('A file')}: {error.strerror or error}.", USAGE)


def fail(sentence: str, code: int) -> NoReturn:
    """Say one sentence on stderr and end with `code`."""
    click.echo(f"tutor: {sentence}", err=True)
    raise SystemExit(code)


def print_json(document: Any) -> None:
    """Print one JSON document on stdout."""
    click.echo(json.dumps(document, ensure_ascii=False, indent=2))
