"""Each public formula at numbers worked by hand, measured, or printed by its source."""

from __future__ import annotations

import pytest

from tests.formulas.test_catalogue import read
from tutor.formulas.catalogue import formulas

GIB = 2**30

WORKED = [
    ("activations.best_spacing", "layers=64 saved=4", 4),
    ("activations.checkpointed_peak_bytes", "boundaries=8GiB live_layer=7GiB logits=16GiB", 72 * GIB),
    ("activations.checkpointing_saves", "layers=2 s=1 b=1 h=10 a=2", 2 * 10 * 33),
    ("activations.hidden_bytes", "s=32768 b=1 h=4096", GIB / 4),  # stas00: Llama 3 8B at 32k
    ("activations.layer_bytes", "s=1 b=1 h=10 a=2", 350),
    ("activations.logits_bytes", "s=32768 b=1 vocabulary=128256", 15.65625 * GIB),
    ("activations.replay_ratio", "backward_cost=2 replayed=1", 4 / 3),
    ("activations.replay_seconds", "flops=275GFLOP speed=500TFLOP/s", 0.55e-3),
    ("activations.scores_bytes", "b=1 a=32 s=16384", 16 * GIB),
    ("activations.segment_peak", "layers=36 spacing=6 saved=17", 108),
    ("activations.segmented_calls", "layers=24 segments=4", 18 + 24),
    ("activations.selective_bytes", "layers=2 s=3 b=5 h=7", 34 * 210),
    ("dropout.mask_agreement", "p=0.3", 0.58),
    ("dropout.mask_bytes", "tokens=8192 width=4096", 32 * 2**20),
    ("dropout.mask_disagreement", "p=0.3", 0.42),
    ("dropout.mask_streams", "devices=64 tensor=8", 8),
    ("dropout.mask_streams", "devices=64 tensor=8 sharded=yes", 64),
    ("dropout.stash_bytes", "checkpoints=12", 60_672),
    ("dropout.visible_mask_agreement", "p=0.5 zeros=0.5", 0.75),
    ("gpt.block_flops", "layers=1 width=2 heads=1 tokens=3 batch=1 vocabulary=1", 3 * (24 * 4 + 4 * 3 * 2)),
    ("gpt.block_saved_units", "layers=1 width=64 heads=4 tokens=64 batch=1 vocabulary=1", 16 + 4 + 1 / 16),
    ("gpt.flops_ratio", "layers=12 width=128 heads=4 tokens=128 batch=4 vocabulary=512", 1 + 3_932_160 / 16_908_288),
    ("gpt.parameter_count", "layers=1 width=4 heads=1 tokens=3 batch=1 vocabulary=5", 32 + 24 + 80 + 148 + 20),
    ("gpt.peak_bytes", "layers=12 width=128 heads=4 tokens=128 batch=4 vocabulary=512", 254.375 * 2**18),
    ("gpt.saved_bytes", "layers=12 width=128 heads=4 tokens=128 batch=4 vocabulary=512", 246.375 * 2**18),
    ("gpt.step_flops", "layers=1 width=1 heads=1 tokens=1 batch=1 vocabulary=1", 3 * (28 + 2)),
    ("inference.attention_flops", "layers=1 heads=1 kv_heads=1 head_width=1 vocabulary=1 queries=2 keys=3", 24),
    ("inference.cache_bytes", "layers=4 heads=8 kv_heads=2 head_width=32 vocabulary=512 tokens=256 batch=2 bytes_per_element=2", 524_288),
    ("inference.linear_flops", "layers=1 heads=1 kv_heads=1 head_width=1 vocabulary=1", 26),
    ("inference.linear_ratio", "prompt=1 new=128", 64.5),  # measured
    ("inference.tokens_run", "prompt=4 new=3 cached=yes", 6),
    ("inference.tokens_run", "prompt=4 new=3 cached=no", 4 + 5 + 6),
    ("optimizer.autocast_weights_bytes", "parameters=1.3B", 7.8e9),
    ("optimizer.eight_bit_moments_bytes", "parameters=1B", 2.03125e9),
    ("optimizer.factored_matrix_bytes", "rows=3 columns=5", 32),
    ("optimizer.largest_model", "devices=8 device_bytes=80GB recipe=fp32-adamw", 40e9),
    ("optimizer.lora_parameters", "rank=16 d_in=4096 d_out=4096", 131_072),
    ("optimizer.moments_bytes", "parameters=7B", 56e9),
    ("optimizer.offload_device_bytes", "parameters=7B weights=2 gradients=2", 28e9),
    ("optimizer.resumable_checkpoint_bytes", "parameters=176B", 2.464e12),
    ("optimizer.state_bytes", "parameters=7.5B recipe=bf16-weights+bf16-grads+fp32-master-adamw", 120e9),
    ("optimizer.step_of_death", "budget=80GB base=60GB growth=3GB", 7),  # 60 + 6 · 3 = 78 fits, 81 does not
    ("optimizer.step_peak_bytes", "parameters=6.74B weights=2 gradients=2 moments=4", 67.4e9),  # measured
    ("optimizer.step_peak_bytes", "parameters=1B foreach=no", 16e9),
    ("optimizer.transfer_seconds", "transferred=512MB bytes_per_second=25GB/s", 0.02048),
    ("replay.double_move", "momentum=0.1", 1.9),
    ("replay.statistics_moved", "momentum=0.1 updates=2", 0.19),
    ("segments.blocks_peak", "layers=36 segments=18 saved=16", 18 + 32 - 1),
    ("segments.chain_peak", "layers=64 segments=8 weight=0.25", 17.25),
    ("segments.segments_peak", "layers=100 segments=10", 20),
    ("sharding.ddp_gradient_bytes", "parameter_count=1B views=no", 8e9),  # measured 8.0 and 4.0 bytes a parameter
    ("sharding.ddp_gradient_bytes", "parameter_count=1B views=yes", 4e9),
    ("sharding.ddp_state_bytes", "parameter_count=1B views=no", 20e9),
    ("sharding.peak_factor", "state=8GB activations=8GB ranks=4", 1.6),
    ("anatomy.binary_gigabytes", "size=80GB", 74.5058),
    ("anatomy.decimal_gigabytes", "size=80GiB", 85.8993),
    ("anatomy.dense_parameters", "width=768 layers=12 vocabulary=50257", 123_653_376),  # GPT-2 has 1024 · 768 positions more
    ("anatomy.expert_parameters", "shared=5B expert=3B experts=2", 11e9),
    ("anatomy.gated_parameters", "width=4096 hidden=14336 layers=32 heads=32 kv_heads=8 vocabulary=128256", 8_030_261_248),
    ("anatomy.global_batch", "micro_batch=4 accumulation=8 replicas=64", 2048),
    ("anatomy.largest_micro_batch", "memory=80GB state=32GB sample=3.5GB", 13),
    ("anatomy.largest_micro_batch", "memory=24GB state=32GB sample=3.5GB", 0),
    ("anatomy.training_bytes", "parameters=7B bytes_per_parameter=16 activations=12GB", 124e9),
    ("attention.block_columns", "fast_memory=96KiB head_width=128", 96),
    ("attention.cache_bytes_per_token", "layers=32 kv_heads=8 head_width=128", 131072),  # Llama 3.1 8B: 128 KiB
    ("attention.cache_reduction", "heads=64 kv_heads=8", 8),
    ("attention.flops_over_linears", "tokens=65536 width=8192", 1),
    ("attention.fused_step_flops", "batch=1 heads=1 tokens=10 head_width=2", 7 * 2 * 100 * 2),
    ("attention.latent_bytes_per_token", "layers=60 latent=512 rotary=64", 69120),
    ("attention.materialised_traffic", "tokens=10 head_width=5", (3 * 50 + 50 + 2 * 100 + 2 * 100) * 2),
    ("attention.merged_sum", "sum_before=4 max_before=2 sum_block=3 max_block=3", 4.471518),  # 4/e + 3
    ("attention.projection_crossover", "width=4096", 8192),
    ("attention.quadratic_share", "tokens=2048 width=12288 heads=96", 40 / 57),  # the paper's 70 %
    ("attention.statistics_bytes", "batch=1 heads=4 tokens=128", 2048),
    ("attention.window_cache_bytes", "tokens=32768 window=4096 layers=32 kv_heads=8 head_width=128", GIB / 2),
    ("collectives.accumulation_traffic", "parameters=1B element=4 micro_batches=8 ranks=8", 56e9),
    ("collectives.all_to_all", "size=256MB ranks=8 bandwidth=50GB/s", 0.00448),
    ("collectives.bus_bandwidth", "size=1GB seconds=10ms ranks=8", 175e9),
    ("collectives.exposed", "communication=40ms overlappable=80% backward=120ms", 0.008),
    ("collectives.exposed", "communication=90ms overlappable=1 backward=50ms", 0.04),
    ("collectives.ring_all_gather", "size=1GB ranks=8 bandwidth=50GB/s", 0.0175),
    ("collectives.ring_all_reduce", "size=1GB ranks=8 bandwidth=50GB/s latency=10us", 0.03514),
    ("collectives.ring_all_reduce_bytes", "size=1GB ranks=4", 1.5e9),
    ("collectives.step_traffic", "parameters=10B element=2 scheme=ddp", 40e9),  # stas00: 40 and 60 GB
    ("collectives.step_traffic", "parameters=10B element=2 scheme=zero3", 60e9),
    ("collectives.tree_latency", "ranks=256 latency=5us", 80e-6),
    ("llama.parameter_count", "", 6_738_415_616),
    ("llama.training_peak_bytes", "precision=bf16", 10 * 6_738_415_616),  # measured 67.4 and 134.8 GB
    ("llama.training_peak_bytes", "precision=fp32", 20 * 6_738_415_616),
    ("logits.chunked_loss_peak_bytes", "layers=4 width=64 heads=4 tokens=128 batch=4 vocabulary=8192 chunks=8", 2**20 - 2**18 + 114_688 + 2**23),
    ("logits.loss_peak_bytes", "layers=4 width=64 heads=4 tokens=128 batch=4 vocabulary=8192", 6 * 2**17 + 3 * 2**24),
    ("lora.saved_bytes", "layers=1 width=4 heads=1 tokens=4 batch=1 vocabulary=4 rank=4 places=qkv", 64 * (13 - 1.5 + 2)),
    ("lora.trainable", "layers=6 width=256 heads=8 tokens=128 batch=8 vocabulary=512 rank=8 places=qkv", 6 * 8 * 4 * 256),
    ("operations.availability", "failure_interval=5h repair=20min", 0.9375),
    ("operations.daly_interval", "write=60s failure_interval=5h", 1429.966),  # 1469.694 · (1 + 0.013608 + 0.000185) - 60
    ("operations.failure_interval", "devices=10000 mean_life=50000h", 5 * 3600),
    ("operations.fragmentation", "reserved=75GiB allocated=60GiB", 0.2),
    ("operations.loader_workers", "fetch=240ms step=50ms", 5),
    ("operations.loader_workers", "fetch=0.3s step=0.1s", 3),
    ("operations.lost_share", "write=1min interval=20min failure_interval=200min restart=4min", 0.05 + 0.05 + 0.02),
    ("operations.prefetch_bytes", "workers=32 prefetched=2 batch=154MB", 9.856e9),
    ("operations.straggler_slowdown", "ranks=2 chance=50% factor=3", 2.5),
    ("operations.survival", "duration=24h failure_interval=12h", 0.1353353),
    ("operations.write_seconds", "parameters=70B bandwidth=10GB/s", 98),
    ("operations.young_interval", "write=50s failure_interval=1h", 600),
    ("parallel.bubble", "stages=4 micro_batches=12", 0.2),
    ("parallel.data_parallel_replicas", "devices=1024 tensor=8 pipeline=4", 32),
    ("parallel.expert_capacity", "tokens=8192 experts=64 active=2 factor=1.25", 320),
    ("parallel.expert_traffic", "tokens=10 width=4 active=2 ranks=2", 2 * 10 * 2 * 4 * 2 / 2),
    ("parallel.interleaved_bubble", "stages=9 micro_batches=32 chunks=4", 1 / 16),
    ("parallel.live_micro_batches", "stages=8 micro_batches=32", 8),
    ("parallel.live_micro_batches", "stages=8 micro_batches=32 stage=7", 1),
    ("parallel.micro_batches_for", "stages=8 idle=10%", 63),
    ("parallel.ring_attention_block", "peak=989TFLOP/s bandwidth=50GB/s", 19780),
    ("parallel.ring_attention_hop", "tokens=131072 ranks=8 kv_heads=8 head_width=128", 64 * 2**20),
    ("parallel.sequence_layer_bytes", "s=1 b=1 h=10 a=2 degree=5", 70),
    ("parallel.tensor_layer_bytes", "s=1 b=1 h=10 a=2 degree=5", 100 + 48 + 2),
    ("parallel.tensor_traffic", "tokens=10 width=4 layers=3 degree=2", 3 * 4 * 80),
    ("precision.counter_stops", "number_format=bf16 increment=1", 256),  # measured
    ("precision.counter_stops", "number_format=fp16 increment=1", 2048),  # measured
    ("precision.largest_scale_exponent", "gradient=0.5", 16),  # 2^15 is a fp16 number, 2^16 none
    ("precision.least_change", "number_format=bf16 exponent=0", 1 / 256),
    ("precision.loss_scale_exponent", "gradient=3e-8", 11),  # 3e-8 · 2^11 = 6.1e-5, just over 2^-14
    ("precision.pairwise_sum_error", "terms=4096 number_format=bf16", 12 / 256),
    ("precision.quantised_bytes", "parameters=8B bits=4 group=32 scale_bits=8", 4.25e9),
    ("precision.smallest_normal", "number_format=fp16", 6.103515625e-05),
    ("precision.spacing", "number_format=fp16 exponent=11", 2),
    ("precision.sum_error", "terms=65 number_format=bf16", 0.25),
    ("roofline.amdahl", "share=70% speedup=2", 1 / 0.65),
    ("roofline.attainable", "intensity=50 peak=989TFLOP/s bandwidth=3.35TB/s", 167.5e12),
    ("roofline.devices_needed", "parameters=7B tokens=2T seconds=30days peak=989TFLOP/s mfu=40%", 82),  # 81.9
    ("roofline.elementwise_seconds", "elements=32M tensors=3 bandwidth=2TB/s", 96e-6),
    ("roofline.fusion_saving", "elements=32M operations=4 bandwidth=2TB/s", 192e-6),
    ("roofline.gemm_flops", "m=2 k=3 n=5", 60),
    ("roofline.gemm_intensity", "m=4096 k=4096 n=4096", 1365.333),  # StaffML prints both
    ("roofline.gemm_intensity", "m=512 k=4096 n=4096", 409.6),
    ("roofline.gemm_seconds", "m=1 k=1000 n=1000 peak=1TFLOP/s bandwidth=1GB/s", 2.004e-3),
    ("roofline.gemm_seconds", "m=1000 k=1000 n=1000 peak=1TFLOP/s bandwidth=1TB/s", 2e-3),
    ("roofline.hfu", "mfu=42% replayed=1", 0.56),
    ("roofline.launch_idle", "kernel=3us launch=8us", 0.625),
    ("roofline.launch_idle", "kernel=9us launch=8us", 0),
    ("roofline.mfu", "throughput=400000 parameters=7B devices=64 peak=989TFLOP/s", 16.8 / 63.296),
    ("roofline.optimal_tokens", "parameters=70B", 1.4e12),
    ("roofline.ridge", "peak=989TFLOP/s bandwidth=3.35TB/s", 295.2239),
    ("roofline.tile_use", "rows=128 columns=257 tile_rows=128 tile_columns=128", 257 / 384),
    ("roofline.token_flops", "parameters=8B layers=32 width=4096 tokens=8192", 48e9 + 12.884901888e9),
    ("roofline.training_cost", "devices=512 seconds=10days price=2.5", 307_200),
    ("roofline.training_flops", "parameters=70B tokens=15T", 6.3e24),
    ("roofline.training_seconds", "parameters=70B tokens=15T devices=1024 peak=989.5TFLOP/s mfu=0.5", 143.926594 * 86400),
    ("roofline.wave_use", "tiles=133 processors=132", 133 / 264),
    ("saved_tensors.forward_peak_bytes", "layers=9 width=4 heads=1 tokens=2 batch=1 vocabulary=1", 32 * 11),
    ("selective.flops_ratio", "layers=1 width=1 heads=1 tokens=1 batch=1 vocabulary=1 policy=linears", 1 + 4 / 90),
    ("selective.saved_bytes", "layers=2 width=4 heads=1 tokens=4 batch=1 vocabulary=8 policy=linears", 64 * (2 * 10 + 2 + 2)),
    ("serving.blocks", "tokens=1000 block=16", 63),
    ("serving.cost_per_million", "price=3.6 throughput=1000", 1),
    ("serving.critical_batch", "peak=197TFLOP/s bandwidth=0.82TB/s", 240.2439),  # the Scaling book's 240
    ("serving.decode_floor", "parameters=70B element=2 bandwidth=3.35TB/s", 0.14 / 3.35),  # 42 ms
    ("serving.decode_step", "parameters=8B element=2 batch=32 context=4096 cache_per_token=100kB bandwidth=2TB/s", 0.0145536),
    ("serving.decode_throughput", "parameters=8B element=2 batch=10 context=1000 cache_per_token=400kB bandwidth=2TB/s", 1000),
    ("serving.expected_tokens", "drafted=4 acceptance=80%", 3.3616),
    ("serving.expected_tokens", "drafted=4 acceptance=1", 5),
    ("serving.in_flight", "rate=20 latency=4s", 80),
    ("serving.largest_batch", "memory=80GB weights=14GB reserved=0GB cache_per_token=800KiB tokens=4096", 19),
    ("serving.mean_block_waste", "block=16", 7.5),
    ("serving.prefill_seconds", "parameters=70B tokens=8192 devices=4 peak=1000TFLOP/s used=40%", 0.7168),
    ("serving.prefix_saving", "requests=65 prefix=1024 cache_per_token=128KiB", 8 * GIB),
    ("serving.request_seconds", "first_token=400ms per_token=25ms tokens=201", 5.4),
    ("serving.reserved_waste", "reserved=4096 used=1024", 0.75),
    ("serving.speculative_speedup", "drafted=4 acceptance=80% cost=5%", 3.3616 / 1.2),
    ("zero.gathered_bytes", "parameters=80B layers=80 ranks=64", 24e9),
    ("zero.hybrid_state_bytes", "parameters=7B node=8", 14e9),
    ("zero.state_bytes", "parameters=7.5B ranks=64 stage=0", 120e9),  # ZeRO, figure 1
    ("zero.state_bytes", "parameters=7.5B ranks=64 stage=1", 31.40625e9),
    ("zero.state_bytes", "parameters=7.5B ranks=64 stage=2", 16.640625e9),
    ("zero.state_bytes", "parameters=7.5B ranks=64 stage=3", 1.875e9),
    ("zero.step_bytes", "parameters=13B ranks=16 activations=20GB", 33e9),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given", "result"), WORKED, ids=lambda value: value if isinstance(value, str) else "")
def test_a_worked_example(name: str, given: str, result: float) -> None:
    """Parameters that are left out have their default."""
    formula = formulas()[name]
    texts = dict(pair.split("=") for pair in given.split())
    assert set(texts) <= {parameter.name for parameter in formula.parameters}
    values = {
        parameter.name: read(parameter, texts.get(parameter.name, parameter.example))
        for parameter in formula.parameters
    }

    assert formula.compute(values) == pytest.approx(result, rel=1e-6)


def test_each_public_formula_is_worked() -> None:
    """None is left out."""
    assert set(formulas()) == {name for name, _, _ in WORKED}
