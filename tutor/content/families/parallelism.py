"""Families about tensor, sequence, context, pipeline and expert parallelism."""

from __future__ import annotations

import math

from tutor.content.families.family import Family
from tutor.formulas import activations as act
from tutor.formulas import anatomy, parallel
from tutor.formulas.rounding import floor
from tutor.formulas.units import GB, GIB, MIB

_LAYER = {"t": (2, 4, 8), "s": (2048, 4096), "b": (1, 4), "h": (8192, 12288), "a": (64, 96)}

FAMILIES = (
    Family(
        "par.tp_act_gib",
        "par.tp",
        _LAYER,
        "GiB",
        0.03,
        lambda t, s, b, h, a: parallel.tensor_layer_bytes(s, b, h, a, t) / GIB,
        {
            "everything was divided, as with sequence parallelism": lambda t, s, b, h, a: (
                parallel.sequence_layer_bytes(s, b, h, a, t) / GIB
            ),
            "nothing was divided": lambda t, s, b, h, a: act.layer_bytes(s, b, h, a) / GIB,
        },
        "s·b·h·(10 + 24/t + 5as/(ht)) = {s}·{b}·{h}·(10 + 24/{t} + 5·{a}·{s}/({h}·{t})) / 2^30 = {answer} GiB",
        "Korthikanti et al. 2022, 4.2.1",
        lambda t, s, b, h, a: h % a == 0,
    ),
    Family(
        "par.tp_traffic_gb",
        "par.tp",
        {"T": (4096, 8192, 16384), "h": (4096, 8192, 12288), "L": (32, 64, 80), "t": (2, 4, 8)},
        "GB",
        0.03,
        lambda T, h, L, t: parallel.tensor_traffic(T, h, L, t) / GB,
        {
            "only forward was counted": lambda T, h, L, t: parallel.tensor_traffic(T, h, L, t) / 2 / GB,
            "a rank's whole hidden state was sent each time": lambda T, h, L, t: (
                None if t == 2 else 4 * L * T * h * 2 / GB
            ),
            "one all-reduce a layer was counted": lambda T, h, L, t: parallel.tensor_traffic(T, h, L, t) / 4 / GB,
        },
        "four ring all-reduces a layer: 4·{L}·2·({t} - 1)/{t}·{T}·{h}·2 / 10^9 = {answer} GB",
        "Megatron-LM (arXiv:1909.08053)",
    ),
    Family(
        "par.tpsp_act_gib",
        "par.sp",
        _LAYER,
        "GiB",
        0.03,
        lambda t, s, b, h, a: parallel.sequence_layer_bytes(s, b, h, a, t) / GIB,
        {
            "norms and dropouts stayed whole": lambda t, s, b, h, a: parallel.tensor_layer_bytes(s, b, h, a, t) / GIB,
            "nothing was divided": lambda t, s, b, h, a: act.layer_bytes(s, b, h, a) / GIB,
        },
        "s·b·h/t·(34 + 5as/h) = {s}·{b}·{h}/{t}·(34 + 5·{a}·{s}/{h}) / 2^30 = {answer} GiB",
        "Korthikanti et al. 2022, 4.2.2",
        lambda t, s, b, h, a: h % a == 0,
    ),
    Family(
        "par.cp_hop_mib",
        "par.cp",
        {"T": (32768, 65536, 131072, 262144), "c": (4, 8, 16), "k": (4, 8, 16)},
        "MiB",
        0.02,
        lambda T, c, k: parallel.ring_attention_hop(T, c, k, 128) / MIB,
        {
            "the whole sequence was handed on": lambda T, c, k: parallel.ring_attention_hop(T, 1, k, 128) / MIB,
            "keys or values were forgotten": lambda T, c, k: parallel.ring_attention_hop(T, c, k, 128) / 2 / MIB,
        },
        "keys and values of T/c tokens: 2·{T}/{c}·{k}·128·2 / 2^20 = {answer} MiB",
        "Liu et al. 2023, Ring Attention (arXiv:2310.01889)",
    ),
    Family(
        "par.cp_block",
        "par.cp",
        {"F": (312, 400, 600, 989), "w": (25, 40, 50, 100, 450)},
        "tokens",
        0.02,
        lambda F, w: parallel.ring_attention_block(F * 1e12, w * GB),
        {
            "multiply-adds were counted as one": lambda F, w: 2 * F * 1e12 / (w * GB),
            "only the keys were sent": lambda F, w: F * 1e12 / (w * GB) / 2,
        },
        "4·d·c² FLOPs take as long as 4·d·c bytes at c = {F}·10^12 / ({w}·10^9) = {answer} tokens",
        "Liu et al. 2023, Ring Attention (arXiv:2310.01889)",
        lambda F, w: (F * 1e12 / (w * GB)) % 1 == 0,
    ),
    Family(
        "par.stage_send_mib",
        "par.pp",
        {"s": (2048, 4096, 8192), "b": (1, 2, 4), "h": (4096, 5120, 8192, 12288), "m": (8, 16, 32)},
        "MiB",
        0.02,
        lambda s, b, h, m: 2 * m * act.hidden_bytes(s, b, h) / MIB,
        {
            "only forward was counted": lambda s, b, h, m: m * act.hidden_bytes(s, b, h) / MIB,
            "one micro-batch was counted": lambda s, b, h, m: 2 * act.hidden_bytes(s, b, h) / MIB,
        },
        "a hidden state forward and its gradient back, for each micro-batch: 2·{m}·{s}·{b}·{h}·2 / 2^20 = {answer} MiB",
        "Narayanan et al. 2021 (arXiv:2104.04473)",
    ),
    Family(
        "par.bubble",
        "par.bubble",
        {"p": (2, 4, 8, 16), "m": (4, 8, 12, 16, 32, 64)},
        "fraction",
        0.02,
        lambda p, m: parallel.bubble(p, m),
        {
            "idle time was set against ideal time": lambda p, m: (p - 1) / m,
            "a stage too many was counted": lambda p, m: p / (m + p),
        },
        "(p - 1)/(m + p - 1) = ({p} - 1) / ({m} + {p} - 1) = {answer}",
        "GPipe (arXiv:1811.06965)",
    ),
    Family(
        "par.interleaved",
        "par.bubble",
        {"p": (4, 8, 16), "v": (2, 3, 4), "m": (8, 16, 32, 64)},
        "x",
        0.02,
        lambda p, v, m: parallel.interleaved_bubble(p, m, v),
        {
            "the chunks were forgotten": lambda p, v, m: (p - 1) / m,
            "idle time was set against all time": lambda p, v, m: (p - 1) / (v * m + p - 1),
        },
        "(p - 1)/(v·m) = ({p} - 1) / ({v}·{m}) = {answer}",
        "Narayanan et al. 2021, 2.2 (arXiv:2104.04473)",
    ),
    Family(
        "par.micro_batches",
        "par.bubble",
        {"p": (4, 8, 12, 16), "x": (0.05, 0.08, 0.1, 0.15, 0.2, 0.25)},
        "micro-batches",
        0.0,
        lambda p, x: parallel.micro_batches_for(p, x),
        {
            "idle time was set against ideal time": lambda p, x: math.ceil(round((p - 1) / x, 9)),
            "a stage too many was counted": lambda p, x: math.ceil(round(p * (1 - x) / x, 9)),
        },
        "⌈({p} - 1)·(1 - {x}) / {x}⌉ = {answer}",
        "GPipe (arXiv:1811.06965), solved for m",
    ),
    Family(
        "par.in_flight_gib",
        "par.1f1b",
        {"p": (4, 8, 16), "m": (16, 32, 64), "i": (0, 1, 2, 3), "x": (0.5, 0.75, 1.5, 2)},
        "GiB",
        0.02,
        lambda p, m, i, x: parallel.live_micro_batches(p, m, i) * x,
        {
            "all micro-batches were held, as in GPipe": lambda p, m, i, x: m * x,
            "one micro-batch was held": lambda p, m, i, x: x,
            "the first stage was taken": lambda p, m, i, x: None if i == 0 else p * x,
        },
        "stage i of p holds p - i micro-batches: ({p} - {i})·{x} = {answer} GiB",
        "Narayanan et al. 2021, 2.2 (arXiv:2104.04473)",
        lambda p, m, i, x: p < m and p - i > 1,
    ),
    Family(
        "par.replicas",
        "par.placement",
        {"t": (2, 4, 8), "p": (2, 4, 8), "g": (64, 128, 256, 512, 1024)},
        "replicas",
        0.0,
        lambda t, p, g: parallel.data_parallel_replicas(g, t, p),
        {
            "the stages were forgotten": lambda t, p, g: g // t,
            "the degrees were added": lambda t, p, g: floor(g / (t + p)),
        },
        "{g} / ({t}·{p}) = {answer}",
        "Narayanan et al. 2021: p·t·d = n (arXiv:2104.04473)",
    ),
    Family(
        "par.expert_params",
        "par.ep",
        {"e": (8, 16, 32, 64), "x": (0.5, 1.5, 3, 5.5), "k": (1, 2, 4), "s": (2, 5, 9)},
        "B params",
        0.03,
        lambda e, x, k, s: anatomy.expert_parameters(s * 1e9, x * 1e9, k) / 1e9,
        {
            "all experts were counted": lambda e, x, k, s: s + e * x,
            "what is shared was forgotten": lambda e, x, k, s: k * x,
            "one expert was counted": lambda e, x, k, s: None if k == 1 else s + x,
        },
        "of {e} experts a token uses {k}: {s} + {k}·{x} = {answer} billion",
        "Switch Transformers (arXiv:2101.03961)",
    ),
    Family(
        "par.capacity",
        "par.ep",
        {"T": (2048, 4096, 8192, 16384), "e": (8, 16, 32, 64), "k": (1, 2), "f": (1.0, 1.25, 1.5, 2.0)},
        "tokens",
        0.0,
        lambda T, e, k, f: parallel.expert_capacity(T, e, k, f),
        {
            "the second expert of each token was forgotten": lambda T, e, k, f: T * f / e if k == 2 else None,
            "the room above an even load was forgotten": lambda T, e, k, f: None if f == 1 else T * k / e,
            "the room above an even load was taken off": lambda T, e, k, f: None if f == 1 else floor(T * k / e / f),
        },
        "{T}·{k}/{e}·{f} = {answer}",
        "Switch Transformers, 2.2 (arXiv:2101.03961)",
        lambda T, e, k, f: not (k == 1 and f == 1.0),
    ),
    Family(
        "par.expert_traffic_mib",
        "par.ep",
        {"T": (4096, 8192, 16384), "h": (2048, 4096, 5120, 7168), "k": (1, 2, 4, 8), "n": (4, 8, 16)},
        "MiB",
        0.02,
        lambda T, h, k, n: parallel.expert_traffic(T, h, k, n) / MIB,
        {
            "the way back was forgotten": lambda T, h, k, n: (
                None if k == 2 else parallel.expert_traffic(T, h, k, n) / 2 / MIB
            ),
            "each token was sent to one expert": lambda T, h, k, n: (
                None if k <= 2 else parallel.expert_traffic(T, h, 1, n) / MIB
            ),
            # With two experts both mistakes give one number: name both.
            "the way back was forgotten, or each token was sent to one expert": lambda T, h, k, n: (
                parallel.expert_traffic(T, h, 1, n) / MIB if k == 2 else None
            ),
        },
        "out and back, all but the own share: 2·{T}·{k}·{h}·2·({n} - 1)/{n} / 2^20 = {answer} MiB",
        "GShard (arXiv:2006.16668)",
    ),
)
