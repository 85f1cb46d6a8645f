"""The mock interview: which sealed items it asks, what is forecast for them, and how the first sights bore it out."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from tutor.i18n import _, ngettext
from tutor.learning.cards import elapsed_days
from tutor.learning.memory import forgetting_curve
from tutor.learning.state import Finished
from tutor.learning.world import Rules
from tutor.study.desk import Desk

if TYPE_CHECKING:
    from tutor.study.sitting import Sitting


def mock_rules(desk: Desk, rules: Rules, count: int) -> Rules | None:
    """Return the rules of a mock interview of `count` questions at most; None where no sealed question is left."""
    if not sealed_items(desk, count):
        return None
    return replace(rules, mock=count, placement=False, lab="off", first="", limit=None)


def none_left() -> str:
    """Return why there is no mock interview."""
    return _("No sealed question is left: each is asked once. New ones come with new decks.")


def sealed_items(desk: Desk, count: int) -> tuple[str, ...]:
    """Return up to `count` sealed items never answered, in deck order, one of each concept before a second of any."""
    history = desk.store.history(desk.day())
    groups: dict[str, list[str]] = defaultdict(list)
    for item in desk.library.sealed():
        if item.id not in history.seen and item.id not in history.aside:
            groups[item.concept].append(item.id)
    rounds = [id for turn in zip_longest(*groups.values()) for id in turn if id is not None]
    return tuple(rounds[:count])


def readiness_by_concept(desk: Desk) -> dict[str, float]:
    """Return the expected recall now of each concept's scheduled items; one never met counts 0."""
    cards, utc_us, curve = desk.store.cards(), desk.now().utc_us, forgetting_curve(desk.store.parameters())
    recalls: dict[str, list[float]] = defaultdict(list)
    for item in desk.library.scheduled():
        card = cards.get(item.id)
        recalls[item.concept].append(curve(elapsed_days(card, utc_us), card.memory.stability) if card else 0.0)
    return {concept: sum(some) / len(some) for concept, some in recalls.items()}


def words_at_end(sitting: Sitting) -> str:
    """Return `words` once a mock interview is finished, else nothing."""
    over = sitting.session.world.mode == "mock" and isinstance(sitting.session.phase, Finished)
    return words(sitting.desk) if over else ""


def words(desk: Desk) -> str:
    """Return in a sentence or two how all mock interviews so far went, and how many sealed items are left."""
    from tutor.report.sealed import sealed_report
    from tutor.report.words import forecast_bias

    found = sealed_report(desk.store, desk.library)
    left = ngettext("{count} sealed question left.", "{count} sealed questions left.", found["left"])
    left = left.format(count=found["left"])
    if not found["n"]:
        return left
    said = _(
        "At first sight {right} of {n} right, forecast {forecast:.1f}, {low} to {high} in 95 % of cases; "
        "Brier score {brier:.3f} (n = {n}; always saying 50 % scores 0.250)."
    )
    told = said.format(
        right=found["right"], n=found["n"], forecast=found["forecast"] * found["n"], low=found["expected_low"],
        high=found["expected_high"], brier=found["brier"],
    )  # fmt: skip
    bias = {
        "high": _("The forecast is too high for you: take readiness as an upper limit."),
        "low": _("The forecast is too low for you: take readiness as a lower limit."),
        "": "",
    }[forecast_bias(found)]
    return " ".join(part for part in (told, bias, left) if part)
