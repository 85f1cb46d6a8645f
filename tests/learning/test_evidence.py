"""From a verdict to evidence: wrong never passes, and Easy must be earned."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.learning.making import DEFAULTS, TODAY, card, cards
from tests.support import MONDAY, choice
from tutor.content.families import Drawn
from tutor.content.model import Option
from tutor.learning.cards import Card, advance
from tutor.learning.course import Answers, by_knowledge
from tutor.learning.evidence import SELF_GRADED, Weighed, weigh
from tutor.learning.grading import Given, Grade, grade
from tutor.learning.memory import Evidence, step
from tutor.learning.schedule import plan
from tutor.learning.state import SURENESS

RIGHT = Grade(True, ("good",))
SAID = Given(("good",))
MULTI = choice("m-1", "a", kind="multi", answer=("a", "b"), options=tuple(Option(key, key) for key in "abcd"))
NUMERIC = choice("n-1", "a", kind="numeric", options=(), answer=(), family="f", unit="GB", tolerance=0.05)
surenesses = st.none() | st.sampled_from(SURENESS)
times = st.integers(0, 10_000_000)
medians = st.none() | st.floats(0, 10_000_000)


@st.composite
def wrong_answers(draw: st.DrawFn) -> tuple[Grade, Given]:
    """Return a graded answer that is not right: none at all, a part of the key, more than it, a number beside it."""
    item, said, drawn = draw(
        st.one_of(
            st.tuples(
                st.just(choice("a-1", "a")), st.sampled_from([Given(), Given(("bad",)), Given(("odd",))]), st.none()
            ),
            st.tuples(
                st.just(MULTI),
                st.sets(st.sampled_from("abcd")).filter(lambda keys: keys != {"a", "b"}).map(lambda k: Given(tuple(k))),
                st.none(),
            ),
            st.tuples(
                st.just(NUMERIC),
                st.floats(-1e12, 1e12).filter(lambda x: abs(x - 16) > 0.81).map(lambda x: Given(raw=str(x), value=x)),
                st.just(Drawn({}, 16.0, {}, "")),
            ),
        )
    )
    return grade(item, drawn, said), said


@given(wrong_answers(), surenesses, times, medians, st.none() | cards())
def test_no_path_leads_from_wrong_to_a_pass(
    answer: tuple[Grade, Given], sureness: str | None, ms: int, median: float | None, before: Card | None
) -> None:
    """Case 9: partly right, nearly right, sure or guessed: Again, tomorrow, and a minus on the card."""
    weighed = weigh(*answer, sureness, ms, median, before)
    assert weighed == Weighed(Evidence(1))
    planned = plan(before, "a-1", weighed, MONDAY, TODAY, 0.9, DEFAULTS, {})
    after = advance(before, "a-1", 1, weighed.evidence, MONDAY, TODAY, planned.due, planned.interval, DEFAULTS)
    assert planned.interval == 1
    assert after.recent.endswith("-")


recalls = st.none() | st.floats(0.01, 1)


@given(surenesses, times, medians, st.none() | cards(), recalls, st.sampled_from([0.0, 1 / 15, 0.25, 0.5]))
def test_a_right_answer_passes_and_counts_as_far_as_it_shows_knowledge(
    sureness: str | None, ms: int, median: float | None, before: Card | None, recall: float | None, chance: float
) -> None:
    """Right is Good or better. What cannot be guessed counts in full, else by Bayes' rule; a declared guess always counts for less."""
    weighed = weigh(RIGHT, SAID, sureness, ms, median, before, recall, chance)
    known = 0.5 if recall is None else recall
    assert weighed.evidence.rating in (3, 4)
    assert weighed.guess == (sureness == "guess")
    if weighed.guess:
        assert weighed.evidence.rating == 3
        assert weighed.evidence.q == pytest.approx(known / (known + (1 - known) * 6 * max(chance, 0.25)))
    else:
        assert weighed.evidence.q == pytest.approx(known / (known + (1 - known) * chance))


def test_the_same_rule_is_simulated_and_used() -> None:
    """Column by column `course.by_knowledge` gives what `weigh` gives for a choice of four."""
    recall = np.linspace(0.05, 1, 20)
    for guess in (False, True):
        answers = Answers(np.full(20, True), np.full(20, guess), recall, np.full(20, 0.25))
        ours = [
            weigh(RIGHT, SAID, "guess" if guess else None, 900, None, None, float(r), 0.25).evidence for r in recall
        ]
        columns = by_knowledge(answers)
        assert columns.q == pytest.approx([one.q for one in ours])
        assert columns.rating.tolist() == [one.rating for one in ours]
        assert not columns.tomorrow.any()


@given(times, st.none() | st.floats(1, 10_000_000), st.text("+-", max_size=3))
def test_easy_needs_all_of_it(ms: int, median: float | None, recent: str) -> None:
    """Easy is: sure, under 0.6 of the learner's own median, no miss in the last three; nothing less."""
    before = card(recent=recent)
    quick = median is not None and ms < 0.6 * median
    for sureness in (None, *SURENESS):
        rating = weigh(RIGHT, SAID, sureness, ms, median, before).evidence.rating
        assert (rating == 4) == (sureness == "sure" and quick and "-" not in recent)


def test_a_new_card_may_be_easy() -> None:
    """Without a card there is no miss behind it; without a median nothing is quick."""
    assert weigh(RIGHT, SAID, "sure", 500, 1000.0, None).evidence.rating == 4
    assert weigh(RIGHT, SAID, "sure", 500, None, None).evidence.rating == 3


@given(surenesses, times, medians, st.none() | cards())
def test_what_the_learner_marks_himself_is_never_easy(
    sureness: str | None, ms: int, median: float | None, before: Card | None
) -> None:
    """All points are Good and all but one Hard, with q below 1; a declared guess is heard first; two short is Again."""
    ticks = Given(tuple("abcd"))
    ratings = {}
    for short in (0, 1, 2):
        weighed = weigh(Grade(short < 2, tuple("abcd"), short=short), ticks, sureness, ms, median, before)
        ratings[short] = weighed.evidence.rating
        assert weighed.guess == (sureness == "guess" and short < 2)
        assert weighed.evidence.q == (1.0 if short == 2 else 0.4 if sureness == "guess" else SELF_GRADED)
    assert ratings == {0: 3, 1: 2, 2: 1}


@given(cards())
def test_a_pass_of_ones_own_marking_teaches_the_model_less(before: Card) -> None:
    """The same rating with q below 1 leaves a shorter stability than one that the tutor graded, and a longer one than a miss."""
    full, own, miss = (
        step(before.memory, 10.0, evidence, DEFAULTS).stability
        for evidence in (Evidence(3), Evidence(3, SELF_GRADED), Evidence(1))
    )
    assert miss <= own <= full
