"""Attention: what scores, statistics and caches weigh, what fused kernels move and run again, and when attention's FLOPs rule."""

from __future__ import annotations

import math

from tutor.formulas.quantities import Bytes, Count, Factor, Flops, Real, Share, formula
from tutor.formulas.rounding import ceiling


@formula
def quadratic_share(tokens: Count, width: Count, heads: Count) -> Share:
    """Return the share of an fp16 layer's stored activations that are s by s: (5as/h) / (34 + 5as/h).

    tokens: in a sequence, such as 2048
    width: channels of the hidden state, such as 12288
    heads: attention heads, such as 96
    Source: Korthikanti et al. 2022 (arXiv:2205.05198), whose selective recomputation drops this share; 70 % at GPT-3's size.
    """
    return (5 * heads * tokens / width) / (34 + 5 * heads * tokens / width)


@formula
def statistics_bytes(batch: Count, heads: Count, tokens: Count) -> Bytes:
    """Return bytes that fused attention keeps instead of the scores: one fp32 log-sum-exp a row.

    batch: sequences, such as 4
    heads: attention heads, such as 32
    tokens: in a sequence, such as 8192
    Source: Dao et al. 2022, FlashAttention (arXiv:2205.14135); saved bytes linear in s, measured with torch 2.13.
    """
    return 4 * batch * heads * tokens


@formula
def materialised_traffic(tokens: Count, head_width: Count, element: Bytes = 2) -> Bytes:
    """Return bytes one head of unfused attention moves between the chip and its memory in forward: (4Nd + 4N²) · bytes.

    Q, K, V and the output once each; scores written and read, weights written and read.
    tokens: in a sequence, such as 4096
    head_width: channels of a head, such as 128
    element: bytes an element
    Source: Dao et al. 2022 (arXiv:2205.14135), algorithm 0, counted line by line.
    """
    return (4 * tokens * head_width + 4 * tokens**2) * element


@formula
def block_columns(fast_memory: Bytes, head_width: Count, element: Bytes = 2) -> Count:
    """Return the keys of one block of FlashAttention: a quarter of the fast memory holds them, ⌈M / 4d⌉.

    fast_memory: on-chip memory of one processor, such as 96 KiB
    head_width: channels of a head, such as 128
    element: bytes an element
    Source: Dao et al. 2022 (arXiv:2205.14135), algorithm 1: blocks of Q, K, V and the output share the memory.
    """
    return ceiling(fast_memory / element / (4 * head_width))


@formula
def merged_sum(sum_before: Real, max_before: Real, sum_block: Real, max_block: Real) -> Real:
    """Return the softmax's denominator after one more block: l · e^(m - M) + l' · e^(m' - M), with M the larger maximum.

    sum_before: denominator of what came before, such as 4
    max_before: maximum it refers to, such as 2
    sum_block: denominator of the block by itself, such as 3
    max_block: maximum of the block, such as 3
    Source: Milakov and Gimelshein 2018, Online normalizer calculation for softmax (arXiv:1805.02867).
    """
    largest = max(max_before, max_block)
    return sum_before * math.exp(max_before - largest) + sum_block * math.exp(max_block - largest)


@formula
def fused_step_flops(batch: Count, heads: Count, tokens: Count, head_width: Count) -> Flops:
    """Return FLOPs of fused attention forward and backward: 7 products of 2·s²·d a head, one of them the scores again.

    batch: sequences, such as 1
    heads: attention heads, such as 32
    tokens: in a sequence, such as 8192
    head_width: channels of a head, such as 128
    Source: Dao 2023, FlashAttention-2 (arXiv:2307.08691): two products forward, five backward, no causal discount.
    """
    return 14 * batch * heads * tokens**2 * head_width


@formula
def flops_over_linears(tokens: Count, width: Count) -> Factor:
    """Return attention's FLOPs over those of all Linears of a layer: T / 8D.

    For an MLP of three matrices of 4D² and no causal discount: 4·T·D a token against 32·D².
    tokens: in a sequence, such as 8192
    width: channels of the hidden state, such as 4096
    Source: Scaling book (jax-ml), transformer arithmetic.
    """
    return tokens / (8 * width)


@formula
def projection_crossover(width: Count) -> Count:
    """Return the tokens at which attention's FLOPs equal those of its four projections: 4TD = 8D², so T = 2D.

    width: channels of the hidden state, such as 4096
    Source: Scaling book (jax-ml), transformer arithmetic; 8192 at D = 4096.
    """
    return 2 * width


@formula
def cache_bytes_per_token(layers: Count, kv_heads: Count, head_width: Count, element: Bytes = 2) -> Bytes:
    """Return bytes of keys and values a token leaves in the cache: 2 · layers · heads · channels · bytes.

    layers: transformer blocks, such as 32
    kv_heads: key and value heads, such as 8
    head_width: channels of a head, such as 128
    element: bytes an element
    Source: Shazeer 2019 (arXiv:1911.02150); 128 KiB for Llama 3.1 8B.
    """
    return 2 * layers * kv_heads * head_width * element


@formula
def latent_bytes_per_token(layers: Count, latent: Count, rotary: Count, element: Bytes = 2) -> Bytes:
    """Return bytes a token leaves in the cache of latent attention: one shared vector and its rotary part a layer.

    layers: transformer blocks, such as 60
    latent: channels of the compressed keys and values, such as 512
    rotary: channels that carry the position, such as 64
    element: bytes an element
    Source: DeepSeek-AI 2024, DeepSeek-V2 (arXiv:2405.04434), 2.1.
    """
    return layers * (latent + rotary) * element


@formula
def window_cache_bytes(
    tokens: Count, window: Count, layers: Count, kv_heads: Count, head_width: Count, element: Bytes = 2
) -> Bytes:
    """Return cache bytes of one sequence when each layer looks back over a window: the window is all that is kept.

    tokens: in the sequence, such as 32768
    window: tokens a layer looks back, such as 4096
    layers: transformer blocks, such as 32
    kv_heads: key and value heads, such as 8
    head_width: channels of a head, such as 128
    element: bytes an element
    Source: Jiang et al. 2023, Mistral 7B (arXiv:2310.06825), rolling buffer cache.
    """
    return min(tokens, window) * 2 * layers * kv_heads * head_width * element


@formula
def cache_reduction(heads: Count, kv_heads: Count) -> Factor:
    """Return by what factor grouped heads shrink the cache: query heads over key and value heads.

    heads: query heads, such as 64
    kv_heads: key and value heads, such as 8
    Source: Ainslie et al. 2023, GQA (arXiv:2305.13245).
    """
    return heads / kv_heads
