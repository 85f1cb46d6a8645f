"""A first sitting that places a learner: about a dozen questions over the concept graph, each where it tells most.

A right answer speaks for what its concept builds on, a wrong one against what builds on it: evidence travels along the graph, `SHARE` of
it at each step, and bounded (`spread`), an approximation to exact inference that a sitting can afford. The next question is on the
concept whose answer leaves least doubt: the sum of p·(1 - p) over it and its surroundings, weighted by the same shares.

Measured by `python -m tests.bench.placement` on the shipped graph of 86 concepts, 400 simulated learners, twelve answers: log loss per
concept 0.662 with own answers alone, 0.664 with credit to prerequisites, 0.515 with doubt on what builds on a miss as well; of what is called
known 25.0, 28.2 and 13.8 % is not. So credit alone helps nothing, and it opens nothing: `queue.ready` asks for a concept's own answers.
The graph decides only which new items come first. Asking along the graph in order finds more of what is known (21.1 against 15.7 %) at a
higher log loss (0.574). Share and bound were chosen on such learners over a graph of 41 concepts, out of three pairs.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping

from tutor.content.model import Item, Library
from tutor.learning.mastery import Mastery

QUESTIONS = 12
SHARE = 0.7
"""Of a concept's evidence, what reaches the next concept of the graph."""
MOST = 1.5
"""Log-odds that all neighbours together can give or take: an unseen concept stays between 0.18 and 0.82 by hearsay."""


def spread(before: Mastery, library: Library, *, against: bool = True) -> Mastery:
    """Return the mastery with what the graph adds: for prerequisites of what is known, and `against` what builds on what is not."""
    up = {id: concept.requires for id, concept in library.concepts.items()}
    down = _turned(up)
    hearsay: dict[str, float] = defaultdict(float)
    for concept, weight in before.evidence.items():
        if weight > 0 or against:
            for other, share in _around(concept, up if weight > 0 else down):
                hearsay[other] += share * weight
    evidence = dict(before.evidence)
    for concept, weight in hearsay.items():
        evidence[concept] = evidence.get(concept, 0.0) + max(-MOST, min(MOST, weight))
    return Mastery(evidence, before.asked)


def next_probe(items: Iterable[Item], library: Library, mastery: Mastery) -> Item | None:
    """Return the item whose answer tells most, given `mastery` without hearsay; the earlier one of equals, None without items."""
    doubt = _doubts(library, spread(mastery, library))
    tested = mastery.evidence.keys()
    # A concept that was answered is asked again only when no other is left: its items are not independent witnesses.
    return max(items, key=lambda item: (item.concept not in tested, doubt.get(item.concept, 0.25)), default=None)


def _doubts(library: Library, mastery: Mastery) -> dict[str, float]:
    up = {id: concept.requires for id, concept in library.concepts.items()}
    down = _turned(up)

    def alone(concept: str) -> float:
        p = mastery.probability(concept)
        return p * (1 - p)

    return {
        concept: alone(concept)
        + sum(share * alone(other) for way in (up, down) for other, share in _around(concept, way))
        for concept in library.concepts
    }


def _turned(up: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    down: dict[str, list[str]] = defaultdict(list)
    for id, requires in up.items():
        for required in requires:
            down[required].append(id)
    return down


def _around(concept: str, way: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, float]]:
    """Yield what can be reached along `way`, nearest first, with the share of evidence that gets there."""
    waiting, seen = deque([(concept, 1.0)]), {concept}
    while waiting:
        at, share = waiting.popleft()
        for other in way.get(at, ()):
            if other not in seen:
                seen.add(other)
                waiting.append((other, share * SHARE))
                yield other, share * SHARE
