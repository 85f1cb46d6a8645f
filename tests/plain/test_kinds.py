"""Line mode with steps, gaps and points: what is prompted, typed and said."""

from __future__ import annotations

import pytest

from tests.plain.test_mode import Learner, sit
from tutor.study.desk import Desk

ORDER, CLOZE, TWO_GAPS, EXPLAIN = "act-w4ke", "act-7hqd", "opt-2tzr", "ckp-3hfj"


class Orderly(Learner):
    """Types the places of steps, looked up by how they begin, in the order wanted."""

    def _number(self, text: str) -> str:
        return " ".join(super(Orderly, self)._number(part) for part in text.split(" > ")) if " > " in text else text


def stored(desk: Desk) -> list:
    """Return the payloads of all answers."""
    return [answer.payload for answer in desk.store.answers()]


def test_steps_in_their_order(desk: Desk) -> None:
    """`3 1 2 4` puts them right."""
    right = "The weights > The activations > The gradients > The two moments"
    said = sit(desk, Orderly({f"order {ORDER}": [right]}), item=ORDER, limit=1)
    assert f"order {ORDER} · 1-4 in their order, with spaces>" in said
    assert "✓ right" in said
    assert stored(desk)[0]["choice"] == ["weights", "saved", "gradients", "moments"]


def test_a_wrong_order_names_its_first_wrong_place_and_its_myth(desk: Desk) -> None:
    """Partly right is a miss."""
    wrong = "The weights > The activations > The two moments > The gradients"
    said = sit(desk, Orderly({f"order {ORDER}": [wrong], "bet": ["n"]}), item=ORDER, limit=1)
    assert "✗ not that · place 3 is the first wrong · right is " in said
    assert "right: The weights of the model → The activations kept for backward → " in said
    assert "PyTorch's optimizers make their state in the first `step()`." in said
    assert (stored(desk)[0]["correct"], stored(desk)[0]["myth"]) == (False, "state-from-the-start")


@pytest.mark.parametrize("line", ["1 2 3", "1 2 3 3", "1 2 3 5", "abc", ""])
def test_what_is_no_order(desk: Desk, line: str) -> None:
    """It is explained and recorded nowhere."""
    said = sit(desk, Learner({f"order {ORDER}": [line]}), item=ORDER)
    assert "Type all of 1 to 4 in their order, with spaces, or i for I don't know." in " ".join(said.split())
    assert stored(desk) == []


def test_a_gap_is_typed(desk: Desk) -> None:
    """Any accepted text, with spaces around it."""
    said = sit(desk, Learner({f"cloze {CLOZE}": ["  inference_mode "]}), item=CLOZE, limit=1)
    assert "It keeps none under `with torch.____():`." in said
    assert f"cloze {CLOZE} · the missing text>" in said
    assert stored(desk)[0]["raw"] == "inference_mode"
    assert stored(desk)[0]["correct"] is True


def test_a_foreseen_wrong_text_is_corrected(desk: Desk) -> None:
    """The myth behind it comes first, then the item's own reason."""
    said = sit(desk, Learner({f"cloze {CLOZE}": ["eval"], "bet": ["n"]}), item=CLOZE, limit=1)
    assert "✗ not that · you wrote eval · right is no_grad" in said
    assert "`eval()` switches dropout and BatchNorm to inference behaviour." in said
    assert stored(desk)[0]["myth"] == "eval-frees-activations"


def test_two_gaps_want_two_texts(desk: Desk) -> None:
    """One is asked again; case does not count where the item says so."""
    said = sit(desk, Learner({f"cloze {TWO_GAPS}": ["loss", "Loss; GRADS"]}), item=TWO_GAPS, limit=1)
    assert "'loss' does not fill the gaps: type 2 texts with ; between them." in said
    assert [answer["correct"] for answer in stored(desk)] == [True]


def test_points_come_after_the_explanation(desk: Desk) -> None:
    """They are not shown before a line was given; three of four is right and the fourth is said."""
    said = sit(desk, Learner({f"explain {EXPLAIN}": ["It drops activations and ...", "1 2 4"]}), item=EXPLAIN, limit=1)
    before, after = said.split("say it aloud or type it; an empty line shows the points>")
    assert "runs the region forward again" not in before
    assert "1-4 you said (several, with spaces)>" in after
    assert "✓ right · 3 of 4 points" in after
    assert "Still to say: The price is compute: at most one more forward, about a third of a step." in after
    assert (stored(desk)[0]["rating"], stored(desk)[0]["q"]) == (2, 0.9)


def test_half_of_the_points_is_a_miss(desk: Desk) -> None:
    """Two of four: again, with the experiment of the item."""
    said = sit(desk, Learner({f"explain {EXPLAIN}": ["", "1 3"], "bet": ["n"]}), item=EXPLAIN, limit=1)
    assert "✗ not yet · 2 of 4 points" in said
    assert "bet ckp-3hfj · checkpoint" in said
    assert stored(desk)[0]["rating"] == 1


def test_points_not_known_and_taken_back(desk: Desk) -> None:
    """`i` before or after the points; `z` asks again."""
    learner = Learner({f"explain {EXPLAIN}": ["i", "i"], "bet": ["z", "n"]})
    said = sit(desk, learner, item=EXPLAIN, limit=1)
    assert said.count("✗ not known") == 2
    assert "The last answer is taken back." in said
    assert len(stored(desk)) == 1
