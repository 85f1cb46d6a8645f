"""Families about optimizer state and trainable parameters."""

from __future__ import annotations

from tutor.content.families.family import Family
from tutor.formulas import optimizer as opt
from tutor.formulas.units import GB

_SIZES = (0.35e9, 1e9, 1.3e9, 3e9, 7e9, 8e9, 13e9, 30e9, 70e9)

FAMILIES = (
    Family(
        "opt.model_state_gb",
        "opt.bytes-recipe",
        {"N": _SIZES, "r": tuple(opt.RECIPES)},
        "GB",
        0.05,
        lambda N, r: opt.state_bytes(N, r) / GB,
        {
            "only the weights were counted": lambda N, r: N * opt.RECIPES[r].weights / GB,
            "the gradients were forgotten": lambda N, r: (
                None
                if opt.RECIPES[r].gradients == opt.RECIPES[r].moments / 2
                else N * (opt.RECIPES[r].total - opt.RECIPES[r].gradients) / GB
            ),
            "the moments were counted in half precision": lambda N, r: (
                None
                if opt.RECIPES[r].moments / 2 in (0, opt.RECIPES[r].gradients)
                else N * (opt.RECIPES[r].total - opt.RECIPES[r].moments / 2) / GB
            ),
            # Where both mistakes give one number, no typed value can tell them apart: name both.
            "the gradients were forgotten, or the moments counted in half precision": lambda N, r: (
                N * (opt.RECIPES[r].total - opt.RECIPES[r].gradients) / GB
                if opt.RECIPES[r].gradients == opt.RECIPES[r].moments / 2
                else None
            ),
        },
        "{N} parameters times the bytes of {r}: {answer} GB",
        "ZeRO 3.1; stas00/ml-engineering; EleutherAI cookbook",
    ),
    Family(
        "opt.max_params",
        "opt.bytes-recipe",
        {"r": tuple(opt.RECIPES), "g": (1, 2, 4, 8, 16, 64), "m": (24, 40, 80, 141, 192)},
        "B params",
        0.05,
        lambda r, g, m: opt.largest_model(g, m * GB, r) / 1e9,
        {"only the weights were counted": lambda r, g, m: g * m / opt.RECIPES[r].weights},
        "{g} · {m} GB divided by the bytes of {r}: {answer} billion",
        "Stanford CS336, lecture 2",
    ),
    Family(
        "opt.adam_moments_gb",
        "opt.sgd-vs-adam",
        {"N": _SIZES},
        "GB",
        0.05,
        lambda N: opt.moments_bytes(N) / GB,
        {"one moment was counted, or both in 16 bits": lambda N: 4 * N / GB},
        "{N} · 8 bytes = {answer} GB",
        "measured: 8.000004 bytes a parameter (torch 2.13)",
    ),
    Family(
        "opt.ckpt_file_gb",
        "opt.master-weights",
        {"N": (*_SIZES, 176e9)},
        "GB",
        0.05,
        lambda N: opt.resumable_checkpoint_bytes(N) / GB,
        {"only the bf16 weights were saved": lambda N: 2 * N / GB},
        "{N} · (2 + 4 + 4 + 4) bytes = {answer} GB",
        "arithmetic; stas00/ml-engineering reports 2.3 TB for 176B parameters",
    ),
    Family(
        "opt.lora_params",
        "opt.peft",
        {"r": (4, 8, 16, 64), "din": (2048, 4096, 8192), "dout": (2048, 4096, 11008, 16384)},
        "params",
        0.0,
        lambda r, din, dout: opt.lora_parameters(r, din, dout),
        {
            "the sizes were multiplied": lambda r, din, dout: r * din * dout,
            "one factor was counted": lambda r, din, dout: r * din,
        },
        "{r} · ({din} + {dout}) = {answer}",
        "Hu et al. 2021, LoRA: two factors of rank r",
    ),
)
