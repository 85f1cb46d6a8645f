"""The desk: settings, library, catalogue, store and lab, opened once and handed to whatever the learner does."""

from __future__ import annotations

import os
import secrets
from dataclasses import replace
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING

from tutor.clock import Clock, Instant
from tutor.config import Config, load_config
from tutor.content.experiments import Catalogue
from tutor.content.kept import Kept
from tutor.content.load import load_library
from tutor.content.model import Library, Problem
from tutor.frozen import dataclass
from tutor.i18n import choose_language, speak
from tutor.lab.catalogue import in_language, load_catalogue, why_not
from tutor.learning.parameters import default_parameters
from tutor.learning.studyday import steady_day, study_day
from tutor.learning.world import Rules
from tutor.paths import Home, resources
from tutor.store import Store, open_store

if TYPE_CHECKING:
    from tutor.lab.supervisor import Supervisor


@dataclass(frozen=True)
class Wishes:
    """What a command line may ask for, over the settings."""

    lang: str | None = None
    memory_mb: int | None = None
    timeout_s: float | None = None


class Desk:
    """Owns what must be closed again: the store and the lab's processes. A context manager."""

    def __init__(self, home: Home, clock: Clock, wishes: Wishes | None = None, *, read_only: bool = False) -> None:
        self.home = home
        self.clock = clock
        self._read_only = read_only
        self._wishes = wishes = wishes or Wishes()
        self.config: Config = load_config(home.config)
        self.lang = choose_language(wishes.lang, self.config.lang)
        speak(self.lang)
        self.store: Store = open_store(home, clock, read_only=read_only)
        self._unsaved: dict[str, Kept] = {}
        self.experiments: Catalogue
        kept = self._kept("experiments")
        self.experiments, self._lab_problems = load_catalogue(resources("experiments"), kept=kept)
        self.catalogue = in_language(self.experiments, self.lang)
        if not read_only:
            self._note_settings()

    def __enter__(self) -> Desk:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.keep()
        self.store.close()

    @cached_property
    def lab(self) -> Supervisor:
        """What runs the experiments; loaded after the first question is painted, and no process started yet."""
        from tutor.lab.supervisor import Supervisor

        wishes = self._wishes
        return Supervisor(resources("experiments").parent, memory_mb=wishes.memory_mb, timeout_s=wishes.timeout_s)

    @cached_property
    def library(self) -> Library:
        """All decks in the learner's language."""
        return self.read_library()

    def read_library(self) -> Library:
        """Read the decks as they are now; what the desk holds stays until it is taken up."""
        kept = self._kept(f"decks.{self.lang}")
        return load_library([resources("decks"), self.home.decks], self.lang, self.experiments, kept)

    def keep(self) -> None:
        """Write down what was read from decks and experiments, for the next start; nobody's first question waits for it."""
        for name in list(self._unsaved):
            self._unsaved.pop(name).save()

    def _kept(self, name: str) -> Kept:
        if name in self._unsaved:  # read before, and now read again
            self._unsaved[name].save()
        self._unsaved[name] = Kept(self.home.cache / f"{name}.json", read_only=self._read_only)
        return self._unsaved[name]

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What authors should mend, in decks and experiments."""
        return (*self.library.problems, *self._lab_problems)

    @cached_property
    def available(self) -> Catalogue:
        """The experiments that can run here; empty where the learner wants none."""
        if self.config.lab == "off":
            return {}
        here = {id: experiment for id, experiment in self.experiments.items() if not why_not(experiment)}
        return in_language(here, self.lang)

    def now(self) -> Instant:
        """Read the clock."""
        return self.clock.now()

    def day(self, now: Instant | None = None) -> str:
        """Return the study day as an ISO date; it never goes back (`studyday.steady_day`)."""
        newest = self.store.newest()
        own = study_day(now or self.now(), self.config.rollover).isoformat()
        return steady_day(own, newest[1] if newest else "")

    def rules(self) -> Rules:
        """Return the settings the session obeys."""
        config = self.config
        date = config.interview
        changes = [one for one in self.store.of_kind("setting") if one.payload["key"] == "interview"] if date else []
        return Rules(
            interview=date,
            interview_set=changes[-1].study_day if changes else "",
            retention=config.retention,
            rollover=config.rollover,
            new_per_day=config.new_per_day,
            reviews_per_day=config.reviews_per_day,
            confidence=config.confidence,
            lab=config.lab,
            runs_per_sitting=config.runs_per_sitting,
            recall_first=config.recall_first,
        )

    def take_up_library(self, library: Library) -> None:
        """Hold a library that was read."""
        self.__dict__["library"] = library

    def reload_library(self) -> None:
        """Read the decks again, after an edit."""
        self.__dict__.pop("library", None)

    def take_up_settings(self) -> None:
        """Read the settings again and obey them from now on. Raises ConfigError, changing nothing."""
        self.config = load_config(self.home.config)
        lang = choose_language(self._wishes.lang, self.config.lang)
        if lang != self.lang:
            self.lang = lang
            speak(lang)
            self.catalogue = in_language(self.experiments, lang)
            self.reload_library()
        self.__dict__.pop("available", None)
        self._note_settings()

    def _note_settings(self) -> None:
        """Write what the model uses where it differs from what the log says: the wish is in the file, the use is an event."""
        recorded = self.store.settings()
        wished = {
            "retention": self.config.retention,
            "new_per_day": self.config.new_per_day,
            "reviews_per_day": self.config.reviews_per_day,
            "rollover": self.config.rollover,
            "interview": self.config.interview,
            "lab": self.config.lab,
            "confidence": self.config.confidence,
            "recall_first": self.config.recall_first,
            "runs_per_sitting": self.config.runs_per_sitting,
        }
        changes = [
            ("setting", {"key": key, "old": recorded.get(key), "new": value})
            for key, value in wished.items()
            if recorded.get(key) != value
        ]
        now = self.now()
        if not self.store.has_parameters():
            changes.append(("parameters", _first_parameters()))
        if changes:
            self.store.append_many(changes, now, self.day(now))


def sitting_seed(environ: dict[str, str] | None = None) -> tuple[str, int]:
    """Return a sitting's id and seed; `TUTOR_SEED` fixes what is drawn."""
    wish = (os.environ if environ is None else environ).get("TUTOR_SEED")
    id = secrets.token_hex(6)
    return id, int(wish) if wish and wish.lstrip("-").isdecimal() else secrets.randbits(31)


def with_limits(rules: Rules, *, limit: int | None, new: int | None, item: str, decks: frozenset[str]) -> Rules:
    """Return the rules narrowed by the command line."""
    return replace(rules, limit=limit, new_per_day=rules.new_per_day if new is None else new, first=item, decks=decks)


def _first_parameters() -> dict[str, object]:
    parameters = default_parameters()
    return {
        "id": parameters.id,
        "weights": list(parameters.weights),
        "threshold": parameters.threshold_days,
        "step_version": parameters.step_version,
        "n": 0,
        "loss": None,
        "gate": "library default",
        "through": {},
    }
