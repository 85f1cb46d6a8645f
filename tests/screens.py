"""Draws the pictures in docs/ from the real program: `python -m tests.screens docs`."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from pathlib import Path

from tests.support import FakeClock
from tutor.learning import moves
from tutor.learning.state import Asking, Compared, Finished, Observing
from tutor.paths import Home
from tutor.study.desk import Desk, with_limits
from tutor.study.sitting import Sitting
from tutor.ui.app import TutorApp

DROPOUT = "rng-7f3k"


def practise(desk: Desk, clock: FakeClock, days: int = 10) -> None:
    """Fill a home with days of a learner who knows about four answers in five."""
    for day in range(days):
        sitting = Sitting(desk, with_limits(desk.rules(), limit=None, new=None, item="", decks=frozenset()))
        number = 0
        while not isinstance(sitting.session.phase, Finished) and number < 40:
            phase = sitting.session.phase
            clock.pass_seconds(12)
            if isinstance(phase, Asking):
                number += 1
                item, drawn = phase.question.item, phase.question.drawn
                wrong = next((o.key for o in item.options if o.myth), None)
                if item.kind == "choice" and wrong and (day + number) % 6 == 0:
                    sitting.send(moves.Answer(desk.now(), choice=(wrong,)))
                elif item.kind == "predict" or (day + number) % 7 == 0:
                    sitting.send(moves.DontKnow(desk.now()))
                elif item.kind == "numeric":
                    answer = drawn.answer if drawn else 0.0
                    sitting.send(moves.Answer(desk.now(), raw=str(answer), value=answer))
                elif item.kind == "cloze":
                    sitting.send(moves.Answer(desk.now(), raw="; ".join(item.answer)))
                else:
                    sitting.send(moves.Answer(desk.now(), choice=item.answer))
            else:
                sitting.send(moves.Skip(desk.now()))
        clock.pass_days(1)


async def today_picture(desk: Desk, folder: Path) -> None:
    """Today, as a learner of ten days sees it."""
    app = TutorApp(desk)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        save(app, folder / "today.svg")


async def question_pictures(desk: Desk, folder: Path) -> None:
    """The dropout question, and the run that a miss leads to."""
    app = TutorApp(desk, review=with_limits(desk.rules(), limit=None, new=None, item=DROPOUT, decks=frozenset()))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        save(app, folder / "question.svg")
        sitting = app.screen.sitting  # type: ignore[attr-defined]
        place = sitting.session.phase.question.order.index("shape") + 1
        await pilot.press(str(place), "3")
        await until(pilot, sitting, Observing)
        await pilot.press("3")
        await until(pilot, sitting, Compared)
        save(app, folder / "run.svg")
    await desk.lab.close()


async def until(pilot: object, sitting: Sitting, kind: type) -> None:
    """Wait for a phase."""
    for _ in range(600):
        if isinstance(sitting.session.phase, kind):
            break
        await pilot.pause(0.05)  # type: ignore[attr-defined]
    await pilot.pause(0.2)  # type: ignore[attr-defined]


def save(app: TutorApp, path: Path) -> None:
    """Write what the screen shows as SVG; fonts from elsewhere are left out, so that the picture loads nothing."""
    drawn = re.sub(r"@font-face \{.*?\}|<!--.*?-->", "", app.export_screenshot(title="tutor"), flags=re.DOTALL)
    path.write_text(drawn, encoding="utf-8")
    print(path)


async def draw(folder: Path) -> None:
    """Draw every picture over homes made for it."""
    os.environ["TUTOR_SEED"] = "3"
    with tempfile.TemporaryDirectory() as place:
        clock = FakeClock()
        with Desk(Home(Path(place) / "learner"), clock) as desk:
            practise(desk, clock)
            await today_picture(desk, folder)
        with Desk(Home(Path(place) / "fresh"), clock) as desk:
            await question_pictures(desk, folder)


if __name__ == "__main__":
    asyncio.run(draw(Path(sys.argv[1])))
