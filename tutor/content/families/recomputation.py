"""Families about recomputation: what checkpoints keep, what runs again, and what moving bytes costs instead."""

from __future__ import annotations

import math

from tutor.content.families.family import Family
from tutor.formulas import activations as act
from tutor.formulas import roofline, zero
from tutor.formulas.optimizer import transfer_seconds
from tutor.formulas.units import GB, GIB, MB

FAMILIES = (
    Family(
        "ckpt.full_saving_gib",
        "ckpt.tradeoff",
        {"L": (24, 32, 48, 96), "s": (1024, 2048, 4096), "b": (1, 2, 4), "h": (4096, 8192, 12288), "a": (32, 64, 96)},
        "GiB",
        0.05,
        lambda L, s, b, h, a: act.checkpointing_saves(L, s, b, h, a) / GIB,
        {
            "the attention term was forgotten": lambda L, s, b, h, a: 32 * L * s * b * h / GIB,
            "what is kept was given, not what is freed": lambda L, s, b, h, a: 2 * L * s * b * h / GIB,
            "one layer was counted": lambda L, s, b, h, a: act.checkpointing_saves(1, s, b, h, a) / GIB,
        },
        "L·s·b·h·(34 + 5as/h - 2) = {L}·{s}·{b}·{h}·(32 + 5·{a}·{s}/{h}) / 2^30 = {answer} GiB",
        "Korthikanti et al. 2022",
        lambda L, s, b, h, a: h % a == 0,
    ),
    Family(
        "ckpt.forward_calls",
        "ckpt.replay",
        {"N": (12, 16, 24, 32, 36, 48, 60), "k": (2, 3, 4, 6, 8, 12)},
        "calls",
        0.0,
        lambda N, k: act.segmented_calls(N, k),
        {
            "the replay was forgotten": lambda N, k: N,
            "the last segment was run again too": lambda N, k: 2 * N,
            "only the replay was counted": lambda N, k: N - N // k,
        },
        "forward {N}, and in backward all segments but the last: {N} + {N} - {N}/{k} = {answer}",
        "torch.utils.checkpoint.checkpoint_sequential; counted (torch 2.13)",
        lambda N, k: N % k == 0,
    ),
    Family(
        "ckpt.live_units",
        "ckpt.sqrt-schedule",
        {"N": (16, 36, 64, 100, 144), "k": (1, 2, 4, 6, 8, 12), "b": (1, 16, 17)},
        "units",
        0.0,
        lambda N, k, b: act.segment_peak(N, k, b),
        {
            "only the boundaries were counted": lambda N, k, b: math.ceil(N / k),
            "nothing was checkpointed": lambda N, k, b: N * b,
            "one saved tensor a layer was assumed": lambda N, k, b: None if b == 1 else act.segment_peak(N, k),
        },
        "N/k + k·b = {N}/{k} + {k}·{b} = {answer}",
        "Chen et al. 2016; measured for b = 1 and b = 16.1",
        lambda N, k, b: N % k == 0 and not k == b == 1,
    ),
    Family(
        "ckpt.best_k",
        "ckpt.block-spacing",
        {"N": (16, 36, 64, 100, 144, 256), "b": (1, 4, 16)},
        "layers",
        0.0,
        lambda N, b: act.best_spacing(N, b),
        {
            "half of the layers": lambda N, b: N // 2,
            "log2 of N": lambda N, b: None if round(math.log2(N)) == math.isqrt(N) else round(math.log2(N)),
            "sqrt(N) whatever a layer saves": lambda N, b: None if b == 1 else math.isqrt(N),
        },
        "N/k + k·b is least near k = √(N/b) = √({N}/{b}), here at k = {answer}: ⌈{N}/{answer}⌉ + {answer}·{b} = {least} units",
        "Chen et al. 2016 for b = 1; sqrt(N/b) derived, measured for 36 GPT blocks",
        lambda N, b: (
            round(math.log2(N)) != act.best_spacing(N, b)
            and sum(
                act.segment_peak(N, k, b) == act.segment_peak(N, act.best_spacing(N, b), b) for k in range(1, N + 1)
            )
            == 1
        ),
        {"least": lambda N, b: act.segment_peak(N, act.best_spacing(N, b), b)},
    ),
    Family(
        "ckpt.flop_ratio",
        "ckpt.flop-cost",
        {"r": (2.0,), "p": (0.25, 0.4, 0.5, 0.6, 0.75, 0.9)},
        "x",
        0.02,
        lambda r, p: act.replay_ratio(r, p),
        {
            "the whole step was doubled": lambda r, p: 2.0,
            "the replay was measured against the forward alone": lambda r, p: 1 + p,
        },
        "(1 + {r} + {p}) / (1 + {r}) = {answer}",
        "Scaling book: 6ND becomes 8ND when all is replayed; Chen et al. 2016",
    ),
    Family(
        "ckpt.hfu",
        "ckpt.flop-cost",
        {"u": (0.25, 0.3, 0.36, 0.38, 0.42, 0.45, 0.5), "p": (0.5, 0.75, 1.0)},
        "fraction",
        0.02,
        lambda u, p: roofline.hfu(u, p),
        {
            "the replay was not counted": lambda u, p: u,
            "the replay was taken off instead": lambda u, p: u * 3 / (3 + p),
            "the replay was measured against the forward alone": lambda u, p: u * (1 + p),
        },
        "MFU·(3 + p)/3 = {u}·(3 + {p})/3 = {answer}",
        "Korthikanti et al. 2022, section 6; stas00/ml-engineering, MFU and HFU",
    ),
    Family(
        "ckpt.replay_ms",
        "ckpt.overhead-depends",
        {"m": (2048, 8192, 16384), "k": (4096, 8192), "n": (4096, 16384), "p": (150, 300, 400, 600)},
        "ms",
        0.04,
        lambda m, k, n, p: act.replay_seconds(roofline.gemm_flops(m, k, n), p * 1e12) * 1e3,
        {
            "multiply-adds were counted as one": lambda m, k, n, p: m * k * n / (p * 1e12) * 1e3,
            "the two products of backward were counted too": lambda m, k, n, p: 6 * m * k * n / (p * 1e12) * 1e3,
        },
        "2·m·k·n over the speed = 2·{m}·{k}·{n} / ({p}·10^12)·1000 = {answer} ms",
        "two FLOPs a multiply-add; torch's FlopCounterMode counts the same",
    ),
    Family(
        "ckpt.selective_gib",
        "ckpt.selective",
        {"L": (24, 32, 48, 96), "s": (1024, 2048, 4096), "b": (1, 2, 4), "h": (4096, 8192, 12288)},
        "GiB",
        0.05,
        lambda L, s, b, h: act.selective_bytes(L, s, b, h) / GIB,
        {
            "full recomputation was taken": lambda L, s, b, h: 2 * L * s * b * h / GIB,
            "one layer was counted": lambda L, s, b, h: act.selective_bytes(1, s, b, h) / GIB,
            "the masks and norms were left out": lambda L, s, b, h: 24 * L * s * b * h / GIB,
        },
        "34·L·s·b·h bytes = 34·{L}·{s}·{b}·{h} / 2^30 = {answer} GiB",
        "Korthikanti et al. 2022, section 5",
    ),
    Family(
        "ckpt.offload_ms",
        "ckpt.offload",
        {"x": (64, 256, 512, 1024, 2048), "w": (12, 25, 50, 64)},
        "ms",
        0.03,
        lambda x, w: transfer_seconds(x * MB, w * GB) * 1e3,
        {
            "the way there and the way back were added": lambda x, w: 2 * x * MB / (w * GB) * 1e3,
            "the bytes were counted in bits": lambda x, w: 8 * x * MB / (w * GB) * 1e3,
        },
        "{x}·10^6 / ({w}·10^9)·1000 = {answer} ms",
        "bytes over bandwidth; latency left out",
    ),
    Family(
        "ckpt.combined_gb",
        "ckpt.combine",
        {"N": (1.3e9, 3e9, 7e9, 13e9), "n": (4, 8, 16, 32), "A": (8, 12, 20, 32)},
        "GB",
        0.03,
        lambda N, n, A: zero.state_bytes(N, n, "1") / GB + A,
        {
            "the activations were divided too": lambda N, n, A: zero.state_bytes(N, n, "1") / GB + A / n,
            "nothing was divided": lambda N, n, A: 16 * N / GB + A,
            "all of the state was divided": lambda N, n, A: 16 * N / n / GB + A,
        },
        "{N}·(2 + 2 + 12/{n}) / 10^9 + {A} = {answer} GB",
        "ZeRO, stage 1 (arXiv:1910.02054); recomputation lowers activations alone",
    ),
)
