"""Fitting the memory model as the learner meets it: in a process of its own, taken into use by an event, taken back by another.

The set in use is the newest `parameters` event that was not undone; the store replays every card with it, and the due days that
were shown stand.

    job = FitJob(desk)
    await job.start()
    async for progress in job:
        ...
    verdict = job.result          # None where it was cancelled or failed: job.why says which
    if verdict and verdict.better:
        adopt(desk, verdict)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tutor.i18n import marked
from tutor.study.desk import Desk
from tutor.study.jobs import Job
from tutor.study.verdict import Verdict, from_document

GATE = "last fifth by time"
STOPPED = marked("The fit was stopped; the parameters are as they were.")
ENDED = marked("The fit ended before it was done; the parameters are as they were. `tutor fit` shows why.")


class FitJob(Job[Verdict]):
    """One fit of the desk's log; `adopt` takes the result into use."""

    task, stopped, ended = "fit", STOPPED, ENDED

    def read(self, message: Mapping[str, Any]) -> Verdict:
        """Return the verdict."""
        return from_document(message)


@dataclass(frozen=True)
class TakenBack:
    """The set that was undone and the one in force again."""

    undone: str
    present: str


def adopt(desk: Desk, verdict: Verdict) -> bool:
    """Take a better set into use by an event, after a verified backup; return whether there was one to take."""
    if not verdict.better:
        return False
    desk.store.backup()
    now = desk.now()
    desk.store.append("parameters", _payload(verdict), now, desk.day(now))
    return True


def take_back(desk: Desk) -> TakenBack | None:
    """Undo the fit in use, by an event; the set before it is in force again. None where the library's defaults are in use."""
    newest = desk.store.of_kind("parameters")[-1:]
    if not newest or not newest[0].payload["n"]:
        return None
    now = desk.now()
    desk.store.undo(newest[0].ref, now, desk.day(now))
    return TakenBack(str(newest[0].payload["id"]), desk.store.parameters().id)


def _payload(verdict: Verdict) -> dict[str, Any]:
    return {
        "id": verdict.id,
        "weights": list(verdict.weights),
        "threshold": verdict.threshold,
        "step_version": verdict.step_version,
        "n": verdict.scored,
        "loss": {
            "before": verdict.before,
            "after": verdict.after,
            "difference": verdict.difference,
            "held_out": verdict.held_out,
        },
        "gate": GATE,
        "through": dict(verdict.through),
    }
