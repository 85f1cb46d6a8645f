"""Families about activations, recomputation and randomness."""

from __future__ import annotations

import math

from tutor.content.families.family import Family
from tutor.formulas import activations as act
from tutor.formulas.dropout import mask_agreement, stash_bytes
from tutor.formulas.units import GIB, KB, KIB

FAMILIES = (
    Family(
        "mem.params",
        "mem.param-count",
        {"h": (768, 1024, 2048, 4096, 8192), "L": (12, 24, 32, 48, 80), "V": (32000, 50257, 128256)},
        "B params",
        0.03,
        lambda h, L, V: (h * V + L * (12 * h * h + 13 * h) + 2 * h) / 1e9,
        {
            "the embeddings were forgotten": lambda h, L, V: 12 * L * h * h / 1e9,
            "only the MLP was counted": lambda h, L, V: 8 * L * h * h / 1e9,
        },
        "h·V + L·(12h² + 13h) + 2h with h = {h}, L = {L}, V = {V}: {answer} billion",
        "Hugging Face ultra-scale playbook, weights section",
    ),
    Family(
        "mem.act_layer_gib",
        "mem.act-formula",
        {"s": (1024, 2048, 4096, 8192), "b": (1, 2, 4, 8), "h": (2048, 4096, 8192, 12288), "a": (16, 32, 64, 96)},
        "GiB",
        0.05,
        lambda s, b, h, a: act.layer_bytes(s, b, h, a) / GIB,
        {
            "the attention term was forgotten": lambda s, b, h, a: 34 * s * b * h / GIB,
            "only the layer's input was counted": lambda s, b, h, a: 2 * s * b * h / GIB,
        },
        "s·b·h·(34 + 5as/h) = {s}·{b}·{h}·(34 + 5·{a}·{s}/{h}) bytes = {answer} GiB",
        "Korthikanti et al. 2022",
        lambda s, b, h, a: h % a == 0,
    ),
    Family(
        "mem.ckpt_boundaries_gib",
        "mem.act-scaling",
        {"s": (2048, 8192, 32768), "b": (1, 2, 4), "h": (2048, 4096, 8192), "L": (24, 32, 64, 80)},
        "GiB",
        0.05,
        lambda s, b, h, L: L * act.hidden_bytes(s, b, h) / GIB,
        {
            "only one layer was counted": lambda s, b, h, L: act.hidden_bytes(s, b, h) / GIB,
            "fp32 bytes were used": lambda s, b, h, L: 2 * L * act.hidden_bytes(s, b, h) / GIB,
        },
        "L·s·b·h·2 bytes = {L}·{s}·{b}·{h}·2 = {answer} GiB",
        "stas00/ml-engineering, anatomy of memory",
    ),
    Family(
        "mem.logits_gib",
        "mem.logits",
        {"s": (2048, 8192, 32768), "b": (1, 2, 4), "V": (32000, 50257, 128256, 256000)},
        "GiB",
        0.05,
        lambda s, b, V: act.logits_bytes(s, b, V) / GIB,
        {"16-bit logits were assumed": lambda s, b, V: act.logits_bytes(s, b, V) / 2 / GIB},
        "4·s·b·V bytes = 4·{s}·{b}·{V} = {answer} GiB",
        "stas00/ml-engineering, anatomy of memory",
    ),
    Family(
        "mem.total_ckpt_gib",
        "mem.logits",
        {"s": (4096, 8192, 32768), "c": (24, 28, 34), "h": (4096, 8192), "L": (32, 64, 80), "V": (32000, 128256)},
        "GiB",
        0.05,
        lambda s, c, h, L, V: (
            act.checkpointed_peak_bytes(
                L * act.hidden_bytes(s, 1, h), c * act.hidden_bytes(s, 1, h), act.logits_bytes(s, 1, V)
            )
            / GIB
        ),
        {
            "the logits were forgotten": lambda s, c, h, L, V: (L + c) * act.hidden_bytes(s, 1, h) / GIB,
            "the logits were counted once and the layer added": lambda s, c, h, L, V: (
                None
                if c * act.hidden_bytes(s, 1, h) >= 12 * s * V
                else ((L + c) * act.hidden_bytes(s, 1, h) + 4 * s * V) / GIB
            ),
        },
        "boundaries {L}·{s}·{h}·2 plus the larger of 4 copies of the fp32 logits and one live layer of {c} hidden states: {answer} GiB",
        "parts: stas00/ml-engineering; the 4 copies measured with torch 2.13",
    ),
    Family(
        "mem.accum_batch",
        "mem.grad-accum",
        {"m": (1, 2, 4, 8), "k": (1, 2, 4, 8, 16), "d": (1, 4, 8, 64)},
        "samples",
        0.0,
        lambda m, k, d: m * k * d,
        {"the replicas were forgotten": lambda m, k, d: m * k, "the accumulation was forgotten": lambda m, k, d: m * d},
        "{m} · {k} · {d} = {answer}",
        "Hugging Face ultra-scale playbook",
        lambda m, k, d: d > 1 and k > 1,
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
        "N/k + k·b is least near k = sqrt(N/b) = sqrt({N}/{b}): {answer}",
        "Chen et al. 2016 for b = 1; sqrt(N/b) derived, measured for 36 GPT blocks",
        lambda N, b: (
            round(math.log2(N)) != act.best_spacing(N, b)
            and sum(
                act.segment_peak(N, k, b) == act.segment_peak(N, act.best_spacing(N, b), b) for k in range(1, N + 1)
            )
            == 1
        ),
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
        "attn.scores_gib",
        "mem.act-scaling",
        {"b": (1, 2, 4), "a": (16, 32, 64), "s": (2048, 4096, 8192, 16384)},
        "GiB",
        0.05,
        lambda b, a, s: act.scores_bytes(b, a, s) / GIB,
        {
            "the heads were forgotten": lambda b, a, s: 2 * b * s * s / GIB,
            "it was taken as linear in s": lambda b, a, s: 2 * b * a * s * 128 / GIB,
        },
        "2·b·a·s² bytes = 2·{b}·{a}·{s}² = {answer} GiB",
        "arithmetic of shapes; the quadratic growth measured with torch 2.13",
    ),
    Family(
        "rng.mask_agreement",
        "rng.replay",
        {"p": (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)},
        "fraction",
        0.02,
        lambda p: mask_agreement(p),
        {
            "only the dropped positions were counted": lambda p: p * p,
            "one order of one disagreement was taken": lambda p: p * (1 - p),
            "one mask alone was taken": lambda p: 1 - p,
        },
        "p² + (1 - p)² at p = {p}: {answer}",
        "arithmetic; measured 0.579 at p = 0.3 (torch 2.13)",
    ),
    Family(
        "rng.state_bytes",
        "rng.state-cost",
        {"n": (8, 12, 24, 32, 48, 80, 96)},
        "KiB",
        0.005,
        lambda n: stash_bytes(n) / KIB,
        {
            "one checkpoint was counted": lambda n: stash_bytes(1) / KIB,
            "decimal kB were given": lambda n: stash_bytes(n) / KB,
        },
        "{n} · 5056 bytes / 1024 = {answer} KiB",
        "measured: the CPU generator's state is 5056 bytes (torch 2.13)",
    ),
)
