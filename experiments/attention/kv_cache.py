"""Greedy decoding with a KV cache and without: the same tokens, far fewer FLOPs, and a cache that grows.

Run:  python -m experiments.attention.kv_cache --new 64

Look at `remember`: keys and values of tokens that ran before are kept, so that a new token runs alone. Then look at
the cache's bytes: they grow with every token, and with fewer key/value heads (GQA, MQA) they grow more slowly.
Attention materialises its scores, so that every matmul is counted. All is fp32.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode

from experiments.emit import Emit, Refused, main
from experiments.models import device
from tutor.formulas import inference
from tutor.formulas.inference import Decoder

KIB, CHUNK = 2**10, 16
F32 = 4
LARGEST = 60e9  # FLOPs a run is kept to
Cache = dict[nn.Module, tuple[Tensor, Tensor]]
"""Keys and values of each attention layer, (batch, kv heads, tokens, head width)."""


def remember(cache: Cache, layer: nn.Module, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    """The technique itself: append the new keys and values to those of the tokens before, and attend to all."""
    if layer in cache:
        k, v = (torch.cat([old, new], dim=2) for old, new in zip(cache[layer], (k, v), strict=True))
    cache[layer] = (k, v)
    return k, v


class Attention(nn.Module):
    """Causal attention in which groups of query heads share a key/value head."""

    def __init__(self, d: Decoder) -> None:
        super().__init__()
        self.d = d
        self.q, self.out = (nn.Linear(d.width, d.width, bias=False) for _ in range(2))
        self.k, self.v = (nn.Linear(d.width, d.kv_heads * d.head_width, bias=False) for _ in range(2))

    def forward(self, x: Tensor, cache: Cache | None) -> Tensor:
        batch, tokens, width = x.shape
        q, k, v = (
            part(x).view(batch, tokens, -1, self.d.head_width).transpose(1, 2) for part in (self.q, self.k, self.v)
        )
        if cache is not None:
            k, v = remember(cache, self, k, v)
        k, v = (t.repeat_interleave(self.d.heads // self.d.kv_heads, dim=1) for t in (k, v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d.head_width)
        future = torch.ones(tokens, k.shape[2], dtype=torch.bool, device=x.device).triu(k.shape[2] - tokens + 1)
        mixed = scores.masked_fill(future, float("-inf")).softmax(-1) @ v
        return self.out(mixed.transpose(1, 2).reshape(batch, tokens, width))


class Block(nn.Module):
    """Attention and an MLP, each behind a norm."""

    def __init__(self, d: Decoder) -> None:
        super().__init__()
        self.attention, hidden = Attention(d), d.mlp * d.width
        self.norm1, self.norm2 = nn.LayerNorm(d.width), nn.LayerNorm(d.width)
        self.up, self.down = nn.Linear(d.width, hidden, bias=False), nn.Linear(hidden, d.width, bias=False)

    def forward(self, x: Tensor, cache: Cache | None) -> Tensor:
        x = x + self.attention(self.norm1(x), cache)
        return x + self.down(nn.functional.gelu(self.up(self.norm2(x))))


class Model(nn.Module):
    """A decoder that returns logits of every token that runs. Positions are learned and counted from `start`."""

    def __init__(self, d: Decoder, tokens: int, seed: int) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.token, self.position = nn.Embedding(d.vocabulary, d.width), nn.Embedding(tokens, d.width)
        self.blocks = nn.ModuleList(Block(d) for _ in range(d.layers))
        self.head = nn.Linear(d.width, d.vocabulary, bias=False)

    def forward(self, ids: Tensor, cache: Cache | None = None, start: int = 0) -> Tensor:
        x = self.token(ids) + self.position(torch.arange(start, start + ids.shape[1], device=ids.device))
        for block in self.blocks:
            x = block(x, cache)
        return self.head(x)


def size_of(cache: Cache) -> int:
    """Return the bytes of the keys and values of all layers."""
    return sum(t.untyped_storage().nbytes() for pair in cache.values() for t in pair)


def generate(model: Model, prompt: Tensor, new: int, cached: bool) -> tuple[Tensor, Tensor, int, int]:
    """Append the likeliest token `new` times: all tokens run at each step, or those alone that the cache lacks.

    Return the tokens, the logits they were chosen from, and the FLOPs of Linears and of attention.
    """
    ids, seen = prompt, []
    cache: Cache | None = {} if cached else None
    counter = FlopCounterMode(display=False)
    with torch.no_grad(), counter:
        for _ in range(new):
            done = ids.shape[1] - 1 if cache else 0  # an empty cache: the whole prompt runs
            seen.append(model(ids[:, done:], cache, done)[:, -1])
            ids = torch.cat([ids, seen[-1].argmax(-1, keepdim=True)], dim=1)
    counts = counter.get_flop_counts()["Global"]
    return ids, torch.stack(seen), counts[torch.ops.aten.mm], counts[torch.ops.aten.bmm]


def fill(d: Decoder, params: dict[str, Any], name: str, emit: Emit) -> int:
    """Run a text through the model, a chunk at a time, draw how its cache grows, and return the bytes in the end."""
    emit.series(name, f"KiB of cache, {name}", "tokens", "KiB", "KiB")
    context, cache = params["context"], Cache()
    model = Model(d, context, params["seed"]).to(device())
    ids = torch.randint(d.vocabulary, (params["batch"], context), device=device())
    with torch.no_grad():
        for start in range(0, context, CHUNK):
            model(ids[:, start : start + CHUNK], cache, start)
            emit.point(name, min(start + CHUNK, context), size_of(cache) / KIB)
    return size_of(cache)


def kinds(params: dict[str, Any]) -> dict[str, Decoder]:
    """Return the decoder with a key/value head for each head, a group, and all. Raises Refused for uneven groups."""
    heads, shared = params["heads"], params["kv_heads"]
    if heads % shared:
        raise Refused(f"{heads} heads do not share {shared} key/value heads evenly; choose a divisor of {heads}.")
    decoder = Decoder(params["layers"], heads, shared, params["head_width"], vocabulary=256)
    return {"MHA": replace(decoder, kv_heads=heads), "GQA": decoder, "MQA": replace(decoder, kv_heads=1)}


def predict(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what theory says. Raises Refused for heads that do not divide and for runs that are too large."""
    d, prompt, new, batch = kinds(params)["GQA"], params["prompt"], params["new"], params["batch"]
    full, cached = (inference.decode_flops(d, prompt, new, batch, way) for way in (False, True))
    whole = full + sum(inference.decode_flops(k, params["context"], 1, batch, True) for k in kinds(params).values())
    if whole > LARGEST:
        ask = f"A run of this size takes {whole / 1e9:.0f} GFLOP and is kept to {LARGEST / 1e9:.0f}"
        raise Refused(f"{ask}; choose fewer layers, heads or new tokens, or a shorter prompt or context.")
    for name, kind in kinds(params).items():
        value = inference.cache_bytes(kind, params["context"], batch, F32)
        yield {"name": f"cache, {name}", "op": "==", "value": value, "unit": "B", "source": "2·L·h_kv·d_h·T·B·bytes"}
    counted = "matmul FLOPs of a decoder, counted (tutor.formulas.inference)"
    for name, result, unit, source in (
        ("FLOPs, no cache", full, "FLOP", counted),
        ("FLOPs, cached", cached, "FLOP", counted),
        ("FLOPs ratio", full / cached, "x", counted),
        ("FLOPs ratio, Linears", inference.linear_ratio(prompt, new), "x", "tokens that run; (n+1)/2 after one"),
        ("outputs", "same", "choice", "keys and values of the past do not depend on what follows"),
        ("cache order", order_of(d.kv_heads / d.heads), "choice", "h_kv over h"),
    ):
        yield {"name": name, "op": "==", "value": result, "unit": unit, "source": source}


def order_of(share: float) -> str:
    """Return the share of MHA's cache that GQA takes, as the bet names it."""
    return "same" if share == 1 else "half" if share == 0.5 else "quarter" if share >= 0.25 else "less"


def run(params: dict[str, Any], emit: Emit) -> None:
    """Fill a cache of each kind, then decode greedily with a cache and without."""
    d, prompt, new, batch = kinds(params)["GQA"], params["prompt"], params["new"], params["batch"]
    sizes = {}
    for name, kind in kinds(params).items():
        sizes[name] = fill(kind, params, name, emit)
        emit.measure(f"cache, {name}", sizes[name], "B", "storages of keys and values")
        emit.claim(f"cache, {name}", sizes[name], "==", inference.cache_bytes(kind, params["context"], batch, F32))
    emit.measure("cache order", order_of(sizes["GQA"] / sizes["MHA"]), "choice", "storages of keys and values")

    model = Model(d, prompt + new, params["seed"]).to(device())
    ids = torch.randint(d.vocabulary, (batch, prompt), device=device())
    tokens, logits, linears, totals = {}, {}, {}, {}
    for name, cached in (("no cache", False), ("cached", True)):
        tokens[name], logits[name], linears[name], attention = generate(model, ids, new, cached)
        totals[name] = linears[name] + attention
        emit.measure(f"FLOPs, {name}", totals[name], "FLOP", "FlopCounterMode")
        emit.claim(f"FLOPs, {name}", totals[name], "==", inference.decode_flops(d, prompt, new, batch, cached))
    ratio = linears["no cache"] / linears["cached"]
    emit.measure("FLOPs ratio", totals["no cache"] / totals["cached"], "x", "FlopCounterMode")
    emit.measure("FLOPs ratio, Linears", ratio, "x", "FlopCounterMode, mm alone")
    emit.claim("FLOPs ratio, Linears", ratio, "==", inference.linear_ratio(prompt, new))

    same = torch.equal(tokens["no cache"], tokens["cached"])
    apart = float((logits["no cache"] - logits["cached"]).abs().max() / logits["no cache"].abs().max())
    emit.measure("outputs", "same" if same else "close" if apart < 0.1 else "different", "choice", "tokens compared")
    emit.claim("greedy tokens equal", str(same).lower(), "==", "true")
    emit.claim("logits apart, share of the largest", apart, "<", 1e-4)


if __name__ == "__main__":
    main(__file__, predict, run)
