"""How a run can end, and the one sentence a learner reads about each ending but the good ones."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass

from tutor.visible import visible

NO_TORCH = "This experiment needs torch, which is not installed here; install it with `pip install torch`."
REFUSED = 2
"""Exit code of a run whose parameters the experiment refused; its last line on stderr is the sentence."""
_MEMORY = re.compile(
    r"\bMemoryError|can't allocate memory|OutOfMemoryError|out of memory|bad_alloc|Cannot allocate memory"
)
_LONGEST = 240


@dataclass(frozen=True, slots=True)
class Ending:
    """A word of `RunResult.ending` with its sentence."""

    word: str
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Exit:
    """How the process of a run ended: its exit code or the signal that ended it, and the last it said on stderr."""

    code: int = 0
    signal: int = 0
    stderr: str = ""

    @property
    def last_line(self) -> str:
        """The last line on stderr, safe to print, at most 240 characters."""
        lines = [line.strip() for line in self.stderr.splitlines() if line.strip()]
        line = visible(lines[-1]) if lines else ""
        return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


CANCELLED = Ending("cancelled", "The run was stopped.")


def ending_of(exit: Exit, passed: bool | None) -> Ending:
    """Return the ending of a run that ended by itself; `passed` is what its `done` said, None where it said nothing."""
    if exit.code == 0 and exit.signal == 0 and passed is not None:
        return Ending("passed") if passed else Ending("failed", "At least one claim was not shown on this machine.")
    if _MEMORY.search(exit.last_line) or (exit.signal == signal.SIGABRT and _MEMORY.search(exit.stderr)):
        return Ending("memory", f"The run reached its memory limit: {_full_stop(exit.last_line)}")
    if exit.signal:
        return Ending("killed", _killed(exit.signal))
    if exit.code == REFUSED:
        return Ending("refused", _full_stop(exit.last_line) or "The experiment refused these parameters.")
    if exit.code:
        reason = exit.last_line or f"exit code {exit.code}"
        return Ending("crashed", f"The experiment stopped with an error: {_full_stop(reason)}")
    return Ending("crashed", "The experiment ended before it was done.")


def timeout(seconds: float) -> Ending:
    """Return the ending of a run that took too long."""
    return Ending("timeout", f"The run took longer than its {seconds:g} s and was stopped.")


def flooded(limit: int) -> Ending:
    """Return the ending of a run that printed more than `limit` bytes."""
    return Ending("flooded", f"The run printed more than {limit / 1e6:g} MB and was stopped.")


def no_worker(exit: Exit) -> Ending:
    """Return the ending of a run whose process ended before torch was ready."""
    reason = exit.last_line or (_name(exit.signal) if exit.signal else f"exit code {exit.code}")
    return Ending("crashed", f"The process for experiments did not start: {_full_stop(reason)}")


def no_torch(reason: str) -> Ending:
    """Return the ending where torch is missing, or is there and cannot be loaded for the `reason` given."""
    if not reason or "No module named 'torch'" in reason:
        return Ending("unavailable", NO_TORCH)
    why = visible(reason)[:_LONGEST]
    return Ending("unavailable", f"torch cannot be loaded ({why}); install it again with `pip install torch`.")


def _killed(number: int) -> str:
    if number == signal.SIGKILL:
        return "The system ended the run (SIGKILL), most likely because memory ran out."
    return f"The run was ended by the signal {_name(number)}."


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _full_stop(text: str) -> str:
    return text if not text or text[-1] in ".!?…" else f"{text}."
