"""The peers that fit FSRS weights, each run in a process of its own: `python -m tests.bench.peers` reads a job and writes a result.

They are no dependency of the tutor: `make bench` installs the extra `bench` into build/peers, where only these processes look
(torch is there anyway). The bench says when they are absent.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "build" / "peers"
History = list[tuple[int, int, float]]
"""One card: rating, whole days since the review before, and the instant, in order."""


def installed() -> bool:
    """Whether the peers are there."""
    return (FOLDER / "fsrs_rs_python").is_dir()


def fsrs_rs(logs: list[list[History]]) -> list[dict[str, Any]]:
    """Return weights and seconds of fsrs-rs for each log, a list of cards."""
    results: list[dict[str, Any]] = _run({"peer": "fsrs_rs", "logs": logs})
    return results


def optimizer(rows: list[tuple[str, int, int]]) -> dict[str, Any]:
    """Return weights and seconds of py-fsrs's Optimizer for rows of card, microseconds and rating."""
    result: dict[str, Any] = _run({"peer": "optimizer", "rows": rows})
    return result


def _run(job: dict[str, Any]) -> Any:
    environ = os.environ | {"PYTHONPATH": f"{FOLDER}{os.pathsep}{FOLDER.parents[1]}", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.peers"],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        check=True,
        env=environ,
    )
    return json.loads(done.stdout.splitlines()[-1])


def _fsrs_rs(logs: list[list[History]]) -> list[dict[str, Any]]:
    from fsrs_rs_python import DEFAULT_PARAMETERS, FSRS, FSRSItem, FSRSReview  # type: ignore[import-not-found]

    results = []
    for cards in logs:
        started = time.process_time()
        dated = []
        for number, card in enumerate(cards):
            reviews = [FSRSReview(rating, days) for rating, days, _ in card]
            dated += [(card[n][2], number, FSRSItem(reviews[: n + 1])) for n in range(1, len(card)) if card[n][1] > 0]
        dated.sort(key=lambda one: one[:2])  # later ones weigh more, by their place
        items, ids = [one[2] for one in dated], [one[1] for one in dated]
        weights = list(FSRS(list(DEFAULT_PARAMETERS)).compute_parameters(items, card_ids=ids)) if items else []
        results.append({"weights": weights, "seconds": time.process_time() - started})
    return results


def _optimizer(rows: list[tuple[str, int, int]]) -> dict[str, Any]:
    import torch
    from fsrs import Optimizer, Rating, ReviewLog

    torch.set_num_threads(1)
    logs = [
        ReviewLog(int(card), Rating(rating), datetime.fromtimestamp(us / 1e6, UTC), None) for card, us, rating in rows
    ]
    started = time.process_time()
    weights = Optimizer(logs).compute_optimal_parameters()
    return {"weights": weights, "seconds": time.process_time() - started}


if __name__ == "__main__":
    job = json.load(sys.stdin)
    print(json.dumps(_fsrs_rs(job["logs"]) if job["peer"] == "fsrs_rs" else _optimizer(job["rows"])))
