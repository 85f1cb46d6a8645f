"""Families about randomness and rounding: masks that agree, state that is kept or moved twice, sums that drift."""

from __future__ import annotations

import math

from tutor.content.families.family import Family
from tutor.formulas import dropout, precision, replay
from tutor.formulas.units import KB, KIB, MIB

FAMILIES = (
    Family(
        "rng.mask_agreement",
        "rng.replay",
        {"p": (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)},
        "fraction",
        0.02,
        lambda p: dropout.mask_agreement(p),
        {
            "only the dropped positions were counted": lambda p: p * p,
            "one order of one disagreement was taken": lambda p: p * (1 - p),
            "one mask alone was taken": lambda p: 1 - p,
        },
        "p² + (1 - p)² = {p}² + (1 - {p})² = {answer}",
        "arithmetic; measured 0.579 at p = 0.3 (torch 2.13)",
    ),
    Family(
        "rng.mask_difference",
        "rng.replay",
        {"p": (0.05, 0.08, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)},
        "fraction",
        0.02,
        lambda p: dropout.mask_disagreement(p),
        {
            "one order was counted": lambda p: p * (1 - p),
            "one mask alone was taken": lambda p: p,
            "agreement was given for difference": lambda p: dropout.mask_agreement(p),
        },
        "one drops and the other keeps, either way: 2·{p}·(1 - {p}) = {answer}",
        "arithmetic; measured 0.503 at p = 0.5 (torch 2.13)",
    ),
    Family(
        "rng.state_bytes",
        "rng.state-cost",
        {"n": (8, 12, 24, 32, 48, 80, 96)},
        "KiB",
        0.005,
        lambda n: dropout.stash_bytes(n) / KIB,
        {
            "one checkpoint was counted": lambda n: dropout.stash_bytes(1) / KIB,
            "decimal kB were given": lambda n: dropout.stash_bytes(n) / KB,
        },
        "5056 bytes each: {n}·5056 / 1024 = {answer} KiB",
        "measured: the CPU generator's state is 5056 bytes (torch 2.13)",
    ),
    Family(
        "rng.mask_mib",
        "rng.state-cost",
        {"s": (1024, 2048, 4096), "b": (1, 2, 4, 8), "h": (1024, 2048, 4096, 8192)},
        "MiB",
        0.02,
        lambda s, b, h: dropout.mask_bytes(s * b, h) / MIB,
        {
            "one bit an element was assumed": lambda s, b, h: s * b * h / 8 / MIB,
            "the mask was stored in 16 bits": lambda s, b, h: 2 * s * b * h / MIB,
            "the mask was stored in 32 bits": lambda s, b, h: 4 * s * b * h / MIB,
        },
        "one byte an element: {s}·{b}·{h} / 2^20 = {answer} MiB",
        "Korthikanti et al. 2022",
    ),
    Family(
        "rng.statistics_moved",
        "rng.stateful-replay",
        {"m": (0.05, 0.1, 0.15, 0.2, 0.25, 0.3), "k": (1, 2, 3)},
        "fraction",
        0.02,
        lambda m, k: replay.statistics_moved(m, 2 * k),
        {
            "the update of the replay was forgotten": lambda m, k: replay.statistics_moved(m, k),
            "the updates were added": lambda m, k: 2 * k * m,
        },
        "two updates a step: 1 - (1 - {m})^(2·{k}) = {answer}",
        "the exponential average of BatchNorm; measured two updates a step (torch 2.13)",
    ),
    Family(
        "rng.sum_error",
        "rng.nonassoc",
        {"n": (9, 17, 33, 65, 129, 257), "f": ("bf16", "fp16")},
        "fraction",
        0.02,
        lambda n, f: precision.sum_error(n, f),
        {
            "a whole spacing was taken for half": lambda n, f: 2 * precision.sum_error(n, f),
            "a tree of sums was taken": lambda n, f: precision.pairwise_sum_error(n, f),
            "the other 16-bit format was taken": lambda n, f: precision.sum_error(n, "fp16" if f == "bf16" else "bf16"),
        },
        "(n - 1) roundings of half a spacing: ({n} - 1)·2^(-{k} - 1) = {answer}",
        "Higham 2002, Accuracy and Stability of Numerical Algorithms, 4.2",
        terms={"k": lambda n, f: precision.FORMATS[f][1]},
    ),
    Family(
        "rng.mask_streams",
        "rng.parallel-seeds",
        {"g": (16, 32, 64, 128, 256, 1024), "t": (2, 4, 8)},
        "streams",
        0.0,
        lambda g, t: dropout.mask_streams(g, t),
        {
            "each device got one": lambda g, t: g,
            "each rank of a group got one, the groups alike": lambda g, t: t,
        },
        "one for each tensor-parallel group: {g} / {t} = {answer}",
        "Megatron-LM, appendix B.2 (arXiv:1909.08053)",
    ),
    Family(
        "rng.counter_stops",
        "rng.nonassoc",
        {"f": ("bf16", "fp16", "tf32", "fp8-e4m3", "fp8-e5m2"), "d": (1, 2, 4, 8)},
        "",
        0.0,
        lambda f, d: precision.counter_stops(f, d),
        {
            "the leading bit, which is not stored, was forgotten": lambda f, d: precision.counter_stops(f, d) / 2,
            "the tie was rounded up": lambda f, d: precision.counter_stops(f, d) * 2,
        },
        "it stops where half a spacing is lost: {d}·2^({k} + 1) = {answer}",
        "IEEE 754-2019, ties to even; measured bf16 256, fp16 2048 (torch 2.13)",
        lambda f, d: math.log2(precision.counter_stops(f, d)) < 15,
        {"k": lambda f, d: precision.FORMATS[f][1]},
    ),
)
