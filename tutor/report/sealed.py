"""How sealed items were answered at first sight, against what was forecast for them."""

from __future__ import annotations

from typing import Any

from tutor.content.model import Library
from tutor.learning.chances import chance
from tutor.learning.readiness import brier, readiness, right_at_sight
from tutor.report.intervals import Rate
from tutor.store import Store


def sealed_report(store: Store, library: Library) -> dict[str, Any]:
    """Return the share right at first sight with its interval and n, the mean forecast, the Brier score, and what is left to ask.

    The forecast of an answer is the readiness in its concept at that moment, with luck added: R + (1 - R)·chance. `brier` and `forecast`
    are None without an answer. Their likes: 0.25 for saying 50 % each time, `brier_constant` for saying the share that came true.
    Were the forecast true, `expected_low` to `expected_high` would be right in 95 of 100 cases; fewer right say that it is too high.
    """
    items = [item.id for item in library.sealed()]
    sights = store.sealed_sights(items)
    forecasts = [(right_at_sight(s.forecast, chance(s.kind, s.options)), s.correct) for s in sights]
    right = sum(s.correct for s in sights)
    share = right / len(sights) if sights else 0.0
    expected = readiness([p for p, _ in forecasts]) if forecasts else None
    return {
        **Rate(right, len(sights)).json(),
        "right": right,
        "forecast": round(sum(p for p, _ in forecasts) / len(forecasts), 4) if forecasts else None,
        "brier": round(brier(forecasts), 4) if forecasts else None,
        "brier_constant": round(share * (1 - share), 4) if forecasts else None,
        "expected_low": round(expected.low * expected.items) if expected else None,
        "expected_high": round(expected.high * expected.items) if expected else None,
        "left": len(items) - len(sights),
        "sights": [
            {"item": s.item, "concept": s.concept, "at": s.day, "right": s.correct, "forecast": round(p, 4)}
            for s, (p, _) in zip(sights, forecasts, strict=True)
        ],
    }
