"""Decoding with and without a KV cache: bytes of the cache and matmul FLOPs, counted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Decoder:
    """A decoder-only transformer without biases: L layers, h query heads of d_h channels, h_kv key/value heads."""

    layers: int
    heads: int
    kv_heads: int
    head_width: int
    vocabulary: int
    mlp: int = 4
    """Hidden width of the MLP over the width, f."""

    @property
    def width(self) -> int:
        """Channels of the hidden state, d = h·d_h."""
        return self.heads * self.head_width


def cache_bytes(d: Decoder, tokens: int, batch: int, bytes_per_element: int) -> int:
    """Return bytes of keys and values of all layers: 2·L·h_kv·d_h·T·B·bytes.

    Source: Shazeer 2019 (arXiv:1911.02150) and Ainslie et al. 2023 (arXiv:2305.13245) for fewer key/value heads.
    """
    return 2 * d.layers * d.kv_heads * d.head_width * tokens * batch * bytes_per_element


def linear_flops(d: Decoder) -> int:
    """Return FLOPs of all Linears for one token: 2·(L·((2 + 2f)·d² + 2·d·h_kv·d_h) + d·V), two a multiply-add."""
    block = (2 + 2 * d.mlp) * d.width**2 + 2 * d.width * d.kv_heads * d.head_width
    return 2 * (d.layers * block + d.width * d.vocabulary)


def attention_flops(d: Decoder, queries: int, keys: int) -> int:
    """Return FLOPs of materialised attention, scores and weighted values: 4·L·d·queries·keys. Masked ones count too."""
    return 4 * d.layers * d.width * queries * keys


def tokens_run(prompt: int, new: int, cached: bool) -> int:
    """Return tokens that go through the model to generate `new` ones: P + n - 1 cached, else n·P + n(n-1)/2."""
    return prompt + new - 1 if cached else new * prompt + new * (new - 1) // 2


def decode_flops(d: Decoder, prompt: int, new: int, batch: int, cached: bool) -> int:
    """Return matmul FLOPs of generating `new` tokens after a prompt; logits are computed for each token that runs.

    Cached, the prompt runs once and each new token alone attends to all before it. Without a cache each step runs all
    tokens so far.
    """
    lengths = range(prompt, prompt + new)
    if cached:
        attention = attention_flops(d, prompt, prompt) + sum(attention_flops(d, 1, t) for t in lengths[1:])
    else:
        attention = sum(attention_flops(d, t, t) for t in lengths)
    return batch * (tokens_run(prompt, new, cached) * linear_flops(d) + attention)


def linear_ratio(prompt: int, new: int) -> float:
    """Return FLOPs of the Linears without a cache over those with it; (n+1)/2 after a prompt of one token."""
    return tokens_run(prompt, new, cached=False) / tokens_run(prompt, new, cached=True)
