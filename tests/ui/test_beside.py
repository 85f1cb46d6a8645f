"""Work beside the screen: its result and its errors arrive, and the program ends without it."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from tutor.ui.beside import beside


async def test_the_result_comes_from_another_thread() -> None:
    """The loop goes on meanwhile."""
    here, turns = threading.get_ident(), 0

    def work() -> int:
        time.sleep(0.05)
        return threading.get_ident()

    task = asyncio.ensure_future(beside(work))
    while not task.done():
        await asyncio.sleep(0.005)
        turns += 1
    assert task.result() != here and turns > 2


async def test_an_error_is_raised_where_the_result_is_awaited() -> None:
    """As if it had been called here."""
    with pytest.raises(ZeroDivisionError):
        await beside(lambda: 1 / 0)


async def test_nobody_need_wait_for_it() -> None:
    """Cancelled, its result is dropped when it comes."""
    come = threading.Event()
    task = asyncio.ensure_future(beside(lambda: come.wait(5)))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    come.set()
    await asyncio.sleep(0.05)


def test_the_loop_ends_without_it() -> None:
    """Where it is still at work the program does not wait, and what comes later is dropped in silence."""
    come = threading.Event()

    async def begin() -> None:
        task = asyncio.ensure_future(beside(lambda: come.wait(5)))
        await asyncio.sleep(0.01)
        assert not task.done()

    started = time.monotonic()
    asyncio.run(begin())
    assert time.monotonic() - started < 3
    come.set()
