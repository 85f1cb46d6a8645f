"""Families about data parallelism: what each rank holds and sends, and what backward hides."""

from __future__ import annotations

from tutor.content.families.family import Family
from tutor.formulas import collectives, sharding, zero
from tutor.formulas.units import GB, MB

_SIZES = (1.3e9, 3e9, 7e9, 7.5e9, 13e9, 30e9, 70e9)

FAMILIES = (
    Family(
        "shard.allgather_ms",
        "shard.collectives",
        {"S": (256, 512, 1024, 4096, 16384), "n": (4, 8, 16, 64), "w": (25, 50, 100, 450)},
        "ms",
        0.02,
        lambda S, n, w: collectives.ring_all_gather(S * MB, n, w * GB) * 1e3,
        {
            "an all-reduce was taken, two passes": lambda S, n, w: collectives.ring_all_reduce(S * MB, n, w * GB) * 1e3,
            "the result was taken for one rank's part": lambda S, n, w: (n - 1) * S * MB / (w * GB) * 1e3,
        },
        "(n - 1)/n of the result arrives: ({n} - 1)/{n}·{S}·10^6 / ({w}·10^9)·1000 = {answer} ms",
        "Thakur et al. 2005; stas00/ml-engineering, network",
    ),
    Family(
        "shard.bus_gbs",
        "shard.collectives",
        {"S": (256, 512, 1024, 4096), "t": (4, 8, 12, 20, 50), "n": (4, 8, 16, 32)},
        "GB/s",
        0.02,
        lambda S, t, n: collectives.bus_bandwidth(S * MB, t / 1e3, n) / GB,
        {
            "payload over time was given": lambda S, t, n: S * MB / (t / 1e3) / GB,
            "one pass was counted": lambda S, t, n: (n - 1) / n * S * MB / (t / 1e3) / GB,
        },
        "2(n - 1)/n·S/t = 2·({n} - 1)/{n}·{S}·10^6 / ({t}/1000) / 10^9 = {answer} GB/s",
        "NVIDIA nccl-tests, PERFORMANCE.md",
    ),
    Family(
        "shard.ring_allreduce_ms",
        "shard.ring",
        {"S": (25, 256, 1024, 16384), "n": (4, 8, 16, 64), "w": (25, 50, 450)},
        "ms",
        0.03,
        lambda S, n, w: collectives.ring_all_reduce(S * MB, n, w * GB) * 1e3,
        {
            "the payload was sent once": lambda S, n, w: S * MB / (w * GB) * 1e3,
            "each rank sent to all others": lambda S, n, w: 2 * (n - 1) * S * MB / (w * GB) * 1e3,
        },
        "2·({n} - 1)/{n}·{S}·10^6 / ({w}·10^9)·1000 = {answer} ms",
        "Patarasuk and Yuan 2009; stas00/ml-engineering, network",
    ),
    Family(
        "shard.ring_latency_us",
        "shard.ring",
        {"n": (8, 16, 32, 64, 128, 256, 512), "t": (2, 3, 5, 8, 10)},
        "us",
        0.02,
        lambda n, t: collectives.ring_all_reduce(0, n, GB, t / 1e6) * 1e6,
        {
            "one pass was counted": lambda n, t: (n - 1) * t,
            "the depth of a tree was taken": lambda n, t: collectives.tree_latency(n, t),
        },
        "two passes of n - 1 hops: 2·({n} - 1)·{t} = {answer} us",
        "Thakur et al. 2005",
    ),
    Family(
        "shard.ddp_gradients_gb",
        "shard.ddp",
        {"N": (0.35e9, 0.77e9, 1e9, 1.3e9, 1.5e9, 3e9, 7e9, 13e9)},
        "GB",
        0.03,
        lambda N: sharding.ddp_gradient_bytes(round(N), views=False) / GB,
        {
            "the copy in the buckets was forgotten": lambda N: 4 * N / GB,
            "16-bit gradients were assumed": lambda N: 2 * N / GB,
        },
        "each fp32 gradient and its copy in a bucket: {N}·(4 + 4) / 10^9 = {answer} GB",
        "measured 8.0 bytes a parameter, 4.0 with gradient_as_bucket_view (torch 2.13)",
    ),
    Family(
        "shard.exposed_ms",
        "shard.overlap",
        {"t": (60, 80, 120, 150), "c": (20, 30, 40, 70, 90), "o": (0.5, 0.6, 0.7, 0.8, 0.9)},
        "ms",
        0.02,
        lambda t, c, o: collectives.exposed(c, o, t),
        {
            "none of it was hidden": lambda t, c, o: c,
            "the hidden part was given": lambda t, c, o: min(c * o, t),
            "it was added to backward": lambda t, c, o: t + collectives.exposed(c, o, t),
        },
        "{c} - min({c}·{o}, {t}) = {answer} ms",
        "Li et al. 2020, PyTorch Distributed (arXiv:2006.15704)",
    ),
    Family(
        "shard.no_sync_gb",
        "shard.overlap",
        {"N": (1e9, 1.3e9, 3e9, 7e9), "k": (4, 8, 16), "n": (2, 4, 8)},
        "GB",
        0.03,
        lambda N, k, n: collectives.accumulation_traffic(N, 4, k, n) / GB,
        {
            "`no_sync` was taken as used": lambda N, k, n: collectives.accumulation_traffic(N, 4, 1, n) / GB,
            "one pass was counted": lambda N, k, n: collectives.accumulation_traffic(N, 4, k, n) / 2 / GB,
            "the share that stays was forgotten": lambda N, k, n: 2 * k * 4 * N / GB,
        },
        "{k}·2·({n} - 1)/{n}·{N}·4 / 10^9 = {answer} GB",
        "torch DistributedDataParallel, `no_sync`; ring all-reduce",
    ),
    Family(
        "shard.zero_gb",
        "shard.zero-stages",
        {"N": _SIZES, "n": (8, 16, 32, 64, 128), "z": (1, 2, 3)},
        "GB",
        0.03,
        lambda N, n, z: zero.state_bytes(N, n, _stage(z)) / GB,
        {
            "everything was divided": lambda N, n, z: None if z == 3 else 16 * N / n / GB,
            "nothing was divided": lambda N, n, z: 16 * N / GB,
            "the stage below was taken": lambda N, n, z: None if z == 1 else zero.state_bytes(N, n, _stage(z - 1)) / GB,
            "the gradients were divided too": lambda N, n, z: zero.state_bytes(N, n, "2") / GB if z == 1 else None,
        },
        "stage {z}: {N}·({w} + {g} + 12/{n}) / 10^9 = {answer} GB",
        "ZeRO, figure 1 (arXiv:1910.02054)",
        terms={
            "w": lambda N, n, z: f"2/{n}" if z == 3 else 2,
            "g": lambda N, n, z: f"2/{n}" if z >= 2 else 2,
        },
    ),
    Family(
        "shard.fsdp_live_gb",
        "shard.fsdp",
        {"N": (7e9, 13e9, 30e9, 70e9), "L": (32, 40, 60, 80), "n": (16, 32, 64, 128, 256)},
        "GB",
        0.03,
        lambda N, L, n: zero.gathered_bytes(N, L, n) / GB,
        {
            "only the shard was counted": lambda N, L, n: 16 * N / n / GB,
            "the whole model was gathered": lambda N, L, n: (16 * N / n + 2 * N) / GB,
        },
        "the shard, and two layers in 16 bits: ({N}·16/{n} + 2·2·{N}/{L}) / 10^9 = {answer} GB",
        "Zhao et al. 2023, PyTorch FSDP (arXiv:2304.11277)",
    ),
    Family(
        "shard.traffic_gb",
        "shard.traffic",
        {"N": (1e9, 3e9, 8e9, 10e9, 13e9, 70e9), "e": (2, 4), "s": ("ddp", "zero1", "zero2", "zero3")},
        "GB",
        0.02,
        lambda N, e, s: collectives.step_traffic(N, e, s) / GB,
        {
            "one pass was counted": lambda N, e, s: e * N / GB,
            "the gather before backward was forgotten": lambda N, e, s: 2 * e * N / GB if s == "zero3" else None,
            "a third pass was added, as under ZeRO-3": lambda N, e, s: None if s == "zero3" else 3 * e * N / GB,
        },
        "{passes} passes over the model: {passes}·{N}·{e} / 10^9 = {answer} GB",
        "ZeRO, section 7 (arXiv:1910.02054); stas00/ml-engineering: 40 and 60 GB for 10B",
        terms={"passes": lambda N, e, s: 3 if s == "zero3" else 2},
    ),
    Family(
        "shard.hybrid_gb",
        "shard.hybrid",
        {"N": _SIZES, "g": (4, 8), "k": (2, 4, 8, 16)},
        "GB",
        0.03,
        lambda N, g, k: zero.hybrid_state_bytes(N, g) / GB,
        {
            "all nodes shared the state": lambda N, g, k: 16 * N / (g * k) / GB,
            "nothing was divided": lambda N, g, k: 16 * N / GB,
            "it was divided by the nodes": lambda N, g, k: None if k == g else 16 * N / k / GB,
        },
        "a node shards, the {k} nodes replicate: {N}·16 / {g} / 10^9 = {answer} GB",
        "Zhao et al. 2023, PyTorch FSDP (arXiv:2304.11277)",
    ),
    Family(
        "shard.step_gb",
        "shard.act-not-sharded",
        {"N": _SIZES, "n": (4, 8, 16, 32, 64), "A": (6, 10, 20, 40)},
        "GB",
        0.03,
        lambda N, n, A: zero.step_bytes(N, n, A * GB) / GB,
        {
            "the activations were divided too": lambda N, n, A: (16 * N / GB + A) / n,
            "the activations were forgotten": lambda N, n, A: 16 * N / n / GB,
            "the state was not divided": lambda N, n, A: 16 * N / GB + A,
        },
        "{N}·16/{n} / 10^9 + {A} = {answer} GB",
        "ZeRO, section 3 (arXiv:1910.02054); measured on ranks (torch 2.13, gloo)",
    ),
)


def _stage(number: int) -> zero.Stage:
    stages: tuple[zero.Stage, ...] = ("0", "1", "2", "3")
    return stages[number]
