"""The sitting as a pure function: what each move leads to."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import CRASHED, PASSED, FakeClock, Table, choice, world
from tutor.content.model import ExperimentLink, Option
from tutor.learning import effects, moves
from tutor.learning.present import remaining
from tutor.learning.records import History, MythHistory, PastRun
from tutor.learning.session import begin
from tutor.learning.state import (
    Asking,
    AskingSureness,
    Betting,
    Compared,
    Finished,
    Flipped,
    Measuring,
    Observing,
    Running,
    Shown,
    Unmeasured,
)
from tutor.learning.world import Rules

PAST = PastRun("2026-11-29", "proof", {}, "outcome", "no", "yes", ({"name": "it happens", "left": 1, "passed": True},))


def table(*items, **changes) -> Table:
    """Return a table with a fresh sitting on it."""
    clock = FakeClock()
    return Table(begin(world(*items, **changes), clock.now()), clock)


def answer(at: Table, key: str = "good") -> None:
    """Answer the question at hand."""
    at.move(moves.Answer, choice=(key,))


def test_a_right_answer_is_recorded_and_shown() -> None:
    """One answer makes one record, a card due on a later study day, and the verdict."""
    at = table(choice("a-1", "a"))
    answer(at)
    record = at.of(effects.Record)[0].answered
    assert isinstance(at.session.phase, Shown)
    assert (record.correct, record.rating, record.role, record.predicted) == (True, 3, "first", None)
    assert record.due == at.session.changed["a-1"].due > "2026-11-30"


def test_a_right_answer_costs_two_moves() -> None:
    """Answer and go on: the next question stands after two moves."""
    at = table(choice("a-1", "a"), choice("c-1", "c"))
    answer(at)
    at.move(moves.Continue)
    assert isinstance(at.session.phase, Asking)
    assert at.session.asked == 2


def test_an_unfit_answer_is_no_answer() -> None:
    """A key that is not offered changes nothing but the hint."""
    at = table(choice("a-1", "a"))
    answer(at, "nothing")
    assert isinstance(at.session.phase, Asking)
    assert at.session.phase.hint == "Choose 1 to 3."
    assert not at.effects


def test_a_miss_offers_the_experiment_of_the_myth_picked() -> None:
    """The option picked names a myth, and the myth its experiment and bet."""
    at = table(choice("a-1", "a"))
    answer(at, "bad")
    phase = at.session.phase
    assert isinstance(phase, Betting)
    assert (phase.offer.kind, phase.offer.experiment.id, phase.offer.bet.id, phase.offer.myth.id) == (
        "run",
        "proof",
        "what",
        "myth-a",
    )


def test_bet_run_observe_compare() -> None:
    """The first rung ends in a record with bet, theory, measurement and observation."""
    at = table(choice("a-1", "a"))
    answer(at, "bad")
    at.move(moves.LayBet, bet="no")
    assert isinstance(at.session.phase, Running)
    assert len(at.of(effects.StartRun)) == 1
    at.move(moves.RunEnded, result=PASSED)
    assert isinstance(at.session.phase, Observing)
    at.move(moves.Observed, seen="yes")
    ran = at.of(effects.RecordRun)[0].ran
    assert (ran.miss, ran.bet, ran.measured, ran.theory, ran.observation) == (
        0,
        "no",
        "yes",
        {"op": "==", "value": "yes"},
        "yes",
    )
    assert isinstance(at.session.phase, Compared)
    assert (at.session.phase.bet_right, at.session.phase.seen_right) == (False, True)


def test_a_crashed_run_lets_the_review_go_on() -> None:
    """A run that failed shows its sentence, and the next move goes on."""
    at = table(choice("a-1", "a"), choice("c-1", "c"))
    answer(at, "bad")
    at.move(moves.LayBet, bet=None)
    at.move(moves.RunEnded, result=CRASHED)
    assert isinstance(at.session.phase, Compared)
    assert at.of(effects.RecordRun)[0].ran.ending == "crashed"
    at.move(moves.Continue)
    assert isinstance(at.session.phase, Asking)


def test_the_second_miss_recalls_the_learners_own_run() -> None:
    """With a run behind it, the ladder recalls it in one line and starts no other."""
    history = History(myths={"myth-a": MythHistory(picked=1, run=PAST)})
    at = table(choice("a-1", "a"), history=history)
    answer(at, "bad")
    assert isinstance(at.session.phase, Shown)
    assert at.session.phase.offer.kind == "recall"
    assert at.session.phase.offer.past == PAST
    assert not at.of(effects.StartRun)
    assert [e.offered.outcome for e in at.of(effects.RecordOffer)] == ["recalled"]


def test_the_third_miss_is_a_bet_without_a_run_and_two_right_retire_it() -> None:
    """Then a flipped parameter is bet on; after two right ones the myth is left alone."""
    history = History(myths={"myth-a": MythHistory(picked=2, run=PAST, recalled=1)})
    at = table(choice("a-1", "a"), choice("c-1", "c"), choice("a-2", "a"), history=history)
    answer(at, "bad")
    assert at.session.phase.offer.kind == "flip"
    at.move(moves.LayBet, bet="no")
    assert isinstance(at.session.phase, Flipped)
    assert at.session.phase.right
    retired = table(choice("a-1", "a"), history=History(myths={"myth-a": MythHistory(3, PAST, 1, 2)}))
    answer(retired, "bad")
    assert isinstance(retired.session.phase, Shown)
    assert retired.session.phase.offer is None


def test_at_most_two_runs_interrupt_and_the_rest_wait_for_the_end() -> None:
    """Beyond the limit the experiment is queued and offered when nothing is left to ask."""
    at = table(choice("a-1", "a"), rules=Rules(confidence=False, runs_per_sitting=0))
    answer(at, "bad")
    assert isinstance(at.session.phase, Shown)
    assert at.session.phase.offer.kind == "queued"
    at.move(moves.Continue)
    assert isinstance(at.session.phase, Betting)
    assert at.session.phase.judged is None


def test_a_no_to_experiments_is_respected() -> None:
    """`off` offers nothing; `ask` only says that there is one."""
    for wish, kind in (("off", None), ("ask", "ask")):
        at = table(choice("a-1", "a"), rules=Rules(confidence=False, lab=wish))
        answer(at, "bad")
        assert isinstance(at.session.phase, Shown)
        assert (at.session.phase.offer.kind if at.session.phase.offer else None) == kind


def test_a_transfer_follows_a_miss_and_is_that_cards_first_answer() -> None:
    """An unseen question on the same idea comes after one other, names the miss, and is scheduled."""
    items = (choice("a-1", "a"), choice("c-1", "c"), choice("a-2", "a", transfer_of="a-1"))
    at = table(*items, rules=Rules(confidence=False, lab="off"))
    answer(at, "bad")
    at.move(moves.Continue)
    assert at.session.phase.question.item.id == "c-1"
    answer(at)
    at.move(moves.Continue)
    question = at.session.phase.question
    assert (question.item.id, question.role, question.cause) == ("a-2", "transfer", 0)
    answer(at)
    assert at.of(effects.Record)[-1].answered.due is not None


def test_transfers_stay_within_the_days_new_items() -> None:
    """With no room for new cards a written transfer waits for another day."""
    items = (choice("a-1", "a"), choice("a-2", "a", transfer_of="a-1"))
    at = table(*items, rules=Rules(confidence=False, lab="off", new_per_day=1))
    answer(at, "bad")
    at.move(moves.Continue)
    assert isinstance(at.session.phase, Finished)


def test_a_retry_comes_after_five_others_and_moves_no_card() -> None:
    """The first try decides the schedule; the retry is practice."""
    items = [choice("a-1", "a"), *(choice(f"x-{n}", "ca"[n % 2]) for n in range(6))]
    at = table(*items, rules=Rules(confidence=False, lab="off", new_per_day=9))
    answer(at, "bad")
    seen = []
    for _ in range(6):
        at.move(moves.Continue)
        seen.append((at.session.phase.question.item.id, at.session.phase.question.role))
        answer(at)
    assert ("a-1", "retry") not in seen[:5]
    assert ("a-1", "retry") in seen or at.session.retries
    retries = [e.answered for e in at.of(effects.Record) if e.answered.role == "retry"]
    assert all(r.due is None and r.rating is None for r in retries)


def test_new_items_wait_for_their_prerequisites() -> None:
    """An item of `b` does not come before one of `a` was answered, though it stands first in the deck."""
    at = table(choice("b-1", "b"), choice("a-1", "a"))
    assert at.session.phase.question.item.id == "a-1"
    answer(at)
    at.move(moves.Continue)
    assert at.session.phase.question.item.id == "b-1"


def test_one_concept_is_not_asked_twice_in_a_row_where_there_is_another() -> None:
    """Two items of one concept are kept apart by a third."""
    at = table(choice("a-1", "a"), choice("a-2", "a"), choice("c-1", "c"))
    order = []
    for _ in range(3):
        order.append(at.session.phase.question.item.concept)
        answer(at)
        at.move(moves.Continue)
    assert order == ["a", "c", "a"]


def test_undo_reaches_any_number_of_answers_and_the_last_of_a_sitting() -> None:
    """Undo walks back through the sitting, from its end too, and restores each card."""
    at = table(choice("a-1", "a"), choice("c-1", "c"))
    start = at.session
    for _ in range(2):
        answer(at)
        at.move(moves.Continue)
    assert isinstance(at.session.phase, Finished)
    at.move(moves.Undo)
    assert at.session.phase.question.item.id == "c-1"
    assert set(at.session.changed) == {"a-1"}
    at.move(moves.Undo)
    assert at.session.phase.question == start.phase.question
    assert not at.session.changed
    assert [e.number for e in at.of(effects.Retract)] == [1, 0]
    at.move(moves.Undo)
    assert at.of(effects.RetractEarlier)


def test_undo_keeps_what_was_run() -> None:
    """A run was a run: missing again after undo recalls it."""
    at = table(choice("a-1", "a"))
    answer(at, "bad")
    at.move(moves.LayBet, bet="yes")
    at.move(moves.RunEnded, result=PASSED)
    at.move(moves.Observed, seen=None)
    at.move(moves.Undo)
    answer(at, "bad")
    assert at.session.phase.offer.kind == "recall"


def test_i_dont_know_is_again_without_a_myth() -> None:
    """Not knowing fails the card and picks no belief."""
    at = table(choice("a-1", "a"))
    at.move(moves.DontKnow)
    record = at.of(effects.Record)[0].answered
    assert (record.correct, record.rating, record.myth, record.choice) == (False, 1, None, None)


def test_a_declared_guess_comes_back_tomorrow() -> None:
    """A right guess at first sight counts a third of knowledge (three options) and is due on the next study day."""
    at = table(choice("a-1", "a"))
    at.move(moves.Mark, sureness="guess")
    answer(at)
    record = at.of(effects.Record)[0].answered
    assert (record.correct, record.rating, record.sureness, record.due) == (True, 3, "guess", "2026-12-01")
    assert record.q == pytest.approx(0.5 / (0.5 + 0.5 * 6 / 3))


def test_luck_is_counted_from_what_the_model_foresaw() -> None:
    """Undeclared: 0.75 of knowledge at first sight with three options; at a later one by the recall before the answer."""
    at = table(choice("a-1", "a"))
    answer(at)
    assert at.of(effects.Record)[0].answered.q == pytest.approx(0.75)
    clock = FakeClock()
    clock.pass_days(3)
    later = world(choice("a-1", "a"), cards={"a-1": at.session.changed["a-1"]})
    again = Table(begin(later, clock.now()), clock)
    answer(again)
    second = again.of(effects.Record)[0].answered
    assert second.predicted is not None and second.predicted < 0.9
    assert second.q == pytest.approx(second.predicted / (second.predicted + (1 - second.predicted) / 3))


def test_sureness_is_asked_of_one_answer_in_four_and_never_first() -> None:
    """In eight answers the question comes twice, not before the second."""
    items = [choice(f"x-{n}", "ac"[n % 2]) for n in range(8)]
    at = table(*items, rules=Rules(new_per_day=20))
    asked = []
    for number in range(8):
        answer(at)
        if isinstance(at.session.phase, AskingSureness):
            asked.append(number)
            at.move(moves.Mark, sureness="sure")
        at.move(moves.Continue)
    assert len(asked) == 2
    assert 0 not in asked


def test_a_prediction_is_graded_by_the_run_and_a_failed_run_records_nothing() -> None:
    """The machine gives the key; without a measurement there is no answer."""
    item = choice(
        "p-1", "a", kind="predict", answer=(), experiment=ExperimentLink("proof", {}, "what"),
        options=(Option("yes", "it does"), Option("no", "it does not", "myth-a")),
    )  # fmt: skip
    at = table(item)
    answer(at, "yes")
    assert isinstance(at.session.phase, Measuring)
    assert not at.of(effects.Record)
    at.move(moves.RunEnded, result=PASSED)
    record = at.of(effects.Record)[0].answered
    assert (record.correct, record.key) == (True, ("yes",))
    assert len(at.of(effects.RecordRun)) == 1
    failed = table(item)
    answer(failed, "yes")
    failed.move(moves.RunEnded, result=CRASHED)
    assert isinstance(failed.session.phase, Unmeasured)
    assert not failed.of(effects.Record)


def test_a_quiz_is_practice_in_its_own_order() -> None:
    """Quiz answers move no card and no retry interrupts."""
    items = (choice("q-1", "a", scheduled=False), choice("q-2", "a", scheduled=False))
    at = table(*items, mode="quiz", quiz=("q-1", "q-2"), rules=Rules(confidence=False, lab="off"))
    answer(at, "bad")
    at.move(moves.Continue)
    assert at.session.phase.question.item.id == "q-2"
    records = [e.answered for e in at.of(effects.Record)]
    assert [(r.role, r.due, r.rating) for r in records] == [("practice", None, None)]


def test_a_second_answer_on_one_study_day_moves_no_card() -> None:
    """Asked for by name again on the same day, the item is practice."""
    at = table(choice("a-1", "a"))
    answer(at)
    again = table(choice("a-1", "a"), cards=dict(at.session.changed), rules=Rules(first="a-1"))
    assert again.session.phase.question.role == "practice"


def test_leaving_in_the_middle_keeps_the_run_that_was_seen() -> None:
    """Quit while the observation is asked still records the run."""
    at = table(choice("a-1", "a"))
    answer(at, "bad")
    at.move(moves.LayBet, bet="yes")
    at.move(moves.RunEnded, result=PASSED)
    at.move(moves.Quit)
    assert at.of(effects.RecordRun)[0].ran.measured == "yes"
    assert isinstance(at.session.phase, Finished)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(["good", "bad", "know", "go", "undo", "skip", "bet", "ran", "seen", "suspend"]), max_size=40
    )
)
def test_any_moves_in_any_order_keep_the_books(script: list[str]) -> None:
    """Whatever is pressed, records minus retractions equal the answers counted, and wrong never passes."""
    at = table(*(choice(f"x-{n}", "abc"[n % 3]) for n in range(9)), rules=Rules(confidence=False, new_per_day=9))
    table_of = {
        "good": (moves.Answer, {"choice": ("good",)}), "bad": (moves.Answer, {"choice": ("bad",)}), "know": (moves.DontKnow, {}),
        "go": (moves.Continue, {}), "undo": (moves.Undo, {}), "skip": (moves.Skip, {}), "bet": (moves.LayBet, {"bet": "yes"}),
        "ran": (moves.RunEnded, {"result": PASSED}), "seen": (moves.Observed, {"seen": "yes"}), "suspend": (moves.Suspend, {}),
    }  # fmt: skip
    for word in script:
        kind, fields = table_of[word]
        at.clock.pass_seconds(3)
        at.move(kind, **fields)
    records, retracted = at.of(effects.Record), at.of(effects.Retract)
    assert len(records) - len(retracted) == at.session.answers
    for record in records:
        if not record.answered.correct:
            assert record.answered.rating in (1, None)


def test_what_remains_counts_each_question_once() -> None:
    """The new item on the screen is not among those still to come, before and after its answer."""
    at = table(choice("a-1", "a"), choice("c-1", "c"), choice("a-2", "a"), rules=Rules(confidence=False, new_per_day=2))
    assert at.session.asked + remaining(at.session) == 2
    answer(at)
    assert at.session.asked + remaining(at.session) == 2
