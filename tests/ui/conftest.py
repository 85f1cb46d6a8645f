"""Opens the real program over an empty home, at a size, and reads the screen as text."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
import pytest_asyncio

from tutor.lab.supervisor import Supervisor
from tutor.paths import resources
from tutor.study.desk import Desk, with_limits
from tutor.ui.app import TutorApp

Opener = Callable[..., AbstractAsyncContextManager[Any]]


def screen_text(app: TutorApp) -> str:
    """Return what the screen shows, line by line. The attribute is Textual's own; the pinned version protects it."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


@pytest.fixture
def opened(desk: Desk) -> Opener:
    """Return a context that runs the program and gives its pilot. Torch is loaded by the first run, or `ahead` as the program does."""

    @asynccontextmanager
    async def open_app(
        size: tuple[int, int] = (80, 24), item: str = "", *, ahead: bool = False, **app: Any
    ) -> AsyncIterator[Any]:
        if item:
            app["review"] = with_limits(desk.rules(), limit=None, new=None, item=item, decks=frozenset())
        tutor = TutorApp(desk, **app)
        if not ahead:
            tutor.warm_lab = lambda: None
        try:
            async with tutor.run_test(size=size) as pilot:
                await pilot.pause()
                yield pilot
        finally:
            await desk.lab.close()

    return open_app


class SharedLab(Supervisor):
    """A lab that outlives the program of one test, unless that leaves a run in it."""

    async def close(self) -> None:
        """End the worker only where it is busy."""
        if self._current is not None and not self._current.finished:
            await super().close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_lab() -> AsyncIterator[SharedLab]:
    """A lab whose worker loads torch once for the tests of a module; they run in one event loop."""
    lab = SharedLab(resources("experiments").parent)
    yield lab
    await Supervisor.close(lab)
