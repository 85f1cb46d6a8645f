"""Families about attention: scores and what replaces them, blocks, the running softmax, FLOPs, grouped heads."""

from __future__ import annotations

import math

from tutor.content.families.family import Family
from tutor.formulas import activations as act
from tutor.formulas import attention
from tutor.formulas.units import GB, GIB, KIB, MIB

FAMILIES = (
    Family(
        "attn.scores_gib",
        "attn.scores",
        {"b": (1, 2, 4), "a": (16, 32, 64), "s": (2048, 4096, 8192, 16384)},
        "GiB",
        0.05,
        lambda b, a, s: act.scores_bytes(b, a, s) / GIB,
        {
            "the heads were forgotten": lambda b, a, s: 2 * b * s * s / GIB,
            "it was taken as linear in s": lambda b, a, s: 2 * b * a * s * 128 / GIB,
        },
        "2·b·a·s² bytes = 2·{b}·{a}·{s}² / 2^30 = {answer} GiB",
        "arithmetic of shapes; the quadratic growth measured with torch 2.13",
    ),
    Family(
        "attn.traffic_mib",
        "attn.scores",
        {"N": (1024, 2048, 4096, 8192), "d": (64, 96, 128, 256)},
        "MiB",
        0.02,
        lambda N, d: attention.materialised_traffic(N, d) / MIB,
        {
            "the scores crossed once": lambda N, d: 2 * (4 * N * d + N * N) / MIB,
            "only queries, keys, values and the output were counted": lambda N, d: 8 * N * d / MIB,
            "fp32 bytes were used": lambda N, d: attention.materialised_traffic(N, d, 4) / MIB,
        },
        "scores and weights are written and read: 2·(4·{N}·{d} + 4·{N}²) / 2^20 = {answer} MiB",
        "Dao et al. 2022, algorithm 0 (arXiv:2205.14135)",
    ),
    Family(
        "attn.merged_sum",
        "attn.online-softmax",
        {"u": (2, 3, 5, 8, 12), "m": (1, 2, 3), "k": (2, 3, 4, 6), "n": (2, 3, 4, 5)},
        "",
        0.02,
        lambda u, m, k, n: attention.merged_sum(u, m, k, n),
        {
            "the sums were added as they are": lambda u, m, k, n: u + k,
            "the block was rescaled, not what came before": lambda u, m, k, n: u + k * math.exp(m - n),
            "the old sum was blown up": lambda u, m, k, n: u * math.exp(n - m) + k,
        },
        "the old sum shrinks to the new maximum: {u}·e^({m} - {n}) + {k} = {answer}",
        "Milakov and Gimelshein 2018 (arXiv:1805.02867)",
        lambda u, m, k, n: m < n,
    ),
    Family(
        "attn.kept_mib",
        "attn.flash",
        {"b": (1, 2, 4, 8), "a": (16, 32, 64), "s": (2048, 8192, 32768)},
        "MiB",
        0.02,
        lambda b, a, s: attention.statistics_bytes(b, a, s) / MIB,
        {
            "the scores themselves were kept": lambda b, a, s: act.scores_bytes(b, a, s) / MIB,
            "16 bits were assumed": lambda b, a, s: 2 * b * a * s / MIB,
            "one number was kept for all heads": lambda b, a, s: 4 * b * s / MIB,
        },
        "one fp32 number a row and head: 4·{b}·{a}·{s} / 2^20 = {answer} MiB",
        "Dao et al. 2022 (arXiv:2205.14135); saved bytes linear in s, measured (torch 2.13)",
    ),
    Family(
        "attn.block_keys",
        "attn.flash",
        {"M": (48, 64, 96, 100, 128, 160, 192), "d": (64, 96, 128)},
        "",
        0.0,
        lambda M, d: attention.block_columns(M * KIB, d),
        {
            "bytes were taken for elements": lambda M, d: math.ceil(M * KIB / (4 * d)),
            "the keys got all of the memory": lambda M, d: math.ceil(M * KIB / 2 / d),
        },
        "queries, keys, values and output share it: ⌈{M}·1024/2 / (4·{d})⌉ = {answer}",
        "Dao et al. 2022, algorithm 1 (arXiv:2205.14135)",
    ),
    Family(
        "attn.fused_tflop",
        "attn.flash-recompute",
        {"b": (1, 2, 4), "a": (16, 32, 64), "s": (4096, 8192, 16384), "d": (64, 128)},
        "TFLOP",
        0.03,
        lambda b, a, s, d: attention.fused_step_flops(b, a, s, d) / 1e12,
        {
            "the scores were not computed again": lambda b, a, s, d: 12 * b * a * s * s * d / 1e12,
            "only forward was counted": lambda b, a, s, d: 4 * b * a * s * s * d / 1e12,
            "multiply-adds were counted as one": lambda b, a, s, d: 7 * b * a * s * s * d / 1e12,
        },
        "2 products forward, 5 backward, 2·s²·d each: 14·{b}·{a}·{s}²·{d} / 10^12 = {answer} TFLOP",
        "Dao 2023, FlashAttention-2 (arXiv:2307.08691)",
    ),
    Family(
        "attn.flop_ratio",
        "attn.flop-share",
        {"T": (2048, 8192, 32768, 65536, 131072), "D": (2048, 4096, 5120, 8192)},
        "x",
        0.03,
        lambda T, D: attention.flops_over_linears(T, D),
        {
            "lengths were compared, not FLOPs": lambda T, D: T / D,
            "only the four projections were compared": lambda T, D: T / (2 * D),
        },
        "4·T·D over 32·D² = {T} / (8·{D}) = {answer}",
        "Scaling book, transformer arithmetic",
    ),
    Family(
        "attn.crossover",
        "attn.flop-share",
        {"D": (1024, 1536, 2048, 2560, 4096, 5120, 6144, 8192, 12288)},
        "tokens",
        0.0,
        lambda D: attention.projection_crossover(D),
        {
            "all Linears of the layer were compared": lambda D: 8 * D,
            "the length was set equal to the width": lambda D: D,
        },
        "4·T·D = 8·D² gives T = 2·{D} = {answer}",
        "Scaling book, transformer arithmetic; 8192 at D = 4096",
    ),
    Family(
        "attn.grouped_saving_gb",
        "attn.gqa",
        {"L": (32, 48, 80), "a": (32, 40, 64), "k": (4, 8), "T": (8192, 32768, 131072)},
        "GB",
        0.04,
        lambda L, a, k, T: (a - k) * T * attention.cache_bytes_per_token(L, 1, 128) / GB,
        {
            "what is left was given": lambda L, a, k, T: k * T * attention.cache_bytes_per_token(L, 1, 128) / GB,
            "what there was before was given": lambda L, a, k, T: (
                a * T * attention.cache_bytes_per_token(L, 1, 128) / GB
            ),
            "keys or values were forgotten": lambda L, a, k, T: (a - k) * T * L * 256 / GB,
        },
        "2·L·(a - k)·128·2 bytes a token: 2·{L}·({a} - {k})·128·2·{T} / 10^9 = {answer} GB",
        "Ainslie et al. 2023, GQA (arXiv:2305.13245)",
    ),
    Family(
        "attn.latent_kib",
        "attn.gqa",
        {"L": (27, 36, 48, 60, 61), "c": (256, 384, 512), "r": (32, 64)},
        "KiB",
        0.01,
        lambda L, c, r: attention.latent_bytes_per_token(L, c, r) / KIB,
        {
            "keys and values were counted apart": lambda L, c, r: 2 * attention.latent_bytes_per_token(L, c, r) / KIB,
            "the part for the position was forgotten": lambda L, c, r: 2 * L * c / KIB,
        },
        "one shared vector and its position: {L}·({c} + {r})·2 / 1024 = {answer} KiB",
        "DeepSeek-V2, 2.1 (arXiv:2405.04434)",
    ),
)
