"""Serving a decoder: prefill and decode, what fits in the cache, what paging and sharing save, what a draft model gains."""

from __future__ import annotations

from typing import Annotated

from tutor.formulas.quantities import (
    Bytes,
    BytesPerElement,
    BytesPerSecond,
    Count,
    Dollars,
    Factor,
    FlopsPerSecond,
    Number,
    Params,
    PerSecond,
    Quantity,
    Real,
    Seconds,
    Share,
    Tokens,
    TokensPerSecond,
    formula,
)
from tutor.formulas.rounding import ceiling, floor

Used = Annotated[float, Quantity("fraction", 1e-6, 1)]
Cache = Annotated[float, Quantity("B", 1)]
Rate = Annotated[float, Quantity("tokens/s", 1e-6)]


@formula
def decode_floor(parameters: Params, element: BytesPerElement, bandwidth: BytesPerSecond) -> Seconds:
    """Return the least seconds of a decode step: all weights are read once, the cache is left out.

    parameters: that a token uses, such as 70B
    element: bytes a weight, such as 2
    bandwidth: of the memory, such as 3.35 TB/s
    Source: Scaling book (jax-ml), inference; 42 ms for 70B in 16 bits at 3.35 TB/s.
    """
    return parameters * element / bandwidth


@formula
def decode_step(
    parameters: Params,
    element: BytesPerElement,
    batch: Count,
    context: Count,
    cache_per_token: Bytes,
    bandwidth: BytesPerSecond,
) -> Seconds:
    """Return the least seconds of a batched decode step: the weights once, and every sequence's cache.

    parameters: of the model, such as 8B
    element: bytes a weight, such as 2
    batch: sequences, such as 32
    context: tokens of each, such as 4096
    cache_per_token: bytes of keys and values a token, such as 128 KiB
    bandwidth: of the memory, such as 3.35 TB/s
    Source: Scaling book (jax-ml), inference.
    """
    return (parameters * element + batch * context * cache_per_token) / bandwidth


@formula
def decode_throughput(
    parameters: Params,
    element: BytesPerElement,
    batch: Count,
    context: Count,
    cache_per_token: Bytes,
    bandwidth: BytesPerSecond,
) -> TokensPerSecond:
    """Return the most tokens a second of a batch that memory bounds: each step gives one a sequence.

    parameters: of the model, such as 8B
    element: bytes a weight, such as 2
    batch: sequences, such as 32
    context: tokens of each, such as 4096
    cache_per_token: bytes of keys and values a token, such as 128 KiB
    bandwidth: of the memory, such as 3.35 TB/s
    Source: Scaling book (jax-ml), inference.
    """
    return batch / decode_step(parameters, element, batch, context, cache_per_token, bandwidth)


@formula
def critical_batch(peak: FlopsPerSecond, bandwidth: BytesPerSecond, element: BytesPerElement = 2) -> Real:
    """Return the batch at which a decode step's products turn from memory-bound to compute-bound: peak/bandwidth · bytes/2.

    peak: FLOPs a second, such as 197 TFLOP/s
    bandwidth: of the memory, such as 0.82 TB/s
    element: bytes a weight
    Source: Scaling book (jax-ml), inference: 240 for 197 TFLOP/s and 0.82 TB/s.
    """
    return peak / bandwidth * element / 2


@formula
def prefill_seconds(parameters: Params, tokens: Count, devices: Count, peak: FlopsPerSecond, used: Used) -> Seconds:
    """Return seconds of prefill: 2N FLOPs a token over what the devices do; attention's own are left out.

    parameters: that a token uses, such as 70B
    tokens: of the prompt, such as 8192
    devices: that share the work, such as 4
    peak: FLOPs a second of one, such as 989 TFLOP/s
    used: share of the peak, such as 40%
    Source: Scaling book (jax-ml), inference.
    """
    return 2 * parameters * tokens / (devices * peak * used)


@formula
def request_seconds(first_token: Seconds, per_token: Seconds, tokens: Count) -> Seconds:
    """Return seconds of a request from its time to the first token and the time for each token after it.

    first_token: queue and prefill, such as 400 ms
    per_token: of decode, such as 25 ms
    tokens: generated, the first among them, such as 200
    Source: definition of TTFT and TPOT.
    """
    return first_token + (tokens - 1) * per_token


@formula
def largest_batch(memory: Bytes, weights: Bytes, reserved: Bytes, cache_per_token: Cache, tokens: Count) -> Number:
    """Return the whole sequences whose cache fits beside the weights.

    memory: of the device, such as 80 GB
    weights: of the model, such as 14 GB
    reserved: for activations and the runtime, such as 2 GB
    cache_per_token: bytes of keys and values a token, such as 512 KiB
    tokens: of each sequence, such as 4096
    Source: arithmetic in one unit; 66 GB over 4096 tokens of 800 KiB are 19 sequences, not 66/3.125.
    """
    return max(0, floor((memory - weights - reserved) / (cache_per_token * tokens)))


@formula
def reserved_waste(reserved: Count, used: Count) -> Share:
    """Return the share of cache wasted by reserving the longest length: 1 - used/reserved.

    reserved: token slots kept for a request, such as 4096
    used: tokens when it ends, such as 150
    Source: Kwon et al. 2023, PagedAttention (arXiv:2309.06180), section 3.
    """
    return 1 - used / reserved


@formula
def blocks(tokens: Count, block: Count) -> Count:
    """Return the blocks of a paged cache that a sequence occupies: ⌈T/B⌉.

    tokens: of the sequence, such as 1000
    block: tokens a block holds, such as 16
    Source: Kwon et al. 2023, PagedAttention (arXiv:2309.06180), section 4.
    """
    return ceiling(tokens / block)


@formula
def mean_block_waste(block: Count) -> Real:
    """Return the slots a sequence wastes on average in its last block, any fill being as likely: (B - 1)/2.

    block: tokens a block holds, such as 16
    Source: mean of 0 to B - 1; only the last block has empty slots.
    """
    return (block - 1) / 2


@formula
def prefix_saving(requests: Count, prefix: Count, cache_per_token: Bytes) -> Bytes:
    """Return bytes of cache saved when requests share the blocks of a common prefix: all copies but one.

    requests: at once, such as 64
    prefix: tokens they have in common, such as 2048
    cache_per_token: bytes of keys and values a token, such as 128 KiB
    Source: Zheng et al. 2023, SGLang (arXiv:2312.07104), RadixAttention.
    """
    return (requests - 1) * prefix * cache_per_token


@formula
def expected_tokens(drafted: Count, acceptance: Share) -> Tokens:
    """Return tokens gained by one pass of the target on average: (1 - a^(g+1)) / (1 - a).

    drafted: tokens proposed by the draft model, g, such as 4
    acceptance: chance of each, independent, such as 80%
    Source: Leviathan et al. 2022, Speculative decoding (arXiv:2211.17192), equation 1.
    """
    return (1 - acceptance ** (drafted + 1)) / (1 - acceptance) if acceptance < 1 else drafted + 1


@formula
def speculative_speedup(drafted: Count, acceptance: Share, cost: Share) -> Factor:
    """Return the speedup of speculative decoding: tokens a pass over the time of drafts and pass, g·c + 1.

    drafted: tokens proposed by the draft model, g, such as 4
    acceptance: chance of each, independent, such as 80%
    cost: time of a draft step over a target step, such as 5%
    Source: Leviathan et al. 2022, Speculative decoding (arXiv:2211.17192), theorem 3.8.
    """
    return expected_tokens(drafted, acceptance) / (drafted * cost + 1)


@formula
def in_flight(rate: PerSecond, latency: Seconds) -> Real:
    """Return requests in flight on average: rate times latency.

    rate: requests that arrive a second, such as 20
    latency: from arrival to end, such as 4 s
    Source: Little 1961, A proof for the queuing formula L = λW.
    """
    return rate * latency


@formula
def cost_per_million(price: Dollars, throughput: Rate) -> Dollars:
    """Return what a million tokens cost: the price of an hour over the tokens of an hour.

    price: of the device for one hour, such as 2.5
    throughput: tokens a second, such as 1500
    Source: arithmetic.
    """
    return price / (throughput * 3600) * 1e6
