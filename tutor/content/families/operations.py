"""Families about running training: feeding it, failures, checkpoints on disk, the allocator, and where it runs out."""

from __future__ import annotations

import math

from tutor.content.families.family import Family
from tutor.formulas import operations as ops
from tutor.formulas import optimizer as opt
from tutor.formulas import roofline
from tutor.formulas.units import GB, GIB, MB

_HOUR = 3600
_SIZES = (0.35e9, 1e9, 1.3e9, 1.5e9, 3e9, 7e9, 8e9, 13e9)

FAMILIES = (
    Family(
        "ops.first_step_gb",
        "ops.oom-triage",
        {"N": _SIZES},
        "GB",
        0.04,
        lambda N: (opt.step_peak_bytes(N) - 8 * N) / GB,
        {
            "what foreach holds for a while was forgotten": lambda N: 8 * N / GB,
            "one moment was counted": lambda N: 4 * N / GB,
            "weights and gradients were counted as new": lambda N: 20 * N / GB,
        },
        "two moments, and a copy that foreach holds: {N}·(8 + 4) / 10^9 = {answer} GB",
        "measured 20.0 bytes a parameter at the step, 8 of them there before (torch 2.13)",
    ),
    Family(
        "ops.unused_gib",
        "ops.allocator",
        {"r": (22, 38, 40, 60, 70, 75), "a": (14, 25, 30, 33, 38, 52)},
        "GiB",
        0.005,
        lambda r, a: ops.fragmentation(r * GIB, a * GIB) * r,
        {
            "what tensors use was given": lambda r, a: a,
            "reserved and allocated were added": lambda r, a: r + a,
        },
        "{r} - {a} = {answer} GiB",
        "torch.cuda memory statistics",
        lambda r, a: a < r,
    ),
    Family(
        "ops.fragmentation",
        "ops.allocator",
        {"r": (22, 38, 40, 60, 70, 75), "a": (14, 25, 30, 33, 38, 52)},
        "fraction",
        0.02,
        lambda r, a: ops.fragmentation(r * GIB, a * GIB),
        {
            "the used share was given": lambda r, a: a / r,
            "waste was set against use": lambda r, a: (r - a) / a,
        },
        "1 - {a}/{r} = {answer}",
        "torch.cuda memory statistics",
        lambda r, a: a < r,
    ),
    Family(
        "ops.leak_step",
        "ops.leaks",
        {"M": (24, 40, 80), "p": (15, 20, 32, 60), "x": (7, 25, 60, 130, 300)},
        "steps",
        0.0,
        lambda M, p, x: opt.step_of_death(M * GB, p * GB, x * MB),
        {
            "the last step that fits was given": lambda M, p, x: math.floor((M - p) * 1000 / x),
            "the memory a step needs was forgotten": lambda M, p, x: math.floor(M * 1000 / x) + 1,
        },
        "⌊({M} - {p})·1000 / {x}⌋ + 1 = {answer}",
        "step n needs its peak and n times what stays; measured with a list of losses (torch 2.13)",
        lambda M, p, x: p < M and (M - p) * 1000 % x != 0,
    ),
    Family(
        "ops.launch_idle",
        "ops.profiler",
        {"t": (1.5, 2, 3, 4, 5), "h": (6, 8, 10, 12)},
        "fraction",
        0.02,
        lambda t, h: roofline.launch_idle(t / 1e6, h / 1e6),
        {
            "the busy share was given": lambda t, h: t / h,
            "launch and kernel were added": lambda t, h: h / (t + h),
        },
        "a kernel of {t} us every {h} us: 1 - {t}/{h} = {answer}",
        "arithmetic of an empty queue",
    ),
    Family(
        "ops.workers",
        "ops.dataloader",
        {"f": (200, 240, 350, 500, 620), "s": (40, 50, 80, 110, 120)},
        "workers",
        0.0,
        lambda f, s: ops.loader_workers(f / 1e3, s / 1e3),
        {
            "it was rounded down": lambda f, s: f // s,
            "one was added for the main process": lambda f, s: math.ceil(f / s) + 1,
        },
        "⌈{f}/{s}⌉ = {answer}",
        "workers in parallel give a batch every fetch/workers",
        lambda f, s: f % s != 0,
    ),
    Family(
        "ops.prefetch_gb",
        "ops.dataloader",
        {"w": (4, 8, 16, 32), "p": (2, 4, 8), "b": (38, 77, 154, 300)},
        "GB",
        0.02,
        lambda w, p, b: ops.prefetch_bytes(w, p, b * MB) / GB,
        {
            "what each worker holds ready was forgotten": lambda w, p, b: w * b * MB / GB,
            "one worker was counted": lambda w, p, b: p * b * MB / GB,
        },
        "{w}·{p}·{b} / 1000 = {answer} GB",
        "torch DataLoader: `prefetch_factor` batches a worker",
    ),
    Family(
        "ops.mtbf_h",
        "ops.faults",
        {"n": (512, 1024, 4096, 10000, 16384), "y": (20000, 50000, 80000, 100000)},
        "h",
        0.02,
        lambda n, y: ops.failure_interval(n, y * _HOUR) / _HOUR,
        {
            "the life of one was given": lambda n, y: y,
            "it was divided by the square root": lambda n, y: y / math.sqrt(n),
        },
        "{y}/{n} = {answer} h",
        "the least of n exponential lives",
    ),
    Family(
        "ops.survival",
        "ops.faults",
        {"t": (2, 6, 8, 12, 24), "m": (4, 6, 10, 15, 20)},
        "fraction",
        0.02,
        lambda t, m: ops.survival(t * _HOUR, m * _HOUR),
        {
            "time over interval was taken off": lambda t, m: 1 - t / m if t < m else None,
            "the chance of a failure was given": lambda t, m: 1 - ops.survival(t * _HOUR, m * _HOUR),
        },
        "e^(-{t}/{m}) = {answer}",
        "exponential lives",
        lambda t, m: 0.1 < t / m < 2.5,
    ),
    Family(
        "ops.young_min",
        "ops.faults",
        {"c": (20, 30, 40, 60, 120, 300), "m": (1, 3, 5, 8, 12)},
        "min",
        0.03,
        lambda c, m: ops.young_interval(c, m * _HOUR) / 60,
        {
            "the factor 2 was forgotten": lambda c, m: math.sqrt(c * m * _HOUR) / 60,
            "half the time between failures was taken": lambda c, m: m * 30,
        },
        "√(2·{c}·{m}·3600) / 60 = {answer} min",
        "Young 1974",
    ),
    Family(
        "ops.lost_share",
        "ops.faults",
        {"c": (20, 30, 60, 120), "t": (10, 15, 30, 60), "m": (2, 4, 8, 12)},
        "fraction",
        0.02,
        lambda c, t, m: ops.lost_share(c, t * 60, m * _HOUR),
        {
            "a failure was taken to lose a whole interval": lambda c, t, m: c / (t * 60) + t / 60 / m,
            "the writing was forgotten": lambda c, t, m: t / 60 / (2 * m),
            "the failures were forgotten": lambda c, t, m: c / (t * 60),
        },
        "writing, and half an interval a failure: {c}/({t}·60) + {t}/(2·{m}·60) = {answer}",
        "Young 1974",
    ),
    Family(
        "ops.availability",
        "ops.faults",
        {"m": (1, 2, 3, 5, 8), "r": (15, 20, 30, 45, 60, 90)},
        "fraction",
        0.01,
        lambda m, r: ops.availability(m * _HOUR, r * 60),
        {
            "repair was taken as part of the time between failures": lambda m, r: (
                1 - r / 60 / m if r < 60 * m else None
            ),
            "the share of repair was given": lambda m, r: 1 - ops.availability(m * _HOUR, r * 60),
        },
        "{m}·60 / ({m}·60 + {r}) = {answer}",
        "definition of steady-state availability",
    ),
    Family(
        "ops.write_s",
        "ops.ckpt-files",
        {"N": (1.3e9, 7e9, 13e9, 30e9, 70e9, 176e9), "w": (1, 2, 5, 10, 20)},
        "s",
        0.03,
        lambda N, w: ops.write_seconds(N, w * GB),
        {
            "only the weights were written": lambda N, w: 2 * N / (w * GB),
            "one moment was written": lambda N, w: 10 * N / (w * GB),
        },
        "{N}·(2 + 4 + 4 + 4) / ({w}·10^9) = {answer} s",
        "2.3 TB for 176B parameters (stas00/ml-engineering)",
    ),
    Family(
        "ops.stragglers",
        "ops.profiler",
        {"n": (8, 16, 32, 64, 128, 256), "p": (0.001, 0.002, 0.005, 0.01, 0.02), "f": (1.5, 2, 3)},
        "x",
        0.02,
        lambda n, p, f: ops.straggler_slowdown(n, p, f),
        {
            "one rank was looked at": lambda n, p, f: 1 + (f - 1) * p,
            "every step was taken as slow": lambda n, p, f: f,
            "the chances were added": lambda n, p, f: 1 + (f - 1) * n * p,
        },
        "a step is as slow as its slowest rank: 1 + ({f} - 1)·(1 - (1 - {p})^{n}) = {answer}",
        "independent ranks that wait for each other",
    ),
)
