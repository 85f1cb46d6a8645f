"""KV cache bytes and decoding FLOPs, against measured bytes and sums by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.formulas import inference
from tutor.formulas.inference import Decoder

SMALL = Decoder(layers=4, heads=8, kv_heads=8, head_width=32, vocabulary=512)
counts = st.integers(1, 200)


def test_cache_as_measured() -> None:
    """Four layers of 8 heads of 32 channels, 256 bf16 tokens, batch 2: 2,097,152 bytes; two kv heads 524,288."""
    assert inference.cache_bytes(SMALL, 256, 2, 2) == 2_097_152
    assert inference.cache_bytes(Decoder(4, 8, 2, 32, 512), 256, 2, 2) == 524_288


def test_cache_of_a_7b_model() -> None:
    """32 layers of 32 heads of 128 channels take half a MiB a token in fp16."""
    assert inference.cache_bytes(Decoder(32, 32, 32, 128, 32000), 1, 1, 2) == 524_288


@pytest.mark.parametrize(("new", "ratio"), [(1, 1), (32, 16.5), (64, 32.5), (128, 64.5)])
def test_ratio_after_one_token(new: int, ratio: float) -> None:
    """(n + 1)/2, as measured."""
    assert inference.linear_ratio(1, new) == ratio


def test_flops_by_hand() -> None:
    """One layer, one head of one channel, one word: 12 multiply-adds in a block and one in the head, twice each."""
    tiny = Decoder(layers=1, heads=1, kv_heads=1, head_width=1, vocabulary=1)

    assert inference.linear_flops(tiny) == 26
    assert inference.decode_flops(tiny, 1, 3, 1, cached=True) == 3 * 26 + 4 * (1 + 2 + 3)
    assert inference.decode_flops(tiny, 1, 3, 1, cached=False) == 6 * 26 + 4 * (1 + 4 + 9)


@given(counts, counts)
def test_a_cache_never_runs_more(prompt: int, new: int) -> None:
    """Each token runs once; one new token needs the prompt alone, with a cache or without."""
    assert inference.tokens_run(prompt, new, cached=True) <= inference.tokens_run(prompt, new, cached=False)
    assert inference.linear_ratio(prompt, 1) == 1
