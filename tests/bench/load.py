"""The daily load, simulated: a learner who misses a third at first sight and then recalls as the model says, over sixty days."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from tests.support import PASSED, FakeClock, choice, library, world
from tutor.learning import moves
from tutor.learning.cards import elapsed_days
from tutor.learning.effects import Record
from tutor.learning.memory import retrievability
from tutor.learning.records import History
from tutor.learning.session import begin, step
from tutor.learning.state import Asking, AskingSureness, Betting, Finished, Observing, Running
from tutor.learning.world import Rules

FIRST_SIGHT_MISS = 0.35
CONCEPTS = 40


def simulate(transfers: bool, days: int = 60, new: int = 6, seed: int = 1) -> dict[str, Any]:
    """Return answers a day, and keys per right answer and per miss, of one simulated learner."""
    chance, clock = random.Random(seed), FakeClock()
    items = [choice(f"i-{n}", f"k{n % CONCEPTS}") for n in range(500)]
    if transfers:
        items += [choice(f"t-{n}", f"k{n % CONCEPTS}", transfer_of=f"i-{n}") for n in range(500)]
    shelf = replace(library(*items), concepts={})
    rules = Rules(new_per_day=new, lab="auto")
    cards: dict[str, Any] = {}
    seen: set[str] = set()
    per_day, right_keys, rights, miss_keys, misses = [], 0, 0, 0, 0
    for day in range(days):
        load: dict[str, int] = {}
        for card in cards.values():
            load[card.due] = load.get(card.due, 0) + 1
        place = world(
            rules=rules,
            history=History(seen=frozenset(seen), load=load),
            cards=dict(cards),
            library=shelf,
            session=f"s{day}",
            seed=seed,
        )
        session, answered, was_right, keys = begin(place, clock.now()), 0, True, 0
        while not isinstance(session.phase, Finished):
            clock.pass_seconds(6)
            now, phase = clock.now(), session.phase
            move: Any
            if isinstance(phase, Asking):
                if answered:
                    right_keys, rights = right_keys + keys * was_right, rights + was_right
                    miss_keys, misses = miss_keys + keys * (not was_right), misses + (not was_right)
                keys = 0
                card = cards.get(phase.question.item.id)
                known = (
                    1 - FIRST_SIGHT_MISS
                    if card is None
                    else retrievability(elapsed_days(card, now.utc_us), card.memory.stability, place.parameters)
                )
                was_right = chance.random() < known
                move = moves.Answer(
                    now, choice=("good",) if was_right else ("odd" if chance.random() < 0.7 else "bad",)
                )
                seen.add(phase.question.item.id)
            elif isinstance(phase, AskingSureness):
                move = moves.Mark(now, "sure")
            elif isinstance(phase, Betting):
                move = moves.LayBet(now, "no" if phase.offer.flip else "yes")
            elif isinstance(phase, Running):
                move = moves.RunEnded(now, PASSED)
            elif isinstance(phase, Observing):
                move = moves.Observed(now, "yes")
            else:
                move = moves.Continue(now)
            keys += not isinstance(move, moves.RunEnded)
            session, effects = step(session, move)
            answered += sum(isinstance(effect, Record) for effect in effects)
        cards |= session.changed
        per_day.append(answered)
        clock.pass_days(1 - (clock.utc_us - 1_796_025_600_000_000) % 86_400_000_000 / 86_400_000_000)
    return {
        "day30": sum(per_day[25:30]) / 5,
        "day60": sum(per_day[55:60]) / 5,
        "keys_right": right_keys / rights,
        "keys_miss": miss_keys / misses,
    }
