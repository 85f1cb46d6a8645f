"""A fit in a process of its own: progress, result, cancel, and nothing left behind."""

from __future__ import annotations

import asyncio
import os
import sqlite3

import pytest

from tests.support import FakeClock
from tutor.paths import Home
from tutor.study.desk import Desk
from tutor.study.fitting import STOPPED, FitJob
from tutor.study.verdict import fit_log


def gone(pid: int) -> bool:
    """Whether no process has this id."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


async def test_a_job_says_what_a_fit_says(home: Home, later: FakeClock) -> None:
    """Beside the open store: both stages are seen, the verdict is the one computed here, and nothing was written."""
    with Desk(home, later) as desk:
        job, through = FitJob(desk), desk.store.through()
        await job.start()
        seen = [progress async for progress in job]
        assert job.result == fit_log(desk.store)
        assert desk.store.through() == through
    assert {progress.stage for progress in seen} == {"check", "whole"}
    assert all(0 < progress.iteration <= progress.iterations for progress in seen)
    assert job.why == ""


async def test_cancelled_at_its_first_word_it_is_gone(home: Home, later: FakeClock) -> None:
    """No result, one sentence, no process."""
    with Desk(home, later) as desk:
        job = FitJob(desk)
        await job.start()
        assert job._process is not None
        pid = job._process.pid
        async for _ in job:
            await job.cancel()
            break
    assert (job.result, job.why) == (None, STOPPED)
    assert gone(pid)


async def test_cancelled_before_its_first_word_it_is_gone(desk: Desk) -> None:
    """Cancel does not wait for Python to start."""
    job = FitJob(desk)
    await job.start()
    await job.cancel()
    assert (job.result, job.why) == (None, STOPPED)
    assert [progress async for progress in job] == []


async def test_the_worker_ends_with_the_tutor(desk: Desk) -> None:
    """When the tutor's end of the pipe closes, the worker exits by itself."""
    job = FitJob(desk)
    await job.start()
    process = job._process
    assert process is not None and process.stdin is not None
    process.stdin.close()
    async with asyncio.timeout(30):
        await process.wait()
    assert gone(process.pid)


@pytest.mark.parametrize("damage", [True, False])
async def test_what_goes_wrong_is_a_sentence(home: Home, clock: FakeClock, damage: bool) -> None:
    """A home that cannot be read any more gives its sentence; an empty one the numbers."""
    with Desk(home, clock) as desk:
        job = FitJob(desk)
        if damage:
            sqlite3.connect(home.database).execute("PRAGMA user_version = 9999")
        await job.start()
        assert [progress async for progress in job] == []
    if damage:
        assert job.result is None
        assert "newer" in job.why
    else:
        assert job.result is not None
        assert job.result.reason == "no repeats"
