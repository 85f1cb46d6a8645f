"""The kinds of simulated learners that policies and rules are tried on, and how a table is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tutor.learning.learners import ActivationGroup, Group, ModelGroup, TwoTraceGroup, drawn_parameters

KINDS: dict[str, Callable[[int, int, int], Group]] = {
    "inside": lambda learners, items, seed: ModelGroup(drawn_parameters(learners, seed), items),
    "two traces": TwoTraceGroup,
    "activation": ActivationGroup,
}
"""By name: a group of so many learners over so many items, drawn from a seed. The last two lie outside the scheduler's family."""


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
