"""Families about optimizer state, precision and trainable parameters."""

from __future__ import annotations

from tutor.content.families.family import Family
from tutor.formulas import optimizer as opt
from tutor.formulas import precision
from tutor.formulas.units import GB, KIB, MB

_SIZES = (0.35e9, 1e9, 1.3e9, 3e9, 7e9, 8e9, 13e9, 30e9, 70e9)

_WIDER = (
    "bf16-weights+fp32-grads+fp32-master-adamw",
    "bf16-weights+bf16-grads+fp32-master+fp32-grad-accum-adamw",
)

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
        "weights, gradients, master copy and moments: {N}·({w} + {g} + {c} + {m}) / 10^9 = {answer} GB",
        "ZeRO 3.1; stas00/ml-engineering; EleutherAI cookbook",
        terms={
            "w": lambda N, r: opt.RECIPES[r].weights,
            "g": lambda N, r: opt.RECIPES[r].gradients,
            "c": lambda N, r: opt.RECIPES[r].master,
            "m": lambda N, r: opt.RECIPES[r].moments,
        },
    ),
    Family(
        "opt.max_params",
        "opt.bytes-recipe",
        {"r": tuple(opt.RECIPES), "g": (1, 2, 4, 8, 16, 64), "m": (24, 40, 80, 141, 192)},
        "B params",
        0.05,
        lambda r, g, m: opt.largest_model(g, m * GB, r) / 1e9,
        {"only the weights were counted": lambda r, g, m: g * m / opt.RECIPES[r].weights},
        "all memory over the bytes of a parameter: {g}·{m} / {bytes} = {answer} billion",
        "Stanford CS336, lecture 2",
        terms={"bytes": lambda r, g, m: opt.RECIPES[r].total},
    ),
    Family(
        "opt.adam_moments_gb",
        "opt.sgd-vs-adam",
        {"N": _SIZES},
        "GB",
        0.05,
        lambda N: opt.moments_bytes(N) / GB,
        {"one moment was counted, or both in 16 bits": lambda N: 4 * N / GB},
        "two fp32 moments: {N}·8 / 10^9 = {answer} GB",
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
        "{N}·(2 + 4 + 4 + 4) / 10^9 = {answer} GB",
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
    Family(
        "opt.lora_mb",
        "opt.peft",
        {"r": (4, 8, 16, 32, 64), "h": (2048, 4096, 5120, 8192), "L": (24, 32, 40, 80)},
        "MB",
        0.03,
        lambda r, h, L: 12 * L * 4 * opt.lora_parameters(r, h, h) / MB,
        {
            "the gradients were forgotten": lambda r, h, L: 8 * L * 4 * opt.lora_parameters(r, h, h) / MB,
            "one factor was counted": lambda r, h, L: 12 * L * 4 * r * h / MB,
            "one Linear a layer was counted": lambda r, h, L: 12 * L * opt.lora_parameters(r, h, h) / MB,
        },
        "4 bytes of gradient and 8 of moments: 12·{L}·4·{r}·({h} + {h}) / 10^6 = {answer} MB",
        "Hu et al. 2021, LoRA (arXiv:2106.09685); fp32 AdamW, four square Linears a layer",
    ),
    Family(
        "opt.eight_bit_gb",
        "opt.low-mem-optim",
        {"N": (1e9, 1.3e9, 3e9, 7e9, 8e9, 13e9, 30e9), "B": (32, 64, 128)},
        "GB",
        0.01,
        lambda N, B: opt.eight_bit_moments_bytes(N, B) / GB,
        {
            "the scales were forgotten": lambda N, B: 2 * N / GB,
            "one moment was counted": lambda N, B: opt.eight_bit_moments_bytes(N, B) / 2 / GB,
            "the moments stayed in fp32": lambda N, B: opt.moments_bytes(N) / GB,
        },
        "two moments of a byte, a scale of 4 for each {B}: 2·{N}·(1 + 4/{B}) / 10^9 = {answer} GB",
        "Dettmers et al. 2021, 8-bit optimizers (arXiv:2110.02861)",
    ),
    Family(
        "opt.adafactor_kib",
        "opt.low-mem-optim",
        {"n": (1024, 2048, 4096, 5120, 8192), "m": (4096, 11008, 14336, 16384)},
        "KiB",
        0.01,
        lambda n, m: opt.factored_matrix_bytes(n, m) / KIB,
        {
            "the whole matrix was kept": lambda n, m: 4 * n * m / KIB,
            "one side was counted": lambda n, m: 4 * n / KIB,
            "16 bits were assumed": lambda n, m: 2 * (n + m) / KIB,
        },
        "a row and a column in fp32: 4·({n} + {m}) / 1024 = {answer} KiB",
        "Shazeer and Stern 2018, Adafactor (arXiv:1804.04235)",
    ),
    Family(
        "opt.autocast_gb",
        "opt.autocast",
        {"N": (0.35e9, 0.77e9, 1.3e9, 1.5e9, 2.7e9, 3e9, 6.7e9, 7e9, 13e9)},
        "GB",
        0.04,
        lambda N: opt.autocast_weights_bytes(N) / GB,
        {
            "autocast was taken to store the weights in 16 bits": lambda N: 2 * N / GB,
            "the 16-bit copies were forgotten": lambda N: 4 * N / GB,
        },
        "fp32 weights and the bf16 copies kept for backward: {N}·(4 + 2) / 10^9 = {answer} GB",
        "torch.autocast; measured copies of each Linear's weight (torch 2.13, CPU)",
    ),
    Family(
        "opt.mixed_growth_gb",
        "opt.mixed-not-smaller",
        {"N": (1e9, 1.3e9, 3e9, 7e9, 8e9, 13e9, 30e9, 70e9), "r": _WIDER},
        "GB",
        0.04,
        lambda N, r: (opt.state_bytes(N, r) - opt.state_bytes(N, "fp32-adamw")) / GB,
        {
            "half of the state was taken as saved": lambda N, r: 8 * N / GB,
            "the new state was given, not its growth": lambda N, r: opt.state_bytes(N, r) / GB,
            "only the weights were compared": lambda N, r: None if opt.RECIPES[r].total == 18 else 2 * N / GB,
        },
        "{N}·({bytes} - 16) / 10^9 = {answer} GB",
        "stas00/ml-engineering 18 bytes, Hugging Face ultra-scale playbook 20, fp32 AdamW 16",
        terms={"bytes": lambda N, r: opt.RECIPES[r].total},
    ),
    Family(
        "opt.spacing",
        "opt.formats",
        {"f": ("bf16", "fp16"), "e": (10, 11, 12, 13, 14, 15)},
        "",
        0.0,
        lambda f, e: precision.spacing(f, e),
        {
            "the spacing of the other 16-bit format": lambda f, e: precision.spacing(
                "fp16" if f == "bf16" else "bf16", e
            ),
            "the leading bit was counted as stored": lambda f, e: precision.spacing(f, e) / 2,
        },
        "2^({e} - {k}) = {answer}",
        "IEEE 754-2019, 3.3; measured bf16 256 + 1 = 256 (torch 2.13)",
        terms={"k": lambda f, e: precision.FORMATS[f][1]},
    ),
    Family(
        "opt.least_change",
        "opt.master-weights",
        {"f": ("bf16", "fp16"), "e": (-4, -3, -2, -1, 0, 1, 2, 3)},
        "",
        0.02,
        lambda f, e: precision.least_change(f, e),
        {
            "a whole spacing was taken for half": lambda f, e: precision.spacing(f, e),
            "the other 16-bit format was taken": lambda f, e: precision.least_change(
                "fp16" if f == "bf16" else "bf16", e
            ),
        },
        "half a spacing: 2^({e} - {k} - 1) = {answer}",
        "IEEE 754-2019; measured bf16 1 + 0.001 a hundred times = 1 (torch 2.13)",
        terms={"k": lambda f, e: precision.FORMATS[f][1]},
    ),
    Family(
        "opt.loss_scale",
        "opt.loss-scaling",
        {"k": (18, 20, 21, 22, 24, 25, 26, 27, 28, 30)},
        "doublings",
        0.0,
        lambda k: precision.loss_scale_exponent(2.0**-k),
        {
            "subnormal numbers were taken as exact": lambda k: None if k <= 24 else k - 24,
            "fp16's own exponents were forgotten": lambda k: k,
            "the smallest normal was taken as 2^-15": lambda k: k - 15,
        },
        "from 2^-{k} to fp16's smallest normal 2^-14: {k} - 14 = {answer}",
        "Micikevicius et al. 2017, section 3.2 (arXiv:1710.03740)",
    ),
)
