"""Families about what training memory is made of: tensors, parameters, activations, logits, batches."""

from __future__ import annotations

from tutor.content.families.family import Family
from tutor.formulas import activations as act
from tutor.formulas import anatomy, attention
from tutor.formulas.optimizer import step_peak_bytes
from tutor.formulas.rounding import ceiling, floor
from tutor.formulas.units import GB, GIB, MIB

_STEP = {"fp32": (4, 4, 8), "pure-bf16": (2, 2, 4)}
"""Bytes a parameter of weights, gradients and AdamW's moments."""

FAMILIES = (
    Family(
        "mem.tensor_mib",
        "mem.tensor-bytes",
        {"b": (2, 4, 8, 16), "s": (512, 1024, 2048, 4096), "h": (768, 1024, 4096, 8192), "e": (1, 2, 4)},
        "MiB",
        0.01,
        lambda b, s, h, e: act.hidden_bytes(s, b, h, e) / MIB,
        {
            "fp32 was assumed": lambda b, s, h, e: None if e == 4 else act.hidden_bytes(s, b, h, 4) / MIB,
            "16 bits were assumed": lambda b, s, h, e: None if e == 2 else act.hidden_bytes(s, b, h, 2) / MIB,
            "the batch was forgotten": lambda b, s, h, e: act.hidden_bytes(s, 1, h, e) / MIB,
        },
        "{b}·{s}·{h}·{e} / 2^20 = {answer} MiB",
        "elements times bytes; measured storage sizes (torch 2.13)",
    ),
    Family(
        "mem.gib_from_gb",
        "mem.units",
        {"m": (16, 24, 32, 40, 48, 80, 94, 141, 180, 192)},
        "GiB",
        0.01,
        lambda m: anatomy.binary_gigabytes(m * GB),
        {
            "GB and GiB were taken as one unit": lambda m: float(m),
            "one factor of 1.024 was taken for three": lambda m: m / 1.024,
            "the conversion went the other way": lambda m: m * GIB / GB,
        },
        "{m}·10^9 / 2^30 = {answer} GiB",
        "IEC 80000-13",
    ),
    Family(
        "mem.params",
        "mem.param-count",
        {"h": (768, 1024, 2048, 4096, 8192), "L": (12, 24, 32, 48, 80), "V": (32000, 50257, 128256)},
        "B params",
        0.03,
        lambda h, L, V: anatomy.dense_parameters(h, L, V) / 1e9,
        {
            "the embeddings were forgotten": lambda h, L, V: 12 * L * h * h / 1e9,
            "only the MLP was counted": lambda h, L, V: 8 * L * h * h / 1e9,
        },
        "h·V + L·(12h² + 13h) + 2h = ({h}·{V} + {L}·(12·{h}² + 13·{h}) + 2·{h}) / 10^9 = {answer} billion",
        "Hugging Face ultra-scale playbook, weights section",
    ),
    Family(
        "mem.train_total_gb",
        "mem.anatomy",
        {"N": (1e9, 1.3e9, 3e9, 7e9, 8e9, 13e9), "k": (8, 12, 16, 18, 20), "A": (6, 10, 24, 40, 60)},
        "GB",
        0.03,
        lambda N, k, A: anatomy.training_bytes(N, k, A * GB) / GB,
        {
            "the activations were forgotten": lambda N, k, A: N * k / GB,
            "of the state only 16-bit weights were counted": lambda N, k, A: 2 * N / GB + A,
            "of the state only weights and gradients in 16 bits were counted": lambda N, k, A: 4 * N / GB + A,
        },
        "{N}·{k} / 10^9 + {A} = {answer} GB",
        "ZeRO, section 3 (arXiv:1910.02054)",
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
        "s·b·h·(34 + 5as/h) = {s}·{b}·{h}·(34 + 5·{a}·{s}/{h}) / 2^30 = {answer} GiB",
        "Korthikanti et al. 2022",
        lambda s, b, h, a: h % a == 0,
    ),
    Family(
        "mem.attn_share",
        "mem.act-formula",
        {"s": (1024, 2048, 4096, 8192), "h": (2048, 4096, 8192, 12288), "a": (16, 32, 64, 96)},
        "fraction",
        0.03,
        lambda s, h, a: attention.quadratic_share(s, h, a),
        {
            "the ratio to the rest was taken for the share": lambda s, h, a: 5 * a * s / h / 34,
            "only the softmax's output was counted": lambda s, h, a: (2 * a * s / h) / (34 + 2 * a * s / h),
        },
        "(5as/h) / (34 + 5as/h) = (5·{a}·{s}/{h}) / (34 + 5·{a}·{s}/{h}) = {answer}",
        "Korthikanti et al. 2022; 70 % at GPT-3's size",
        lambda s, h, a: h % a == 0,
    ),
    Family(
        "mem.saved_mib",
        "mem.saved-for-backward",
        {"n": (8, 12, 16, 24, 32), "b": (64, 128, 256, 512), "h": (512, 1024, 2048, 4096)},
        "MiB",
        0.02,
        lambda n, b, h: 2 * n * act.hidden_bytes(1, b, h, 4) / MIB,
        {
            "GELU's own inputs were forgotten, as ReLU may": lambda n, b, h: (
                (n + 1) * act.hidden_bytes(1, b, h, 4) / MIB
            ),
            "one layer was counted": lambda n, b, h: 2 * act.hidden_bytes(1, b, h, 4) / MIB,
            "16 bits were assumed": lambda n, b, h: 2 * n * act.hidden_bytes(1, b, h, 2) / MIB,
        },
        "a Linear keeps its input and GELU its own: 2·{n}·{b}·{h}·4 / 2^20 = {answer} MiB",
        "measured: 32 units for 16 layers with GELU, 17 with ReLU (torch 2.13)",
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
        "L·s·b·h·2 bytes = {L}·{s}·{b}·{h}·2 / 2^30 = {answer} GiB",
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
        "4·s·b·V bytes = 4·{s}·{b}·{V} / 2^30 = {answer} GiB",
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
        "boundaries, and the larger of 4 copies of the fp32 logits and one live layer of {c} hidden states beside one copy: "
        "({L}·{s}·{h}·2 + max(4·4·{s}·{V}, {c}·{s}·{h}·2 + 4·{s}·{V})) / 2^30 = {answer} GiB",
        "parts: stas00/ml-engineering; the 4 copies measured with torch 2.13",
    ),
    Family(
        "mem.step_peak_gb",
        "mem.timeline",
        {"N": (0.35e9, 1e9, 1.3e9, 3e9, 7e9, 8e9, 13e9), "r": tuple(_STEP)},
        "GB",
        0.04,
        lambda N, r: step_peak_bytes(N, *_STEP[r]) / GB,
        {
            "what foreach holds for a while was forgotten, or the gradients were taken as freed": lambda N, r: (
                N * sum(_STEP[r]) / GB
            ),
            "both were: only weights and moments": lambda N, r: N * (_STEP[r][0] + _STEP[r][2]) / GB,
            "the moments were forgotten": lambda N, r: N * (_STEP[r][0] + _STEP[r][1]) / GB,
        },
        "weights, gradients, moments, and one more copy in a foreach step: {N}·({w} + {g} + {m} + {w}) / 10^9 = {answer} GB",
        "measured 20.0 bytes a parameter in fp32, 10.0 in bf16 (torch 2.13)",
        terms={
            "w": lambda N, r: _STEP[r][0],
            "g": lambda N, r: _STEP[r][1],
            "m": lambda N, r: _STEP[r][2],
        },
    ),
    Family(
        "mem.accum_batch",
        "mem.grad-accum",
        {"m": (1, 2, 4, 8), "k": (1, 2, 4, 8, 16), "d": (1, 4, 8, 64)},
        "samples",
        0.0,
        lambda m, k, d: anatomy.global_batch(m, k, d),
        {"the replicas were forgotten": lambda m, k, d: m * k, "the accumulation was forgotten": lambda m, k, d: m * d},
        "{m} · {k} · {d} = {answer}",
        "Hugging Face ultra-scale playbook",
        lambda m, k, d: d > 1 and k > 1,
    ),
    Family(
        "mem.micro_batch",
        "mem.grad-accum",
        {"M": (24, 40, 48, 80), "S": (6, 11, 17, 28, 35), "x": (0.7, 1.3, 1.9, 2.6, 3.4)},
        "samples",
        0.0,
        lambda M, S, x: anatomy.largest_micro_batch(M * GB, S * GB, x * GB),
        {
            "the state was forgotten": lambda M, S, x: floor(M / x),
            "the last one was rounded up and does not fit": lambda M, S, x: ceiling((M - S) / x),
        },
        "⌊({M} - {S}) / {x}⌋ = {answer}",
        "activations grow with the batch, state does not; measured (torch 2.13)",
        lambda M, S, x: 2 * x < M - S and floor((M - S) / x) != ceiling((M - S) / x),
    ),
)
