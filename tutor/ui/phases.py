"""What a phase of the session means for the screen: whether it is typed, marked, in motion, and which experiment is at hand."""

from __future__ import annotations

from tutor.learning.state import (
    Asking,
    Betting,
    Compared,
    Flipped,
    Measuring,
    Observing,
    Offer,
    Phase,
    Running,
    Shown,
)

TOGGLED = ("multi", "order", "explain")
"""Kinds whose options are marked one by one and then sent."""


def is_typed(phase: Phase) -> bool:
    """Whether the phase is answered in the input field."""
    match phase:
        case Asking(question=question):
            return question.item.kind in ("numeric", "cloze")
        case Betting(offer=offer):
            return offer.flip is None and offer.bet is not None and offer.bet.kind == "ratio"
    return False


def is_marked(phase: Phase) -> bool:
    """Whether options are marked in this phase before they are sent."""
    return isinstance(phase, Asking) and phase.question.item.kind in TOGGLED and not phase.question.hidden


def is_put_in_order(phase: Phase) -> bool:
    """Whether steps are being put in order."""
    return isinstance(phase, Asking) and phase.question.item.kind == "order"


def in_motion(phase: Phase) -> bool:
    """Whether an experiment is running."""
    return isinstance(phase, Running | Measuring)


def offer_at(phase: Phase) -> Offer | None:
    """Return the experiment that is offered, in motion or just shown."""
    if isinstance(phase, Betting | Running | Observing | Compared | Flipped | Shown):
        return phase.offer
    return None
