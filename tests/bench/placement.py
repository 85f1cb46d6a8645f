"""Whether a dozen questions place a learner, and whether hearsay along the concept graph helps: `python -m tests.bench.placement`.

Learners know a concept with their own probability if all that it builds on is known, and one in twenty times although it is not;
they slip one time in ten and guess one of four. Judged on all concepts of the shipped graph after twelve answers.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from math import log

from tests.support import choice
from tutor.content.load import load_library
from tutor.content.model import Item, Library, Option
from tutor.learning.mastery import KNOWN, Mastery, answer_evidence
from tutor.learning.placement import QUESTIONS, next_probe, spread
from tutor.learning.queue import concept_depths
from tutor.paths import resources

Pick = Callable[[list[Item], Library, Mastery], Item]
LEARNERS = 400


@dataclass(frozen=True, slots=True)
class Outcome:
    """Means over learners: log loss per concept (nats), share of what is known that is found, share of what is called known and is not."""

    loss: float
    found: float
    wrong: float


def informed(items: list[Item], library: Library, mastery: Mastery) -> Item:
    """The rule of placement."""
    item = next_probe(items, library, mastery)
    assert item is not None
    return item


def in_order(items: list[Item], library: Library, mastery: Mastery) -> Item:
    """The first along the graph."""
    depths = concept_depths(library)
    return min(items, key=lambda item: (item.concept in mastery.evidence, depths[item.concept]))


def truth(library: Library, luck: random.Random) -> set[str]:
    """Return what one learner knows."""
    able, known = luck.uniform(0.5, 0.97), set[str]()
    for concept in sorted(library.concepts, key=concept_depths(library).__getitem__):
        chance = able if set(library.concepts[concept].requires) <= known else 0.05
        if luck.random() < chance:
            known.add(concept)
    return known


def placed(library: Library, pick: Pick, seed: int, questions: int = QUESTIONS) -> tuple[Mastery, set[str]]:
    """Return what is believed of one learner after some questions, without hearsay, and the truth."""
    luck = random.Random(seed)
    known = truth(library, luck)
    options = tuple(Option(str(n), str(n)) for n in range(4))
    left = [choice(f"{concept}-1", concept, options=options) for concept in library.concepts]
    evidence: dict[str, float] = {}
    for _ in range(questions):
        item = pick(left, library, Mastery(evidence))
        left.remove(item)
        right = luck.random() < (0.9 if item.concept in known else 0.25)
        evidence[item.concept] = evidence.get(item.concept, 0.0) + answer_evidence(item, "+" if right else "-")
    return Mastery(evidence), known


def judge(library: Library, pick: Pick, add: Callable[[Mastery], Mastery], learners: int = LEARNERS) -> Outcome:
    """Return how well learners are placed by a way to pick questions and a way to use the graph."""
    loss, found, wrong, called, all_known = 0.0, 0, 0, 0, 0
    for seed in range(learners):
        own, known = placed(library, pick, seed)
        mastery = add(own)
        for concept in library.concepts:
            p = mastery.probability(concept)
            loss -= log(p if concept in known else 1 - p)
            if p >= KNOWN:
                called += 1
                found += concept in known
                wrong += concept not in known
        all_known += len(known)
    return Outcome(loss / learners / len(library.concepts), found / all_known, wrong / max(1, called))


def main() -> None:
    """Print the table."""
    library = load_library([resources("decks")], "en", {})
    ways: dict[str, Callable[[Mastery], Mastery]] = {
        "own answers alone": lambda mastery: mastery,
        "and credit to prerequisites": lambda mastery: spread(mastery, library, against=False),
        "and doubt on what builds on them": lambda mastery: spread(mastery, library),
    }
    print(f"{len(library.concepts)} concepts, {QUESTIONS} questions, {LEARNERS} learners")
    print(f"{'questions':<10} {'use of the graph':<34} {'log loss':>8} {'found':>6} {'wrong':>6}")
    for asked, pick in (("in order", in_order), ("informed", informed)):
        for name, add in ways.items():
            out = judge(library, pick, add)
            print(f"{asked:<10} {name:<34} {out.loss:>8.3f} {out.found:>6.1%} {out.wrong:>6.1%}")


if __name__ == "__main__":
    main()
