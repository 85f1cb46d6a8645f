"""The kv-cache experiment: bytes and FLOPs to the digit, its mutants, its refusals."""

from __future__ import annotations

import pytest
from torch import Tensor, nn

from experiments.attention import kv_cache
from experiments.emit import Refused
from tests.experiments.support import Said, by_default, run

SMALL = {"layers": 2, "head_width": 16, "context": 40, "new": 8}


@pytest.fixture(scope="module")
def default() -> Said:
    """A run with the defaults."""
    return by_default(kv_cache)


def test_cache_to_the_byte(default: Said) -> None:
    """128 fp32 tokens take what 256 bf16 ones do: 2,097,152 bytes, a quarter with two kv heads, an eighth with one."""
    assert [default.measured(f"cache, {kind}") for kind in ("MHA", "GQA", "MQA")] == [2_097_152, 524_288, 262_144]


def test_linears_run_as_often_as_tokens(default: Said) -> None:
    """32 new tokens after one: 16.5 times the FLOPs without a cache, and the same tokens."""
    assert default.measured("FLOPs ratio, Linears") == 16.5
    assert default.measured("outputs") == "same"


def test_the_cache_is_drawn_as_it_grows() -> None:
    """A point a chunk, on a line through zero; the last at the measured size, also where the last chunk is short."""
    said = run(kv_cache, **SMALL)
    points = said.points("GQA")

    assert [p["x"] for p in points] == [16, 32, 40]
    assert len({p["y"] / p["x"] for p in points}) == 1
    assert points[-1]["y"] * 1024 == said.measured("cache, GQA")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_long_prompt_holds_too(seed: int) -> None:
    """All that is claimed holds where the prompt is longer than what is generated."""
    assert run(kv_cache, **SMALL, prompt=20, seed=seed).failed == []


def test_mutant_that_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the past is not appended the cache stays small, attention is cheaper and the tokens are others."""

    def forgetful(cache: kv_cache.Cache, layer: nn.Module, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        cache[layer] = (k, v)
        return k, v

    monkeypatch.setattr(kv_cache, "remember", forgetful)
    said = run(kv_cache, **SMALL)

    assert {"cache, MHA", "FLOPs, cached", "logits apart, share of the largest"} <= set(said.failed)


def test_mutant_without_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is kept every token runs at each step, and the claims on FLOPs fail."""
    decode = kv_cache.generate
    monkeypatch.setattr(kv_cache, "generate", lambda model, prompt, new, cached: decode(model, prompt, new, False))
    said = run(kv_cache, **SMALL)

    assert said.failed == ["FLOPs, cached", "FLOPs ratio, Linears"]
    assert said.measured("FLOPs ratio, Linears") == 1


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"kv_heads": 3}, "8 heads do not share 3 key/value heads evenly; choose a divisor of 8"),
        ({"heads": 16, "head_width": 64, "new": 128}, "A run of this size takes .* GFLOP .* choose fewer"),
        ({"layers": 12, "heads": 16, "head_width": 64, "context": 1024}, "A run of this size takes .* GFLOP"),
    ],
)
def test_what_cannot_run_is_refused(params: dict[str, int], sentence: str) -> None:
    """Uneven groups and runs that are too large are refused in one sentence."""
    with pytest.raises(Refused, match=sentence):
        run(kv_cache, **params)
