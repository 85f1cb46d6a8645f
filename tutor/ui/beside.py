"""Long computations beside the screen, which nobody waits for on the way out."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


async def beside(work: Callable[[], Result]) -> Result:
    """Return what `work` returns, computed on a thread of its own; errors are raised here.

    `asyncio.to_thread` would keep the program from ending until the work is done; this thread ends with the program.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()

    def hand_over(result: Result | None, error: Exception | None) -> None:
        if done.done():  # nobody waits any more
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except Exception as raised:  # raised again where the result is awaited
            error = raised
        with contextlib.suppress(RuntimeError):  # the loop is closed once the program ends
            loop.call_soon_threadsafe(hand_over, result, error)

    threading.Thread(target=run, daemon=True).start()
    return await done
