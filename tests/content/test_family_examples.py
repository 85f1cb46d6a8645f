"""One instance of each numeric family worked by hand, measured, or printed by its source."""

from __future__ import annotations

import math

import pytest

from tutor.content.families import FAMILIES, humane, instance

GB, GIB, MIB = 1e9, 2**30, 2**20
MIXED = "bf16-weights+bf16-grads+fp32-master-adamw"
MIXED_18 = "bf16-weights+fp32-grads+fp32-master-adamw"

WORKED = [
    ("mem.tensor_mib", {"b": 4, "s": 2048, "h": 4096, "e": 2}, 64),
    ("mem.gib_from_gb", {"m": 80}, 74.506),
    ("mem.params", {"h": 768, "L": 12, "V": 50257}, 0.12365),
    ("mem.train_total_gb", {"N": 7e9, "k": 16, "A": 24}, 136),
    ("mem.act_layer_gib", {"s": 2048, "b": 1, "h": 12288, "a": 96}, 2.672),
    ("mem.attn_share", {"s": 2048, "h": 12288, "a": 96}, 0.7018),  # the paper's 70 %
    ("mem.saved_mib", {"n": 16, "b": 64, "h": 1024}, 32 / 4),  # 32 units of a quarter MiB
    ("mem.ckpt_boundaries_gib", {"s": 32768, "b": 1, "h": 4096, "L": 32}, 8),
    ("mem.logits_gib", {"s": 32768, "b": 1, "V": 128256}, 15.656),
    ("mem.total_ckpt_gib", {"s": 32768, "c": 28, "h": 4096, "L": 32, "V": 128256}, 70.625),
    ("mem.step_peak_gb", {"N": 7e9, "r": "fp32"}, 140),
    ("mem.step_peak_gb", {"N": 7e9, "r": "pure-bf16"}, 70),
    ("mem.accum_batch", {"m": 4, "k": 8, "d": 64}, 2048),
    ("mem.micro_batch", {"M": 40, "S": 17, "x": 2.6}, 8),
    ("ckpt.full_saving_gib", {"L": 32, "s": 2048, "b": 1, "h": 4096, "a": 32}, 32 * 2**23 * 112 / GIB),
    ("ckpt.forward_calls", {"N": 24, "k": 4}, 42),
    ("ckpt.live_units", {"N": 36, "k": 6, "b": 17}, 108),
    ("ckpt.best_k", {"N": 64, "b": 16}, 2),
    ("ckpt.flop_ratio", {"r": 2.0, "p": 0.5}, 3.5 / 3),
    ("ckpt.hfu", {"u": 0.42, "p": 1.0}, 0.56),
    ("ckpt.replay_ms", {"m": 8192, "k": 4096, "n": 4096, "p": 400}, 0.6872),
    ("ckpt.selective_gib", {"L": 32, "s": 2048, "b": 1, "h": 4096}, 34 / 4),
    ("ckpt.offload_ms", {"x": 512, "w": 25}, 20.48),
    ("ckpt.combined_gb", {"N": 7e9, "n": 8, "A": 12}, 28 + 10.5 + 12),
    ("rng.mask_agreement", {"p": 0.3}, 0.58),  # measured 0.579
    ("rng.mask_difference", {"p": 0.1}, 0.18),
    ("rng.state_bytes", {"n": 12}, 59.25),
    ("rng.mask_mib", {"s": 2048, "b": 4, "h": 4096}, 32),
    ("rng.statistics_moved", {"m": 0.1, "k": 1}, 0.19),  # two updates, as measured
    ("rng.sum_error", {"n": 65, "f": "bf16"}, 0.25),
    ("rng.mask_streams", {"g": 64, "t": 4}, 16),
    ("rng.counter_stops", {"f": "bf16", "d": 1}, 256),  # measured
    ("opt.model_state_gb", {"N": 7e9, "r": MIXED_18}, 126),
    ("opt.max_params", {"r": "fp32-adamw", "g": 8, "m": 80}, 40),
    ("opt.adam_moments_gb", {"N": 7e9}, 56),
    ("opt.ckpt_file_gb", {"N": 13e9}, 182),
    ("opt.lora_params", {"r": 16, "din": 4096, "dout": 4096}, 131072),
    ("opt.lora_mb", {"r": 8, "h": 4096, "L": 32}, 32 * 4 * 65536 * 12 / 1e6),
    ("opt.eight_bit_gb", {"N": 8e9, "B": 128}, 16.5),
    ("opt.adafactor_kib", {"n": 4096, "m": 16384}, 80),
    ("opt.autocast_gb", {"N": 1.5e9}, 9),
    ("opt.mixed_growth_gb", {"N": 7e9, "r": MIXED_18}, 14),
    ("opt.spacing", {"f": "bf16", "e": 10}, 8),
    ("opt.least_change", {"f": "bf16", "e": 0}, 1 / 256),
    ("opt.loss_scale", {"k": 26}, 12),
    ("attn.scores_gib", {"b": 1, "a": 32, "s": 16384}, 16),
    ("attn.traffic_mib", {"N": 1024, "d": 128}, (4 * 2**17 + 4 * 2**20) * 2 / MIB),
    ("attn.merged_sum", {"u": 5, "m": 2, "k": 3, "n": 3}, 5 / math.e + 3),
    ("attn.kept_mib", {"b": 4, "a": 32, "s": 8192}, 4),
    ("attn.block_keys", {"M": 96, "d": 128}, 96),
    ("attn.fused_tflop", {"b": 1, "a": 32, "s": 8192, "d": 128}, 3.8483),
    ("attn.flop_ratio", {"T": 65536, "D": 8192}, 1),
    ("attn.crossover", {"D": 4096}, 8192),  # the Scaling book's
    ("attn.grouped_saving_gb", {"L": 80, "a": 64, "k": 8, "T": 131072}, 300.65),
    ("attn.latent_kib", {"L": 60, "c": 512, "r": 64}, 67.5),  # DeepSeek-V2
    ("shard.allgather_ms", {"S": 1024, "n": 8, "w": 50}, 17.92),
    ("shard.bus_gbs", {"S": 1024, "t": 8, "n": 8}, 224),
    ("shard.ring_allreduce_ms", {"S": 1024, "n": 8, "w": 50}, 35.84),
    ("shard.ring_latency_us", {"n": 64, "t": 5}, 630),
    ("shard.ddp_gradients_gb", {"N": 1.3e9}, 10.4),  # measured 8.0 bytes a parameter
    ("shard.exposed_ms", {"t": 80, "c": 40, "o": 0.8}, 8),
    ("shard.no_sync_gb", {"N": 1e9, "k": 8, "n": 4}, 48),
    ("shard.zero_gb", {"N": 7.5e9, "n": 64, "z": 1}, 31.406),  # ZeRO, figure 1
    ("shard.zero_gb", {"N": 7.5e9, "n": 64, "z": 2}, 16.641),
    ("shard.zero_gb", {"N": 7.5e9, "n": 64, "z": 3}, 1.875),
    ("shard.fsdp_live_gb", {"N": 70e9, "L": 80, "n": 64}, 21),
    ("shard.traffic_gb", {"N": 10e9, "e": 2, "s": "ddp"}, 40),  # stas00: 40 and 60 GB
    ("shard.traffic_gb", {"N": 10e9, "e": 2, "s": "zero3"}, 60),
    ("shard.hybrid_gb", {"N": 7e9, "g": 8, "k": 4}, 14),
    ("shard.step_gb", {"N": 13e9, "n": 16, "A": 20}, 33),
    ("par.tp_act_gib", {"t": 8, "s": 2048, "b": 1, "h": 12288, "a": 96}, 2048 * 12288 * 23 / GIB),
    ("par.tp_traffic_gb", {"T": 8192, "h": 8192, "L": 80, "t": 8}, 75.162),
    ("par.tpsp_act_gib", {"t": 8, "s": 2048, "b": 1, "h": 12288, "a": 96}, 2.671875 / 8),
    ("par.cp_hop_mib", {"T": 131072, "c": 8, "k": 8}, 64),
    ("par.cp_block", {"F": 400, "w": 50}, 8000),
    ("par.stage_send_mib", {"s": 2048, "b": 1, "h": 4096, "m": 8}, 256),
    ("par.bubble", {"p": 8, "m": 32}, 7 / 39),
    ("par.interleaved", {"p": 8, "v": 2, "m": 32}, 7 / 64),
    ("par.micro_batches", {"p": 8, "x": 0.1}, 63),
    ("par.in_flight_gib", {"p": 8, "m": 32, "i": 2, "x": 1.5}, 9),
    ("par.replicas", {"t": 8, "p": 4, "g": 1024}, 32),
    ("par.expert_params", {"e": 16, "x": 3, "k": 2, "s": 5}, 11),
    ("par.capacity", {"T": 8192, "e": 64, "k": 2, "f": 1.25}, 320),
    ("par.expert_traffic_mib", {"T": 4096, "h": 4096, "k": 2, "n": 8}, 2 * 64 * 7 / 8),
    ("roof.train_zflop", {"N": 70e9, "D": 15e12}, 6300),
    ("roof.train_days", {"N": 70e9, "D": 15e12, "g": 1024, "p": 989, "u": 0.5}, 144.0),  # CS336: 143.9 at 989.5
    ("roof.gpus", {"N": 7e9, "D": 2e12, "d": 30, "p": 989, "u": 0.4}, 82),
    ("roof.mfu", {"t": 400000, "N": 7e9, "g": 64, "p": 989}, 0.2654),
    ("roof.cost_kusd", {"g": 512, "d": 10, "x": 2.5}, 307.2),
    ("roof.gemm_intensity", {"m": 512, "k": 4096, "n": 4096}, 409.6),  # StaffML
    ("roof.ridge", {"p": 989, "w": 3.35}, 295.2),
    ("roof.attainable", {"i": 50, "p": 989, "w": 3.35}, 167.5),
    ("roof.gemm_us", {"m": 64, "k": 4096, "n": 4096, "p": 312, "w": 2.0}, 17.3015),
    ("roof.elementwise_us", {"r": 2, "x": 32, "w": 2.0}, 96),
    ("roof.fusion_us", {"k": 4, "x": 32, "w": 2.0}, 192),
    ("roof.tile_use", {"m": 257, "n": 300, "T": 128}, 257 * 300 / (9 * 128**2)),
    ("roof.wave_use", {"t": 150, "s": 132}, 150 / 264),
    ("roof.amdahl", {"p": 0.7, "s": 2}, 1 / 0.65),
    ("infer.kv_per_token_kib", {"L": 32, "k": 8, "d": 128, "e": 2}, 128),  # Llama 3.1 8B
    ("infer.kv_total_gb", {"b": 32, "s": 4096, "L": 32, "a": 32, "k": 8}, 17.18),
    ("infer.window_gib", {"T": 32768, "W": 4096, "L": 32, "k": 8}, 0.5),
    ("infer.decode_floor_ms", {"N": 70e9, "e": 2, "w": 3.35}, 41.79),  # 42 ms
    ("infer.prefill_s", {"t": 8192, "N": 70e9, "g": 4, "p": 989, "u": 0.4}, 0.72477),
    ("infer.critical_batch", {"p": 197, "w": 0.82, "e": 2}, 240.24),
    ("infer.decode_tokens", {"N": 8e9, "b": 32, "s": 4096, "c": 128, "w": 2.0}, 1929),
    ("infer.max_batch", {"m": 80, "w": 14, "r": 2, "c": 512, "s": 4096}, 29),
    ("infer.reserved_waste", {"r": 4096, "u": 1000}, 0.75586),
    ("infer.blocks", {"t": 1000, "B": 16, "q": 10}, 630),
    ("infer.block_waste", {"B": 16, "q": 10}, 75),
    ("infer.prefix_gb", {"q": 64, "t": 2048, "c": 128}, 16.911),
    ("infer.quant_gb", {"N": 70e9, "b": 4, "g": 64}, 37.1875),
    ("infer.spec_tokens", {"g": 4, "a": 0.8}, 3.3616),
    ("infer.spec_speedup", {"g": 4, "a": 0.8, "c": 0.05}, 2.8013),
    ("infer.request_s", {"f": 500, "p": 20, "n": 200}, 4.48),
    ("infer.in_flight", {"r": 20, "t": 4}, 80),
    ("infer.cost_usd", {"x": 1.8, "t": 900}, 0.5556),
    ("ops.first_step_gb", {"N": 1.3e9}, 15.6),
    ("ops.unused_gib", {"r": 75, "a": 52}, 23),
    ("ops.fragmentation", {"r": 40, "a": 30}, 0.25),
    ("ops.leak_step", {"M": 80, "p": 60, "x": 60}, 334),
    ("ops.launch_idle", {"t": 3, "h": 8}, 0.625),
    ("ops.workers", {"f": 240, "s": 50}, 5),
    ("ops.prefetch_gb", {"w": 32, "p": 2, "b": 154}, 9.856),
    ("ops.mtbf_h", {"n": 10000, "y": 50000}, 5),
    ("ops.survival", {"t": 12, "m": 6}, 0.13534),
    ("ops.young_min", {"c": 60, "m": 3}, 18.974),
    ("ops.lost_share", {"c": 60, "t": 30, "m": 4}, 1 / 30 + 1 / 16),
    ("ops.availability", {"m": 1, "r": 30}, 2 / 3),
    ("ops.write_s", {"N": 70e9, "w": 10}, 98),
    ("ops.stragglers", {"n": 256, "p": 0.005, "f": 2}, 1.7229),
]


@pytest.mark.parametrize(("id", "values", "answer"), WORKED)
def test_worked_examples(id: str, values, answer: float) -> None:
    """The family gives the answer its source prints, and its working says it."""
    drawn = instance(FAMILIES[id], values, FAMILIES[id].tolerance)

    assert drawn is not None
    assert drawn.answer == pytest.approx(answer, rel=3e-4)
    assert humane(drawn.answer) in drawn.working


def test_each_family_is_worked() -> None:
    """None is left out."""
    assert set(FAMILIES) == {id for id, _, _ in WORKED}
