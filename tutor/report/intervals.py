"""A rate with its n and how sure it is, and the week a day falls in."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date
from typing import Any

Z95 = 1.959964


def wilson(right: int, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927): honest for small n and near 0 and 1."""
    share, z2 = right / n, Z95 * Z95
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its n and a 95 % interval (Wilson)."""

    right: int
    n: int

    @property
    def value(self) -> float | None:
        """The share, or None without answers."""
        return self.right / self.n if self.n else None

    def json(self) -> dict[str, Any]:
        """Return value, interval and n."""
        low, high = wilson(self.right, self.n) if self.n else (None, None)
        return {"value": self.value, "low": low, "high": high, "n": self.n}


def week_of(day: str) -> str:
    """Return the ISO week of a study day, `2026-W49`."""
    year, week, _ = date.fromisoformat(day).isocalendar()
    return f"{year}-W{week:02d}"
