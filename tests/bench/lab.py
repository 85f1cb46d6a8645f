"""The lab: bet to first point, each experiment warm and cold, what the ledger costs, the child's memory, and what is left over."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from tutor.content.experiments import Experiment
from tutor.lab.catalogue import load_catalogue
from tutor.lab.supervisor import Supervisor
from tutor.paths import resources

LEDGER_COST = """
import time, torch
from statistics import median
from experiments.instruments.ledger import Ledger
from experiments.models import GPT, batch_of
from tutor.formulas.gpt import Shape

torch.set_num_threads(1)
shape = Shape(layers=6, width=256, heads=4, tokens=128, batch=4, vocabulary=512)
model, batch = GPT(shape), batch_of(shape, 0)

def bare():
    model(*batch).backward()

def watched():
    ledger = Ledger()
    ledger.register_training(model)
    with ledger:
        bare()

def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start

bare(), watched()
print(median(seconds(watched) / seconds(bare) for _ in range(15)))
"""


async def measure(rounds: int = 5) -> dict[str, float]:
    """Return milliseconds to the first point, warm and cold; seconds of each experiment warm and cold; its child's peak."""
    catalogue, _ = load_catalogue(resources("experiments"))
    figures: dict[str, float] = {}
    lab = Supervisor(resources("experiments").parent)
    try:
        figures["cold_ms"] = await first_point(lab, catalogue["rng-replay"])
        figures["warm_ms"] = median([await first_point(lab, catalogue["rng-replay"]) for _ in range(rounds)])
        for id, experiment in catalogue.items():
            figures[f"{id}: warm_s"], figures[f"{id}: peak_mib"] = await to_the_end(lab, experiment)
    finally:
        await lab.close()
    for id, experiment in catalogue.items():
        figures[f"{id}: cold_s"] = await cold(experiment)
    return figures


async def first_point(lab: Supervisor, experiment: Experiment) -> float:
    """Return milliseconds from the bet to the first point of a curve."""
    started, first = time.perf_counter(), 0.0
    async for message in lab.run(experiment, {}):
        if message.type == "point" and not first:
            first = (time.perf_counter() - started) * 1000
    return first


async def to_the_end(lab: Supervisor, experiment: Experiment) -> tuple[float, float]:
    """Return seconds from start to end, and the highest resident MiB of the child."""
    run = lab.run(experiment, {})
    async for _ in run:
        pass
    return run.result.seconds, run.peak_kib / 1024


async def cold(experiment: Experiment) -> float:
    """Return seconds with a worker of its own, torch's loading included."""
    started = time.perf_counter()
    lab = Supervisor(resources("experiments").parent)
    try:
        await to_the_end(lab, experiment)
    finally:
        await lab.close()
    return time.perf_counter() - started


def ledger_cost() -> float:
    """Return the time of a step under the ledger over the bare step: the median of interleaved pairs."""
    environ = os.environ | {"PYTHONPATH": str(resources("experiments").parent), "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", LEDGER_COST], env=environ, capture_output=True, text=True, check=True)
    return float(done.stdout)


async def leftovers(cancels: int = 50) -> tuple[int, int]:
    """Cancel runs in motion; return how many processes and how many temporary files are left."""
    catalogue, _ = load_catalogue(resources("experiments"))
    with tempfile.TemporaryDirectory() as place:
        before, os.environ["TMPDIR"] = os.environ.get("TMPDIR"), place
        lab = Supervisor(resources("experiments").parent)
        try:
            ids = ("offload", "checkpoint", "zero-shards")
            for number in range(cancels):
                run = lab.run(catalogue[ids[number % len(ids)]], {})
                async for _ in run:
                    asyncio.get_running_loop().create_task(run.cancel())
            await lab.close()
        finally:
            os.environ.pop("TMPDIR") if before is None else os.environ.update(TMPDIR=before)
        # torch makes itself an empty cache folder when it is loaded: it is no file, and no run's
        return len(_marked(place)), sum(path.is_file() for path in Path(place).rglob("*"))


def _marked(place: str) -> list[str]:
    """Return the processes whose environment names the folder: the worker's and all it started."""
    mark, found = f"TMPDIR={place}".encode(), []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (process / "environ").read_bytes() and process.name != str(os.getpid()):
                found.append(process.name)
        except OSError:
            continue
    return found
