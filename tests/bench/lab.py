"""The lab: bet to first measured point, with a warm worker and cold."""

from __future__ import annotations

import time
from statistics import median

from tutor.lab.catalogue import load_catalogue
from tutor.lab.supervisor import Supervisor
from tutor.paths import resources


async def measure(rounds: int = 5) -> dict[str, float]:
    """Return milliseconds to the first point, warm (median) and cold, and to the end of each experiment when warm."""
    catalogue, _ = load_catalogue(resources("experiments"))
    figures: dict[str, float] = {}
    lab = Supervisor(resources("experiments").parent)
    try:
        figures["cold_ms"] = await first_point(lab, catalogue["rng-replay"])
        figures["warm_ms"] = median([await first_point(lab, catalogue["rng-replay"]) for _ in range(rounds)])
        for id, experiment in catalogue.items():
            run = lab.run(experiment, {})
            async for _ in run:
                pass
            figures[f"{id}_s"] = run.result.seconds
    finally:
        await lab.close()
    return figures


async def first_point(lab: Supervisor, experiment: object) -> float:
    """Return milliseconds from the bet to the first point of a curve."""
    started, first = time.perf_counter(), 0.0
    run = lab.run(experiment, {})  # type: ignore[arg-type]
    async for message in run:
        if message.type == "point" and not first:
            first = (time.perf_counter() - started) * 1000
    return first
