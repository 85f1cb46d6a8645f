"""Prints every figure with its aim; one that falls short is printed as short."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from tests.bench import answer, decks, fit, lab, load, peer_file, progress, simulate, start
from tests.support import FakeClock
from tutor.paths import Home


def line(name: str, value: float, unit: str, aim: float | None = None) -> None:
    """Print one figure, and whether it meets its aim."""
    verdict = "" if aim is None else f"   aim <= {aim:g} {unit}: {'met' if value <= aim else 'SHORT'}"
    print(f"{name:<58} {value:>9.3g} {unit}{verdict}", flush=True)


def main() -> None:
    """Run every bench in turn."""
    figures = start.measure()
    line("first question painted / bare Textual first paint", figures["ratio"], "x", 1.3)
    line("  the same where no deck was read before", figures["ratio_cold"], "x", 1.9)
    line("peak memory of the screen's process", figures["peak_mib"], "MiB", 70)
    with tempfile.TemporaryDirectory() as place:
        home, clock = Home(Path(place) / "home"), FakeClock()
        answer.fill(home, clock)
        verdict = asyncio.run(answer.key_to_verdict(home, clock))
        line("key to verdict painted, 10,000 cards, p50", verdict["p50_ms"], "ms", 20)
        line("key to verdict painted, 10,000 cards, p95", verdict["p95_ms"], "ms", 50)
        durable = answer.durable(home, clock, Path(place))
        line("durable answer, p50", durable["p50_ms"], "ms")
        line("durable answer / bare commit of the same bytes", durable["ratio"], "x")
        line("  its card and figures afterwards, p50", durable["laid_ms"], "ms")
    points = asyncio.run(lab.measure())
    line("bet to first point, warm worker", points["warm_ms"], "ms", 150)
    line("bet to first point, cold", points["cold_ms"], "ms")
    for name, value in points.items():
        if name.endswith("warm_s"):
            line(name.removesuffix("_s"), value, "s", 8)
        elif name.endswith("cold_s"):
            line(name.removesuffix("_s"), value, "s")
        elif name.endswith("peak_mib"):
            line(name.removesuffix("_mib") + " memory of the child", value, "MiB")
    line("a step under the ledger / the bare step", lab.ledger_cost(), "x", 1.25)
    processes, files = asyncio.run(lab.leftovers())
    line("processes left after cancelling 50 runs", processes, "", 0)
    line("files left after cancelling 50 runs", files, "", 0)
    for figure in decks.measure():
        line(*figure)
    for figure in fit.measure():
        line(*figure)
    for figure in progress.measure():
        line(*figure)
    for figure in peer_file.measure():
        line(*figure)
    for figure in simulate.shortfall():
        line(*figure)
    plain, followed = load.simulate(transfers=False), load.simulate(transfers=True)
    line("keys per right answer, sureness included", followed["keys_right"], "keys")
    line("keys added by a miss, bet and observation included", followed["keys_miss"] - followed["keys_right"], "keys")
    line("seconds added by a miss at 6 s a key", 6 * (followed["keys_miss"] - followed["keys_right"]), "s")
    for day in ("day30", "day60"):
        line(f"answers a day around {day}, six new a day, no transfers", plain[day], "")
        line(f"answers a day around {day}, six new a day, transfers", followed[day], "")


if __name__ == "__main__":
    main()
