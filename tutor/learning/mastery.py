"""How likely each concept is known: Bayes' rule over the latest answers to its items.

Only what came since the last change of luck counts, since answers teach: of `+-+` the last right one, of `-++` the last two. A right
answer is (1 - SLIP)/g times as likely with knowledge as without, g being the chance to be right by guessing, a wrong one
SLIP/(1 - g) times: the observation model of knowledge tracing (Corbett and Anderson, UMUAI 4, 1995). Forgetting is the cards' matter and has
no place here: a prerequisite that fades is due by itself.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from itertools import takewhile
from math import exp, log

from tutor.content.model import Item, Library
from tutor.frozen import dataclass
from tutor.learning.cards import Card
from tutor.learning.chances import chance
from tutor.learning.guessing import PRIOR
from tutor.learning.records import Outcome

SLIP = 0.1
"""Probability of a wrong answer in spite of knowledge."""
TYPED_CHANCE = 0.02
"""Least chance taken: to type the right number, or to hit the right order, without knowledge."""
KNOWN = 0.7
"""Probability from which a concept counts as likely known: one right answer of four options gives 0.78, of two 0.64."""
BETS_MOST = 0.8
"""Log-odds that bets can add or take; 0.85 would make an unseen concept known."""
_CERTAIN = 4.0
"""Log-odds beyond which further answers change nothing."""


@dataclass(frozen=True, slots=True)
class Mastery:
    """What the answers say of each concept, and which concepts can be asked about at all."""

    evidence: Mapping[str, float] = field(default_factory=dict)
    """Log-likelihood ratio of known against unknown, by concept."""
    asked: frozenset[str] = frozenset()
    """Concepts with an item that may come up by itself; nothing waits for any other."""

    def probability(self, concept: str) -> float:
        """Return the probability that `concept` is known."""
        odds = log(PRIOR / (1 - PRIOR)) + self.evidence.get(concept, 0.0)
        return 1 / (1 + exp(-max(-_CERTAIN, min(_CERTAIN, odds))))

    def known(self) -> frozenset[str]:
        """Return the concepts that are likely known."""
        return frozenset(concept for concept in self.evidence if self.probability(concept) >= KNOWN)


def guess_chance(item: Item) -> float:
    """Return the chance to be right without knowledge, which is never quite none."""
    return max(chance(item.kind, len(item.options)), TYPED_CHANCE)


def answer_evidence(item: Item, recent: str) -> float:
    """Return the log-likelihood ratio of an item's latest outcomes (`+` right, `-` wrong, latest last)."""
    return outcome_evidence(guess_chance(item), recent)


def outcome_evidence(lucky: float, recent: str) -> float:
    """Return the log-likelihood ratio of outcomes, latest last, where a right answer without knowledge has the chance `lucky`."""
    lucky = max(lucky, TYPED_CHANCE)
    run = len(list(takewhile(lambda mark: mark == recent[-1], reversed(recent))))
    once = log((1 - SLIP) / lucky) if recent.endswith("+") else log(SLIP / (1 - lucky))
    return run * once


def mastery_of(outcomes: Iterable[Outcome], asked: frozenset[str] = frozenset()) -> Mastery:
    """Return where a learner stands who answered so; `asked` are the concepts that can be asked about."""
    evidence: dict[str, float] = defaultdict(float)
    for outcome in outcomes:
        evidence[outcome.concept] += outcome.cards * outcome_evidence(outcome.chance, outcome.recent)
    return Mastery(dict(evidence), asked)


def with_bets(before: Mastery, bets: Iterable[tuple[str, bool]]) -> Mastery:
    """Return the mastery with settled bets, (concept, right), counted as evidence on concepts; no card is moved by any.

    A bet is right with probability 0.7 where the concept is known and 0.4 where it is not. All bets on a concept together give or take
    `BETS_MOST` at most, so that they alone never make it known.
    """
    said: dict[str, float] = defaultdict(float)
    for concept, right in bets:
        said[concept] += log(0.7 / 0.4) if right else log(0.3 / 0.6)
    evidence = dict(before.evidence)
    for concept, weight in said.items():
        evidence[concept] = evidence.get(concept, 0.0) + max(-BETS_MOST, min(BETS_MOST, weight))
    return Mastery(evidence, before.asked)


def moved(before: Mastery, changes: Iterable[tuple[Item, Card | None, Card]]) -> Mastery:
    """Return the mastery after some cards changed; each change is (item, card before or None, card after)."""
    evidence = dict(before.evidence)
    for item, old, new in changes:
        gone = answer_evidence(item, old.recent) if old else 0.0
        evidence[item.concept] = evidence.get(item.concept, 0.0) + answer_evidence(item, new.recent) - gone
    return Mastery(evidence, before.asked)


def prerequisites(concept: str, library: Library) -> Iterator[str]:
    """Yield what `concept` builds on, the nearest first, each once."""
    waiting, seen = deque([concept]), {concept}
    while waiting:
        at = library.concepts.get(waiting.popleft())
        for required in at.requires if at else ():
            if required not in seen:
                seen.add(required)
                waiting.append(required)
                yield required
