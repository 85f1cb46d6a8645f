"""Decoding with and without a KV cache: bytes of the cache and matmul FLOPs, counted."""

from __future__ import annotations

from dataclasses import dataclass

from tutor.formulas.quantities import Count, Factor, WholeBytes, WholeFlops, WholeTokens, formula


@dataclass(frozen=True, slots=True)
class Decoder:
    """A decoder-only transformer without biases.

    layers: transformer blocks, L, such as 32
    heads: query heads, h, such as 32
    kv_heads: key and value heads, h_kv, such as 8
    head_width: channels of a head, d_h, such as 128
    vocabulary: entries of the vocabulary, V, such as 32000
    mlp: hidden width of the MLP over the width, f
    """

    layers: Count
    heads: Count
    kv_heads: Count
    head_width: Count
    vocabulary: Count
    mlp: Count = 4

    @property
    def width(self) -> int:
        """Channels of the hidden state, d = h·d_h."""
        return self.heads * self.head_width


@formula
def cache_bytes(d: Decoder, tokens: Count, batch: Count, bytes_per_element: Count) -> WholeBytes:
    """Return bytes of keys and values of all layers: 2·L·h_kv·d_h·T·B·bytes.

    tokens: of each sequence, T, such as 4096
    batch: sequences, B, such as 16
    bytes_per_element: of keys and values, such as 2
    Source: Shazeer 2019 (arXiv:1911.02150) and Ainslie et al. 2023 (arXiv:2305.13245) for fewer key/value heads.
    """
    return 2 * d.layers * d.kv_heads * d.head_width * tokens * batch * bytes_per_element


@formula
def linear_flops(d: Decoder) -> WholeFlops:
    """Return FLOPs of all Linears for one token: 2·(L·((2 + 2f)·d² + 2·d·h_kv·d_h) + d·V), two a multiply-add.

    Source: the list of matrix products; equal to torch's FlopCounterMode (torch 2.13).
    """
    block = (2 + 2 * d.mlp) * d.width**2 + 2 * d.width * d.kv_heads * d.head_width
    return 2 * (d.layers * block + d.width * d.vocabulary)


@formula
def attention_flops(d: Decoder, queries: Count, keys: Count) -> WholeFlops:
    """Return FLOPs of materialised attention, scores and weighted values: 4·L·d·queries·keys. Masked ones count too.

    queries: tokens that ask, such as 1
    keys: tokens that are looked at, such as 4096
    Source: the list of matrix products; equal to torch's FlopCounterMode (torch 2.13).
    """
    return 4 * d.layers * d.width * queries * keys


@formula
def tokens_run(prompt: Count, new: Count, cached: bool) -> WholeTokens:
    """Return tokens that go through the model to generate some: P + n - 1 cached, else n·P + n(n-1)/2.

    prompt: tokens of the prompt, P, such as 512
    new: tokens generated, n, such as 128
    cached: whether keys and values are kept, such as yes
    Source: counted; equal to the calls of a small decoder (torch 2.13).
    """
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


@formula
def linear_ratio(prompt: Count, new: Count) -> Factor:
    """Return FLOPs of the Linears without a cache over those with it; (n+1)/2 after a prompt of one token.

    prompt: tokens of the prompt, P, such as 1
    new: tokens generated, n, such as 128
    Source: counted; measured 64.5 for 128 tokens after one (torch 2.13).
    """
    return tokens_run(prompt, new, cached=False) / tokens_run(prompt, new, cached=True)
