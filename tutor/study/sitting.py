"""A sitting in motion: carries out the session's effects against store and lab, for the screen and for line mode alike.

A front end sends moves and draws `session.phase`. When `send` returns, everything the move caused is in the log and committed, so a
verdict is painted after its answer is safe; once it is painted, `settle` lays it over cards and figures. While the phase is Running or Measuring, iterate `messages()`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from tutor.clock import Instant
from tutor.learning import effects, moves
from tutor.learning.cards import Card
from tutor.learning.records import Ref
from tutor.learning.session import begin, step
from tutor.learning.state import Notice, Session
from tutor.learning.world import Rules, World
from tutor.store import Unwritable
from tutor.study.desk import Desk, sitting_seed
from tutor.study.mock import readiness_by_concept, sealed_items
from tutor.study.revising import revise
from tutor.study.waiting import waiting

if TYPE_CHECKING:
    from tutor.content.model import Library
    from tutor.lab.messages import Message
    from tutor.lab.supervisor import Run


class Sitting:
    """One sitting: the session, the references of its answers in the log, and the run in motion."""

    def __init__(self, desk: Desk, rules: Rules, mode: str = "review", quiz: tuple[str, ...] = ()) -> None:
        self.desk = desk
        self._refs: dict[int, Ref] = {}
        self._run: Run | None = None
        self._id, self._seed = sitting_seed()
        self._mode, self._quiz = ("mock", sealed_items(desk, rules.mock)) if rules.mock else (mode, quiz)
        self._note_revisions()
        self._take_up(rules.first)
        self.session: Session = self._told(begin(self._world(rules), desk.now()))

    @property
    def rules(self) -> Rules:
        """The rules this sitting obeys."""
        return self.session.world.rules

    def send(self, move: moves.Event) -> None:
        """Make one move: step the session, and carry out and commit what it asks for before returning."""
        session, todo = step(self.session, move)
        self._write(todo, move.now)
        self.session = session
        for effect in todo:
            match effect:
                case effects.StartRun(experiment=experiment, params=params):
                    self._run = self.desk.lab.run(experiment, params)
                case effects.RetractEarlier():
                    self._retract_earlier(move.now)

    def settle(self) -> None:
        """Lay what was answered over cards and figures, and make room for what will be, while the learner reads. A disk that is full is
        said with the next answer."""
        with suppress(Unwritable):
            self.desk.store.settle()
            self.desk.store.make_room()

    async def messages(self) -> AsyncIterator[Message]:
        """Yield what the run in motion says; its end is sent to the session before the iteration ends."""
        run = self._run
        if run is None:
            return
        async for message in run:
            yield message
        if self._run is run:
            self._run = None
            self.send(moves.RunEnded(self.desk.now(), run.result))

    async def cancel(self) -> None:
        """Stop the run in motion, if any, and wait until its process is gone."""
        run, self._run = self._run, None
        if run is not None:
            await run.cancel()

    def reread(self, library: Library) -> None:
        """Go on over decks that were read again."""
        self.desk.take_up_library(library)
        self.send(moves.Reread(self.desk.now(), library))

    def revise(self, item: str, choice: str) -> None:
        """Decide over the history of a changed item: keep, halve or reset. Raises NothingToDecide."""
        revise(self.desk, item, choice)
        self.send(moves.Revised(self.desk.now(), item, self.desk.store.lookup().get(item)))

    def card(self, item: str) -> Card | None:
        """Return the card of `item` as it stands now."""
        return self.session.changed.get(item) or self.session.world.cards.get(item)

    def _world(self, rules: Rules) -> World:
        desk, now = self.desk, self.desk.now()
        past, day = desk.store.snapshot(), desk.day(now)
        history = past.history(day)
        open_to = waiting(past, desk.library, desk.available, rules, history, day, now.utc_us)
        return World(
            library=desk.library,
            catalogue=desk.available,
            rules=rules,
            parameters=desk.store.parameters(),
            history=history,
            cards=past.lookup(),
            waiting=open_to.cards,
            beyond=open_to.beyond,
            session=self._id,
            seed=self._seed,
            mode=self._mode,
            quiz=self._quiz,
            readiness=readiness_by_concept(desk) if rules.mock else {},
            newest=desk.store.newest(),
        )

    def _write(self, todo: tuple[effects.Effect, ...], now: Instant) -> None:
        day = self.desk.day(now)
        for effect in todo:
            match effect:
                case effects.Record(number=number, answered=answered):
                    payload = _values(answered) | {"cause": self._ref(answered.cause)}
                    self._refs[number] = self.desk.store.append("answered", payload, now, day)
                case effects.RecordOffer(offered=offered):
                    self.desk.store.append("offered", _values(offered) | {"miss": self._ref(offered.miss)}, now, day)
                case effects.RecordRun(ran=ran):
                    self.desk.store.append("ran", _values(ran) | {"miss": self._ref(ran.miss)}, now, day)
                case effects.Retract(number=number):
                    self.desk.store.undo(self._refs.pop(number), now, day)
                case effects.SetAside():
                    self.desk.store.append("suspended", _values(effect) | {"note": ""}, now, day)
                case effects.TakeUp(item=item):
                    self.desk.store.append("resumed", {"item": item, "note": ""}, now, day)
                case effects.WriteFlag(item=item, note=note):
                    self.desk.store.append("flagged", {"item": item, "note": note}, now, day)

    def _ref(self, ordinal: int | None) -> Any:
        return None if ordinal is None else self._refs.get(ordinal)

    def _retract_earlier(self, now: Instant) -> None:
        """Undo the last answer of the log and begin anew with its item."""
        last = self.desk.store.last_answer()
        if last is None or last.payload["role"] == "sealed":  # whose answer was seen: a second is no first sight
            return
        self.desk.store.undo(last.ref, now, self.desk.day(now))
        item = str(last.payload["item"])
        rules = replace(self.rules, first=item if item in self.desk.library.items else "")
        self._id, self._seed = sitting_seed()
        self._refs.clear()
        self._take_up(rules.first)
        self.session = begin(self._world(rules), now)

    def _take_up(self, item: str) -> None:
        """An item that was set aside and is now asked for by name is taken up again."""
        if item and item in self.desk.store.set_aside():
            now = self.desk.now()
            self.desk.store.append("resumed", {"item": item, "note": ""}, now, self.desk.day(now))

    def _told(self, session: Session) -> Session:
        """Add to what is said first that questions were changed."""
        if not self._revised:
            return session
        notice = Notice("revised", self._revised[0], count=len(self._revised))
        return replace(session, notices=(*session.notices, notice))

    def _note_revisions(self) -> None:
        """Where an item's meaning changed since it was last answered, write it down; its history is kept."""
        now, store, library = self.desk.now(), self.desk.store, self.desk.library
        cards = store.lookup()
        suspects = dict.fromkeys((*library.revised, *store.other_revisions()))
        changed = [
            ("revised", {"item": item.id, "old_rev": card.rev, "new_rev": item.rev, "choice": "keep"})
            for item in (library.items[id] for id in suspects if id in library.items)
            if item.scheduled and (card := cards.get(item.id)) and card.rev != item.rev
        ]
        if changed:
            store.append_many(changed, now, self.desk.day(now))
        self._revised = tuple(str(payload["item"]) for _, payload in changed)


def _values(record: Any) -> dict[str, Any]:
    """Return a record's fields by name. `asdict` would copy every value, which takes longer than to write the answer."""
    return {field.name: getattr(record, field.name) for field in fields(record)}
