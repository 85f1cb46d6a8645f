"""Families about FLOPs, intensity, utilisation, fusion and shapes."""

from __future__ import annotations

from tutor.content.families.family import Family
from tutor.formulas import roofline as roof
from tutor.formulas.rounding import ceiling, floor

_DAY = 86400
_PEAKS = {"p": (197, 312, 989, 2250), "w": (0.82, 2.0, 3.35, 8.0)}
"""TFLOP/s in 16 bits and TB/s, as public comparisons print them."""


def _real(p: float, w: float) -> bool:
    """Return whether peak and bandwidth belong to one machine."""
    return (p, w) in ((197, 0.82), (312, 2.0), (989, 3.35), (2250, 8.0))


FAMILIES = (
    Family(
        "roof.train_zflop",
        "roof.6nd",
        {"N": (1e9, 3e9, 7e9, 13e9, 70e9, 175e9), "D": (1e11, 3e11, 1.4e12, 2e12, 15e12)},
        "ZFLOP",
        0.02,
        lambda N, D: roof.training_flops(N, D) / 1e21,
        {
            "only forward was counted": lambda N, D: 2 * N * D / 1e21,
            "all of forward was counted as run again": lambda N, D: 8 * N * D / 1e21,
            "multiply-adds were counted as one": lambda N, D: 3 * N * D / 1e21,
        },
        "6·N·D = 6·{N}·{D} / 10^21 = {answer} ZFLOP",
        "Kaplan et al. 2020 (arXiv:2001.08361)",
    ),
    Family(
        "roof.train_days",
        "roof.6nd",
        {
            "N": (7e9, 13e9, 70e9),
            "D": (1e12, 2e12, 15e12),
            "g": (256, 512, 1024, 4096),
            "p": (312, 989),
            "u": (0.35, 0.4, 0.5),
        },
        "days",
        0.03,
        lambda N, D, g, p, u: roof.training_seconds(N, D, g, p * 1e12, u) / _DAY,
        {
            "the peak was taken as reached": lambda N, D, g, p, u: 6 * N * D / (g * p * 1e12) / _DAY,
            "only forward was counted": lambda N, D, g, p, u: 2 * N * D / (g * p * 1e12 * u) / _DAY,
        },
        "6·N·D over what the GPUs do: 6·{N}·{D} / ({g}·{p}·10^12·{u}) / 86400 = {answer} days",
        "Stanford CS336, lecture 2",
        lambda N, D, g, p, u: 0.5 < 6 * N * D / (g * p * 1e12 * u) / _DAY < 1000,
    ),
    Family(
        "roof.gpus",
        "roof.6nd",
        {
            "N": (3e9, 7e9, 8e9, 13e9),
            "D": (1e12, 1.4e12, 2e12),
            "d": (10, 14, 30, 60),
            "p": (312, 989),
            "u": (0.35, 0.4),
        },
        "GPUs",
        0.0,
        lambda N, D, d, p, u: roof.devices_needed(N, D, d * _DAY, p * 1e12, u),
        {
            "the peak was taken as reached": lambda N, D, d, p, u: ceiling(6 * N * D / (d * _DAY * p * 1e12)),
            "only forward was counted": lambda N, D, d, p, u: ceiling(2 * N * D / (d * _DAY * p * 1e12 * u)),
            "it was rounded down": lambda N, D, d, p, u: floor(6 * N * D / (d * _DAY * p * 1e12 * u)),
        },
        "⌈6·{N}·{D} / ({d}·86400·{p}·10^12·{u})⌉ = {answer}",
        "Kaplan et al. 2020 (arXiv:2001.08361), solved for the devices",
    ),
    Family(
        "roof.mfu",
        "roof.mfu",
        {"t": (50000, 100000, 200000, 400000), "N": (7e9, 8e9, 13e9), "g": (32, 64, 128), "p": (312, 989)},
        "fraction",
        0.03,
        lambda t, N, g, p: roof.mfu(t, N, g, p * 1e12),
        {
            "replay was counted as useful": lambda t, N, g, p: 8 * N * t / (g * p * 1e12),
            "only forward was counted": lambda t, N, g, p: 2 * N * t / (g * p * 1e12),
        },
        "6·N FLOPs a token over the peak: 6·{N}·{t} / ({g}·{p}·10^12) = {answer}",
        "PaLM, appendix B (arXiv:2204.02311)",
        lambda t, N, g, p: 0.1 < 6 * N * t / (g * p * 1e12) < 0.7,
    ),
    Family(
        "roof.cost_kusd",
        "roof.mfu",
        {"g": (64, 256, 512, 1024), "d": (3, 7, 10, 21, 30), "x": (1.8, 2.5, 3.2, 4.0)},
        "k$",
        0.02,
        lambda g, d, x: roof.training_cost(g, d * _DAY, x) / 1e3,
        {
            "one GPU was paid": lambda g, d, x: d * 24 * x / 1e3,
            "days were paid as hours": lambda g, d, x: g * d * x / 1e3,
        },
        "{g}·{d}·24·{x} / 1000 = {answer} thousand",
        "arithmetic of rented hours",
    ),
    Family(
        "roof.gemm_intensity",
        "roof.intensity",
        {"m": (256, 512, 1024, 4096), "k": (4096, 5120, 8192), "n": (4096, 11008, 14336)},
        "FLOP/B",
        0.03,
        lambda m, k, n: roof.gemm_intensity(m, k, n),
        {
            "only the weights were moved": lambda m, k, n: float(m),
            "fp32 bytes were used, or multiply-adds counted as one": lambda m, k, n: roof.gemm_intensity(m, k, n, 4),
        },
        "2mkn over what moves: 2·{m}·{k}·{n} / (2·({m}·{k} + {k}·{n} + {m}·{n})) = {answer} FLOP/B",
        "Williams et al. 2009, Roofline",
    ),
    Family(
        "roof.ridge",
        "roof.bound",
        {"p": (197, 312, 459, 989, 2250), "w": (0.82, 2.0, 2.76, 3.35, 4.8, 8.0)},
        "FLOP/B",
        0.02,
        lambda p, w: roof.ridge(p * 1e12, w * 1e12),
        {
            "it was turned upside down": lambda p, w: w / p,
            "multiply-adds were counted as one": lambda p, w: p / w / 2,
        },
        "{p} / {w} = {answer} FLOP/B",
        "Williams et al. 2009, Roofline",
    ),
    Family(
        "roof.attainable",
        "roof.bound",
        {"i": (0.25, 2, 8, 30, 50, 100), "p": (312, 989), "w": (2.0, 3.35)},
        "TFLOP/s",
        0.03,
        lambda i, p, w: roof.attainable(i, p * 1e12, w * 1e12) / 1e12,
        {
            "the peak was taken as reached": lambda i, p, w: p,
            "bandwidth was divided by intensity": lambda i, p, w: w / i,
        },
        "left of the ridge: {w}·{i} = {answer} TFLOP/s",
        "Williams et al. 2009, Roofline",
        lambda i, p, w: i * w < 0.9 * p,
    ),
    Family(
        "roof.gemm_us",
        "roof.bound",
        {"m": (1, 8, 16, 64, 4096, 8192), "k": (4096, 8192), "n": (4096, 8192, 16384), **_PEAKS},
        "us",
        0.03,
        lambda m, k, n, p, w: roof.gemm_seconds(m, k, n, p * 1e12, w * 1e12) * 1e6,
        {
            "the side that is not the slower was taken": lambda m, k, n, p, w: (
                min(2 * m * k * n / (p * 1e12), 2 * (m * k + k * n + m * n) / (w * 1e12)) * 1e6
            ),
            "computing and moving were added": lambda m, k, n, p, w: (
                (2 * m * k * n / (p * 1e12) + 2 * (m * k + k * n + m * n) / (w * 1e12)) * 1e6
            ),
        },
        "the slower of computing and moving: "
        "max(2·{m}·{k}·{n}/({p}·10^12), 2·({m}·{k} + {k}·{n} + {m}·{n})/({w}·10^12))·10^6 = {answer} us",
        "Williams et al. 2009, Roofline",
        lambda m, k, n, p, w: _real(p, w),
    ),
    Family(
        "roof.elementwise_us",
        "roof.fusion",
        {"r": (1, 2, 3), "x": (4, 16, 32, 64, 128), "w": (0.82, 2.0, 3.35, 8.0)},
        "us",
        0.03,
        lambda r, x, w: roof.elementwise_seconds(x * 1_000_000, r + 1, w * 1e12) * 1e6,
        {
            "what is written was forgotten": lambda r, x, w: r * x * 2 / w,
            "fp32 bytes were used": lambda r, x, w: (r + 1) * x * 4 / w,
        },
        "{r} read, one written, 2 bytes each: ({r} + 1)·{x}·10^6·2 / ({w}·10^12)·10^6 = {answer} us",
        "Williams et al. 2009, Roofline",
    ),
    Family(
        "roof.fusion_us",
        "roof.fusion",
        {"k": (2, 3, 4, 5, 6), "x": (4, 16, 32, 64, 128), "w": (0.82, 2.0, 3.35, 8.0)},
        "us",
        0.02,
        lambda k, x, w: roof.fusion_saving(x * 1_000_000, k, w * 1e12) * 1e6,
        {
            "the fused kernel's own read and write were taken as saved": lambda k, x, w: 2 * k * x * 2 / w,
            "only the writes were saved": lambda k, x, w: (k - 1) * x * 2 / w,
        },
        "{k} - 1 writes and reads are spared: 2·({k} - 1)·{x}·10^6·2 / ({w}·10^12)·10^6 = {answer} us",
        "Williams et al. 2009, Roofline",
    ),
    Family(
        "roof.tile_use",
        "roof.shapes",
        {"m": (128, 130, 257, 300, 513, 1025), "n": (129, 260, 300, 500, 1000, 1030), "T": (64, 128, 256)},
        "fraction",
        0.02,
        lambda m, n, T: roof.tile_use(m, n, T, T),
        {
            "parts of tiles were counted as parts": lambda m, n, T: 1.0,
            "only the rows were rounded up": lambda m, n, T: None if n % T == 0 else roof.tile_use(m, T, T, T),
            "the wasted share was given": lambda m, n, T: 1 - roof.tile_use(m, n, T, T),
        },
        "{m}·{n} / (⌈{m}/{T}⌉·⌈{n}/{T}⌉·{T}²) = {answer}",
        "NVIDIA, Matrix multiplication background user's guide",
    ),
    Family(
        "roof.wave_use",
        "roof.shapes",
        {"t": (109, 133, 140, 150, 200, 270, 280, 400), "s": (80, 108, 114, 132, 148)},
        "fraction",
        0.02,
        lambda t, s: roof.wave_use(t, s),
        {
            "the last wave was taken as full": lambda t, s: 1.0,
            "only the last wave was looked at": lambda t, s: (t % s) / s,
            "the wasted share was given": lambda t, s: 1 - roof.wave_use(t, s),
        },
        "{t} / (⌈{t}/{s}⌉·{s}) = {answer}",
        "NVIDIA, Matrix multiplication background user's guide",
        lambda t, s: t > s and t % s != 0,
    ),
    Family(
        "roof.amdahl",
        "roof.amdahl",
        {"p": (0.4, 0.5, 0.6, 0.7, 0.8, 0.9), "s": (2, 3, 4, 8)},
        "x",
        0.03,
        lambda p, s: roof.amdahl(p, s),
        {
            "the speedups were averaged": lambda p, s: p * s + (1 - p),
            "the rest was taken as free": lambda p, s: s / p,
            "the part's speedup was given": lambda p, s: s,
        },
        "1 / ((1 - {p}) + {p}/{s}) = {answer}",
        "Amdahl 1967",
    ),
)
