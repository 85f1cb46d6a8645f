"""Where things lie: the learner's folder, and the decks and experiments that come with the program."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from tutor.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Home:
    """The learner's folder."""

    folder: Path

    @classmethod
    def find(cls, asked: Path | None = None, environ: Mapping[str, str] = os.environ) -> Home:
        """Return the folder asked for, else `TUTOR_HOME`, else the platform's data folder."""
        if asked is not None:
            return cls(asked.expanduser().resolve())
        if environ.get("TUTOR_HOME"):
            return cls(Path(environ["TUTOR_HOME"]).expanduser().resolve())
        from platformdirs import user_data_dir  # 24 ms, needed only here

        return cls(Path(user_data_dir("tutor", appauthor=False)))

    @property
    def database(self) -> Path:
        """The one file that holds everything learnt."""
        return self.folder / "tutor.db"

    @property
    def lock(self) -> Path:
        """Held by the one process that may write."""
        return self.folder / "tutor.lock"

    @property
    def device(self) -> Path:
        """The id of this device, beside the database and never in it."""
        return self.folder / "device"

    @property
    def backups(self) -> Path:
        """The folder of verified copies."""
        return self.folder / "backups"

    @property
    def decks(self) -> Path:
        """The learner's own decks, read after those that come with the program."""
        return self.folder / "decks"

    @property
    def cache(self) -> Path:
        """The folder of what can be made anew at any time."""
        return self.folder / "cache"

    @property
    def config(self) -> Path:
        """The learner's wishes."""
        return self.folder / "config.toml"


def resources(name: str) -> Path:
    """Return the folder `decks` or `experiments`: inside the installed package, else at the top of the checkout."""
    package = Path(__file__).resolve().parent
    bundled = package / "_bundled" / name
    return bundled if bundled.is_dir() else package.parent / name
