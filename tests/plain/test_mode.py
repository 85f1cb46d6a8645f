"""Line mode: a whole sitting as prompts and lines, through the real store, decks and lab."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest

from tests.support import FakeClock
from tutor.plain.letters import USUAL, letters_of
from tutor.plain.lines import Lines
from tutor.plain.mode import LineMode
from tutor.study.desk import Desk, with_limits
from tutor.study.sitting import Sitting

DROPOUT = "rng-7f3k"
WRONG = "Replay would raise a shape error in backward"


class Learner(io.StringIO):
    """Answers each prompt by looking at what was printed, as a person would."""

    def __init__(self, answers: dict[str, list[str]]) -> None:
        super().__init__()
        self.answers, self.said = answers, io.StringIO()

    def readline(self, *_: object) -> str:
        prompt = self.said.getvalue().rstrip().splitlines()[-1]
        kind = prompt.split()[0]
        waiting = self.answers.get(" ".join(prompt.split()[:2])) or self.answers.get(kind) or []
        return f"{self._number(waiting.pop(0))}\n" if waiting else ""

    def _number(self, text: str) -> str:
        found = len(text) > 2 and re.findall(rf"^  (\d)  {re.escape(text)}", self.said.getvalue(), re.MULTILINE)
        return found[-1] if found else text


def sit(desk: Desk, learner: Learner, **limits: object) -> str:
    """Hold one sitting and return all that was said."""
    wish = {"limit": None, "new": None, "item": "", "decks": frozenset()} | limits
    LineMode(Sitting(desk, with_limits(desk.rules(), **wish), "plain"), Lines(learner, learner.said)).run()
    return learner.said.getvalue()


def test_miss_bet_run_observe_transfer_and_recap(desk: Desk, clock: FakeClock) -> None:
    """The dropout item missed: bet, real run, comparison, a transfer later; missed again: the recap, no second run."""
    learner = Learner(
        {
            f"choice {DROPOUT}": [WRONG],
            "bet": ["only the gradients", "n", "n"],
            "observation": ["only the gradients moved"],
            "choice": ["i"],
            "multi": ["i"],
            "numeric": ["i"],
            "predict": ["i"],
        }
    )
    said = sit(desk, learner, item=DROPOUT)
    assert "✓ your bet held" in said
    assert "gradient error, replayed: theory 0 · measured 0 · ✓ held" in said
    assert re.search(r"rng\.replay · \d+ of \d+ · transfer", said)
    run = desk.store.runs()[0].payload
    assert (run["experiment"], run["bet"], run["observation"], run["measured"]) == (
        "rng-replay",
        "gradients",
        "gradients",
        "gradients",
    )
    assert run["theory"] == {"op": "==", "value": "gradients"}

    clock.pass_days(1)
    again = sit(desk, Learner({f"choice {DROPOUT}": [WRONG]}), item=DROPOUT)
    recalled = "recap rng-7f3k · On 30 Nov your machine showed: only the gradients (what differs); gradient error, not replayed"
    assert recalled in " ".join(again.split())
    assert "running" not in again
    assert len(desk.store.runs()) == 1


def test_what_cannot_be_read_is_explained_and_recorded_nowhere(desk: Desk) -> None:
    """A wrong key, an empty line, letters: a sentence each, and no answer."""
    said = sit(desk, Learner({"choice": ["7", "", "abc"]}), item=DROPOUT)
    assert said.count("Type 1 to 4") == 3
    assert list(desk.store.answers()) == []


def test_a_wrong_unit_says_what_it_understood(desk: Desk) -> None:
    """Seconds for gigabytes are asked again; gibibytes are converted and said."""
    said = sit(desk, Learner({"numeric": ["3 s", "39.1 GiB"]}), item="opt-5n2c")
    assert "'s' does not measure what is asked; answer in GB." in said
    assert "understood: 39.1 GiB = 41.9833 GB" in said
    assert [a.payload["parsed"] for a in desk.store.answers()] == [41.98330531840001]


def test_undo_works_at_a_prompt_and_in_the_next_sitting(desk: Desk, clock: FakeClock) -> None:
    """`z` takes back the last answer, even of the sitting before."""
    sit(desk, Learner({f"choice {DROPOUT}": [WRONG]}), item=DROPOUT)
    assert DROPOUT in desk.store.cards()
    clock.pass_seconds(60)
    said = sit(desk, Learner({"choice": ["z"], "multi": ["z"], "numeric": ["z"]}))
    assert "The last answer is taken back." in said
    assert f"choice {DROPOUT}" in said.split("taken back")[1]
    assert DROPOUT not in desk.store.cards()


def test_the_end_of_the_input_loses_nothing(desk: Desk) -> None:
    """EOF at a bet ends the sitting; the answer before it is kept."""
    said = sit(desk, Learner({f"choice {DROPOUT}": [WRONG]}), item=DROPOUT)
    assert "1 answered, 0 right, 1 missed" in said
    assert len(list(desk.store.answers())) == 1


def test_every_prompt_starts_with_its_kind_and_the_item(desk: Desk) -> None:
    """Prompts can be searched for by kind and id."""
    said = sit(desk, Learner({f"choice {DROPOUT}": [WRONG], "bet": ["n"]}), item=DROPOUT)
    prompts = [line for line in said.splitlines() if line.endswith(">")]
    assert prompts
    assert all(
        re.match(r"(choice|multi|numeric|predict|bet|sureness|observation) [a-z]+-\w+", prompt) for prompt in prompts
    )


def test_what_the_day_cannot_hold_is_said_to_wait(desk: Desk, clock: FakeClock) -> None:
    """A limit of one a day: all due cards but one wait, and that is said once before the first question."""
    sit(desk, Learner(dict.fromkeys(("choice", "multi", "numeric"), ["i"] * 9) | {"bet": ["n"] * 9}), limit=3)
    due = len(desk.store.cards())
    clock.pass_days(3)
    desk.config = replace(desk.config, reviews_per_day=1)
    said = sit(desk, Learner({}))
    assert said.count("they wait for other days") == 1
    assert f"{due - 1} more are due" in said


def test_letters_of_ones_own(desk: Desk) -> None:
    """Named in every prompt and obeyed in place of the usual ones; what has no letter keeps its usual one."""
    desk.config = replace(desk.config, keys={"dont_know": "w", "undo": "y,f9", "guess": "f3", "decks": "x"})
    learner = Learner({f"choice {DROPOUT}": ["?", "i", "w"], "bet": ["?", "n"], "choice": ["y", "q"], "multi": ["q"]})
    said = " ".join(sit(desk, learner, item=DROPOUT).split())
    assert "w I don't know, u unsure, g guess before the answer, y undo, q end" in said
    assert "u or g before it for unsure or guess, w for I don't know." in said
    assert said.count("w for I don't know.") == 2, "i is no longer an answer"
    assert "n not now" in said
    assert "The last answer is taken back." in said


@pytest.mark.parametrize("keys", [{}, {"undo": "i"}, {"undo": "q"}, {"undo": "3"}, {"undo": "ctrl+z"}])
def test_letters_are_the_usual_ones_where_ones_own_cannot_be(keys: dict[str, str]) -> None:
    """Two actions on one letter, the letter that ends, a digit, a key that writes nothing."""
    assert letters_of(keys) == USUAL
