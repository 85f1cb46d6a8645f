"""`tutor decks` over steps, gaps and points."""

from __future__ import annotations

import json

from tests.cli.running import tutor


def test_show_says_what_is_right() -> None:
    """Steps in their right order, and what each gap takes and what it foresees."""
    steps = [
        "1. `scaler.scale(loss).backward()`", "2. `scaler.unscale_(optimizer)`", "3. `clip_grad_norm_(params, 1.0)`",
        "4. `scaler.step(optimizer)`", "5. `scaler.update()`",
    ]  # fmt: skip
    shown = tutor("decks", "show", "optimizer-state").stdout
    assert "\n".join(f"  {step}" for step in steps) in shown
    assert "+ unscaled: gradients | gradient | grads | grad  (any case)" in shown
    assert "- flag: determinism_check  [determinism-check-sees-values]" in tutor("decks", "show", "randomness").stdout


def test_show_as_json() -> None:
    """Gaps with what they accept; the points of an explanation are its options and its answer."""
    questions = {q["id"]: q for q in json.loads(tutor("decks", "show", "randomness", "--json").stdout)["questions"]}
    assert questions["rng-6mwt"]["gaps"] == [
        {
            "key": "flag",
            "accept": ["preserve_rng_state"],
            "slips": {"determinism_check": "determinism-check-sees-values"},
            "ignore_case": False,
        }
    ]
    assert questions["rng-v8pc"]["answer"] == [option["key"] for option in questions["rng-v8pc"]["options"]]


def test_list_counts_each_kind() -> None:
    """In the counts of every deck that has it."""
    decks = {deck["id"]: deck["kinds"] for deck in json.loads(tutor("decks", "list", "--json").stdout)}
    assert {"order", "cloze", "explain"} <= set(decks["activation-memory"])
