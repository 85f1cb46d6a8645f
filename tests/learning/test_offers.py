"""After a miss: what the ladder offers, and the way from a bet through the run to what the machine showed."""

from __future__ import annotations

from tests.learning.making import answer, table
from tests.support import CRASHED, PASSED, choice
from tutor.content.model import ExperimentLink, Option
from tutor.learning import effects, moves
from tutor.learning.records import History, MythHistory, PastRun
from tutor.learning.state import (
    Asking,
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


def test_leaving_in_the_middle_keeps_the_run_that_was_seen() -> None:
    """Quit while the observation is asked still records the run."""
    at = table(choice("a-1", "a"))
    answer(at, "bad")
    at.move(moves.LayBet, bet="yes")
    at.move(moves.RunEnded, result=PASSED)
    at.move(moves.Quit)
    assert at.of(effects.RecordRun)[0].ran.measured == "yes"
    assert isinstance(at.session.phase, Finished)
