"""Families about inference: caches, batches, prefill and decode, paging, quantised weights, speculation, service times."""

from __future__ import annotations

from tutor.content.families.family import Family
from tutor.formulas import attention, precision, serving
from tutor.formulas.rounding import floor
from tutor.formulas.units import GB, GIB, KIB

_CARDS = {197: 0.82, 312: 2.0, 459: 2.76, 989: 3.35, 2250: 8.0}
"""TFLOP/s in 16 bits and TB/s of one accelerator, as public comparisons print them."""

FAMILIES = (
    Family(
        "infer.kv_per_token_kib",
        "infer.kv",
        {"L": (24, 32, 40, 64, 80), "k": (1, 4, 8, 32, 64), "d": (64, 128, 256), "e": (1, 2)},
        "KiB",
        0.01,
        lambda L, k, d, e: attention.cache_bytes_per_token(L, k, d, e) / KIB,
        {
            "keys or values were forgotten": lambda L, k, d, e: L * k * d * e / KIB,
            "one layer was counted": lambda L, k, d, e: 2 * k * d * e / KIB,
            "fp32 bytes were used": lambda L, k, d, e: 2 * L * k * d * 4 / KIB,
        },
        "2·{L}·{k}·{d}·{e} / 1024 = {answer} KiB",
        "Shazeer 2019 (arXiv:1911.02150); 128 KiB for Llama 3.1 8B",
    ),
    Family(
        "infer.kv_total_gb",
        "infer.kv",
        {
            "b": (1, 8, 32, 128),
            "s": (1024, 4096, 8192, 32768),
            "L": (32, 48, 80),
            "a": (32, 40, 64),
            "k": (4, 8),
        },
        "GB",
        0.04,
        lambda b, s, L, a, k: b * s * attention.cache_bytes_per_token(L, k, 128) / GB,
        {
            "the query heads were counted": lambda b, s, L, a, k: (
                b * s * attention.cache_bytes_per_token(L, a, 128) / GB
            ),
            "keys or values were forgotten": lambda b, s, L, a, k: b * s * L * k * 128 * 2 / GB,
            "one sequence was counted": lambda b, s, L, a, k: (
                None if b == 1 else s * attention.cache_bytes_per_token(L, k, 128) / GB
            ),
        },
        "of {a} query heads the cache knows nothing: {b}·{s}·2·{L}·{k}·128·2 / 10^9 = {answer} GB",
        "stas00/ml-engineering, inference",
    ),
    Family(
        "infer.window_gib",
        "infer.kv",
        {"T": (16384, 32768, 65536, 131072), "W": (1024, 2048, 4096, 8192), "L": (24, 32, 48), "k": (4, 8, 16)},
        "GiB",
        0.04,
        lambda T, W, L, k: attention.window_cache_bytes(T, W, L, k, 128) / GIB,
        {
            "the whole sequence was kept": lambda T, W, L, k: T * attention.cache_bytes_per_token(L, k, 128) / GIB,
            "keys or values were forgotten": lambda T, W, L, k: W * L * k * 256 / GIB,
        },
        "of {T} tokens the last {W}: {W}·2·{L}·{k}·128·2 / 2^30 = {answer} GiB",
        "Mistral 7B (arXiv:2310.06825), rolling buffer",
    ),
    Family(
        "infer.decode_floor_ms",
        "infer.phases",
        {"N": (7e9, 8e9, 13e9, 34e9, 70e9), "e": (0.5, 1, 2), "w": (0.9, 2.0, 3.35, 4.8, 8.0)},
        "ms",
        0.03,
        lambda N, e, w: serving.decode_floor(N, e, w * 1e12) * 1e3,
        {
            "it was taken as bound by 989 TFLOP/s": lambda N, e, w: 2 * N / 989e12 * 1e3,
            "fp32 weights were read": lambda N, e, w: 4 * N / (w * 1e12) * 1e3,
        },
        "all weights are read once: {N}·{e} / ({w}·10^12)·1000 = {answer} ms",
        "Scaling book, inference; 42 ms for 70B in 16 bits at 3.35 TB/s",
    ),
    Family(
        "infer.prefill_s",
        "infer.phases",
        {"t": (2048, 8192, 32768), "N": (8e9, 34e9, 70e9), "g": (1, 4, 8), "p": (312, 989), "u": (0.3, 0.4, 0.5)},
        "s",
        0.03,
        lambda t, N, g, p, u: serving.prefill_seconds(N, t, g, p * 1e12, u),
        {
            "the FLOPs of training were taken": lambda t, N, g, p, u: 6 * N * t / (g * p * 1e12 * u),
            "the peak was taken as reached": lambda t, N, g, p, u: 2 * N * t / (g * p * 1e12),
            "one GPU did the work": lambda t, N, g, p, u: None if g == 1 else 2 * N * t / (p * 1e12 * u),
        },
        "2·N FLOPs a token: 2·{N}·{t} / ({g}·{p}·10^12·{u}) = {answer} s",
        "Scaling book, inference",
    ),
    Family(
        "infer.critical_batch",
        "infer.batching",
        {"p": tuple(_CARDS), "w": tuple(_CARDS.values()), "e": (0.5, 1, 2)},
        "",
        0.03,
        lambda p, w, e: serving.critical_batch(p * 1e12, w * 1e12, e),
        {
            "multiply-adds were counted as one": lambda p, w, e: p / w * e,
            "16-bit weights were assumed": lambda p, w, e: None if e == 2 else p / w,
        },
        "peak over bandwidth, times bytes over 2: {p}/{w}·{e}/2 = {answer} sequences",
        "Scaling book, inference: 240 for 197 TFLOP/s and 0.82 TB/s",
        lambda p, w, e: _CARDS[p] == w,
    ),
    Family(
        "infer.decode_tokens",
        "infer.batching",
        {
            "N": (7e9, 8e9, 13e9),
            "b": (8, 16, 32, 64),
            "s": (1024, 2048, 4096),
            "c": (64, 128, 256, 512),
            "w": (2.0, 3.35),
        },
        "tokens/s",
        0.03,
        lambda N, b, s, c, w: serving.decode_throughput(N, 2, b, s, c * KIB, w * 1e12),
        {
            "the cache was not read": lambda N, b, s, c, w: b / (2 * N / (w * 1e12)),
            "the weights were read for each sequence": lambda N, b, s, c, w: 1 / ((2 * N + s * c * KIB) / (w * 1e12)),
        },
        "a token each in the time of weights and caches: {b} / (({N}·2 + {b}·{s}·{c}·1024) / ({w}·10^12)) = {answer} tokens/s",
        "Scaling book, inference",
    ),
    Family(
        "infer.max_batch",
        "infer.batching",
        {"m": (80, 141, 192), "w": (14, 16, 26, 70), "r": (2, 4), "c": (128, 320, 512, 800), "s": (2048, 4096, 8192)},
        "sequences",
        0.0,
        lambda m, w, r, c, s: serving.largest_batch(m * GB, w * GB, r * GB, c * KIB, s),
        {
            "the weights were forgotten": lambda m, w, r, c, s: floor((m - r) * GB / (c * KIB * s)),
            "GB were divided by GiB": lambda m, w, r, c, s: (
                None
                if floor((m - w - r) / (c * KIB * s / GIB)) == floor((m - w - r) * GB / (c * KIB * s))
                else floor((m - w - r) / (c * KIB * s / GIB))
            ),
        },
        "⌊({m} - {w} - {r})·10^9 / ({c}·1024·{s})⌋ = {answer}",
        "arithmetic in one unit; 66 GB over 4096 tokens of 800 KiB are 19 sequences",
        lambda m, w, r, c, s: m > w + r and (m - w - r) * GB > 2 * c * KIB * s,
    ),
    Family(
        "infer.reserved_waste",
        "infer.paging",
        {"r": (1024, 2048, 4096, 8192), "u": (150, 256, 400, 512, 700, 1000)},
        "fraction",
        0.02,
        lambda r, u: serving.reserved_waste(r, u),
        {
            "the used share was given": lambda r, u: u / r,
            "waste was set against use": lambda r, u: (r - u) / u,
        },
        "1 - {u}/{r} = {answer}",
        "PagedAttention, section 3 (arXiv:2309.06180)",
        lambda r, u: u < r,
    ),
    Family(
        "infer.blocks",
        "infer.paging",
        {"t": (100, 333, 500, 777, 1000, 1500, 3001), "B": (8, 16, 32, 64), "q": (2, 4, 10)},
        "blocks",
        0.0,
        lambda t, B, q: q * serving.blocks(t, B),
        {
            "the last block was left out": lambda t, B, q: q * (t // B),
            "blocks were shared between sequences": lambda t, B, q: serving.blocks(q * t, B),
        },
        "each sequence fills its own: {q}·⌈{t}/{B}⌉ = {answer}",
        "PagedAttention, section 4 (arXiv:2309.06180)",
        lambda t, B, q: t % B != 0,
    ),
    Family(
        "infer.block_waste",
        "infer.paging",
        {"B": (8, 16, 32, 64, 128), "q": (10, 25, 40, 100)},
        "slots",
        0.005,
        lambda B, q: q * serving.mean_block_waste(B),
        {
            "the worst case was taken": lambda B, q: q * (B - 1),
            "half a block was taken": lambda B, q: q * B / 2 if B < 64 else None,
            "one sequence was counted": lambda B, q: serving.mean_block_waste(B),
        },
        "each last block wastes from 0 to {B} - 1: {q}·({B} - 1)/2 = {answer}",
        "mean of equally likely fills",
    ),
    Family(
        "infer.prefix_gb",
        "infer.prefix",
        {"q": (4, 8, 16, 32, 64), "t": (512, 1024, 2048, 4096), "c": (64, 128, 320, 512)},
        "GB",
        0.02,
        lambda q, t, c: serving.prefix_saving(q, t, c * KIB) / GB,
        {
            "the shared copy was taken as saved too": lambda q, t, c: q * t * c * KIB / GB if q <= 16 else None,
            "what is kept was given": lambda q, t, c: t * c * KIB / GB,
        },
        "all copies but one: ({q} - 1)·{t}·{c}·1024 / 10^9 = {answer} GB",
        "SGLang, RadixAttention (arXiv:2312.07104)",
    ),
    Family(
        "infer.quant_gb",
        "infer.quant",
        {"N": (7e9, 8e9, 13e9, 34e9, 70e9), "b": (3, 4, 8), "g": (32, 64, 128)},
        "GB",
        0.007,
        lambda N, b, g: precision.quantised_bytes(N, b, g) / GB,
        {
            "the scales were forgotten": lambda N, b, g: N * b / 8 / GB,
            "bits were taken for bytes": lambda N, b, g: N * b / GB,
        },
        "{N}·({b} + 16/{g}) / 8 / 10^9 = {answer} GB",
        "arithmetic of the layout; Dettmers et al. 2023, QLoRA (arXiv:2305.14314)",
    ),
    Family(
        "infer.spec_tokens",
        "infer.spec",
        {"g": (3, 4, 5, 6, 8), "a": (0.5, 0.6, 0.7, 0.8)},
        "",
        0.02,
        lambda g, a: serving.expected_tokens(g, a),
        {
            "the target's own token was forgotten": lambda g, a: serving.expected_tokens(g, a) - 1,
            "each draft counted by itself, whatever came before": lambda g, a: 1 + g * a,
            "all drafts were taken as accepted": lambda g, a: g + 1,
        },
        "(1 - {a}^({g} + 1)) / (1 - {a}) = {answer} tokens a pass",
        "Leviathan et al. 2022, equation 1 (arXiv:2211.17192)",
    ),
    Family(
        "infer.spec_speedup",
        "infer.spec",
        {"g": (2, 3, 4, 5, 8), "a": (0.5, 0.6, 0.7, 0.8, 0.9), "c": (0.05, 0.1, 0.2)},
        "x",
        0.02,
        lambda g, a, c: serving.speculative_speedup(g, a, c),
        {
            "the drafts were taken as free": lambda g, a, c: serving.expected_tokens(g, a),
            "the pass of the target was forgotten": lambda g, a, c: serving.expected_tokens(g, a) / (g * c),
        },
        "(1 - {a}^({g} + 1)) / ((1 - {a})·({g}·{c} + 1)) = {answer}",
        "Leviathan et al. 2022, theorem 3.8 (arXiv:2211.17192)",
    ),
    Family(
        "infer.request_s",
        "infer.metrics",
        {"f": (200, 350, 500, 900, 2000), "p": (15, 20, 30, 45), "n": (20, 50, 100, 200)},
        "s",
        0.005,
        lambda f, p, n: serving.request_seconds(f / 1e3, p / 1e3, n),
        {
            "the wait for the first token was forgotten": lambda f, p, n: (n - 1) * p / 1e3,
            "the first token was paid for each": lambda f, p, n: n * (f + p) / 1e3,
        },
        "({f} + ({n} - 1)·{p}) / 1000 = {answer} s",
        "definition of time to first token and time per output token",
    ),
    Family(
        "infer.in_flight",
        "infer.metrics",
        {"r": (2, 3, 5, 8, 20, 50), "t": (0.5, 1.5, 2, 4, 6, 12)},
        "requests",
        0.005,
        lambda r, t: serving.in_flight(r, t),
        {
            "the rate was divided by the time": lambda r, t: r / t,
            "the time was divided by the rate": lambda r, t: t / r,
        },
        "{r}·{t} = {answer} requests",
        "Little 1961",
    ),
    Family(
        "infer.cost_usd",
        "infer.metrics",
        {"x": (1.2, 1.8, 2.5, 3.2, 4.0), "t": (400, 900, 1500, 2500, 6000)},
        "$",
        0.02,
        lambda x, t: serving.cost_per_million(x, t),
        {
            "an hour was taken as a minute": lambda x, t: x / (t * 60) * 1e6,
            "an hour was taken as a second": lambda x, t: x / t * 1e6,
        },
        "{x} / ({t}·3600)·10^6 = {answer} dollars a million tokens",
        "arithmetic of rented hours",
    ),
)
