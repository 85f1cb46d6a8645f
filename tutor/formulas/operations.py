"""Keeping a training run alive and fed: failures, checkpoints, data loading, and what the allocator holds back."""

from __future__ import annotations

import math
from typing import Annotated

from tutor.formulas.quantities import Bytes, BytesPerSecond, Count, Factor, Params, Quantity, Seconds, Share, formula
from tutor.formulas.rounding import ceiling

Duration = Annotated[float, Quantity("s", 1e-9)]
Held = Annotated[float, Quantity("B", 1)]


@formula
def failure_interval(devices: Count, mean_life: Duration) -> Seconds:
    """Return the mean time between failures of a cluster whose devices fail independently: life over devices.

    devices: any of which stops the run, such as 16384
    mean_life: of one device, such as 50000 h
    Source: the least of n exponential lives is exponential with n times the rate.
    """
    return mean_life / devices


@formula
def survival(duration: Seconds, failure_interval: Duration) -> Share:
    """Return the chance of no failure in some time: e^(-t/M).

    duration: of the run, such as 24 h
    failure_interval: mean time between failures, M, such as 12 h
    Source: exponential lives, a constant failure rate.
    """
    return math.exp(-duration / failure_interval)


@formula
def young_interval(write: Seconds, failure_interval: Seconds) -> Seconds:
    """Return the time between checkpoints that loses least: √(2CM), to first order.

    write: time a checkpoint stops the run, C, such as 60 s
    failure_interval: mean time between failures, M, such as 5 h
    Source: Young 1974, A first order approximation to the optimum checkpoint interval.
    """
    return math.sqrt(2 * write * failure_interval)


@formula
def daly_interval(write: Seconds, failure_interval: Duration) -> Seconds:
    """Return the time between checkpoints that loses least, to higher order, for C below 2M.

    write: time a checkpoint stops the run, C, such as 60 s
    failure_interval: mean time between failures, M, such as 5 h
    Source: Daly 2006, A higher order estimate of the optimum checkpoint interval.
    """
    share = write / (2 * failure_interval)
    return math.sqrt(2 * write * failure_interval) * (1 + math.sqrt(share) / 3 + share / 9) - write


@formula
def lost_share(write: Seconds, interval: Duration, failure_interval: Duration, restart: Seconds = 0) -> Share:
    """Return the share of time lost to checkpoints and failures: C/τ + τ/(2M) + R/M, to first order.

    write: time a checkpoint stops the run, C, such as 60 s
    interval: between checkpoints, τ, such as 25 min
    failure_interval: mean time between failures, M, such as 5 h
    restart: time to begin again after a failure, R
    Source: Young 1974: a failure loses half an interval on average.
    """
    return write / interval + interval / (2 * failure_interval) + restart / failure_interval


@formula
def availability(failure_interval: Duration, repair: Seconds) -> Share:
    """Return the share of time a run is up: MTBF / (MTBF + MTTR).

    failure_interval: mean time between failures, such as 5 h
    repair: mean time to be running again, such as 20 min
    Source: definition of steady-state availability.
    """
    return failure_interval / (failure_interval + repair)


@formula
def write_seconds(parameters: Params, bandwidth: BytesPerSecond, bytes_per_parameter: Bytes = 14) -> Seconds:
    """Return seconds a resumable checkpoint takes to write.

    parameters: of the model, such as 70B
    bandwidth: of the storage, all writers together, such as 10 GB/s
    bytes_per_parameter: bf16 weights, fp32 master copy and two moments
    Source: arithmetic; BLOOM's 176B took 2.3 TB (stas00/ml-engineering).
    """
    return parameters * bytes_per_parameter / bandwidth


@formula
def loader_workers(fetch: Seconds, step: Duration) -> Count:
    """Return the least data loader workers that keep up: ⌈fetch/step⌉.

    fetch: time one worker needs for a batch, such as 240 ms
    step: time the device needs for it, such as 50 ms
    Source: workers in parallel give one batch every fetch/workers.
    """
    return ceiling(fetch / step)


@formula
def prefetch_bytes(workers: Count, prefetched: Count, batch: Bytes) -> Bytes:
    """Return host memory that waiting batches take.

    workers: of the data loader, such as 16
    prefetched: batches each holds ready, such as 2
    batch: one batch, such as 154 MB
    Source: torch DataLoader: `prefetch_factor` batches a worker.
    """
    return workers * prefetched * batch


@formula
def fragmentation(reserved: Held, allocated: Bytes) -> Share:
    """Return the share of reserved memory that no tensor uses: 1 - allocated/reserved.

    reserved: taken from the device by the caching allocator, such as 75 GiB
    allocated: in use by tensors, such as 60 GiB
    Source: torch.cuda memory statistics, `reserved_bytes` and `allocated_bytes`.
    """
    return 1 - allocated / reserved


@formula
def straggler_slowdown(ranks: Count, chance: Share, factor: Factor) -> Factor:
    """Return how much longer a synchronous step takes on average when each rank is slow with some chance.

    ranks: that wait for each other, such as 256
    chance: of a rank to be slow in a step, such as 0.1%
    factor: how much longer a slow one takes, such as 2
    Source: a step is as slow as its slowest rank; 1 - (1 - p)^n of the steps have one.
    """
    return 1 + (factor - 1) * (1 - (1 - chance) ** ranks)
