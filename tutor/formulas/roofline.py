"""FLOPs, intensity and the roofline: how long work takes at least, how much of a machine it uses, and what fusing saves."""

from __future__ import annotations

from typing import Annotated

from tutor.formulas.quantities import (
    Bytes,
    BytesPerSecond,
    Count,
    Dollars,
    Factor,
    Flops,
    FlopsPerByte,
    FlopsPerSecond,
    Params,
    Quantity,
    Seconds,
    Share,
    Tokens,
    TokensPerSecond,
    formula,
)
from tutor.formulas.rounding import ceiling

Used = Annotated[float, Quantity("fraction", 1e-6, 1)]
Speedup = Annotated[float, Quantity("x", 1e-6)]
Duration = Annotated[float, Quantity("s", 1e-12)]


@formula
def training_flops(parameters: Params, tokens: Tokens) -> Flops:
    """Return FLOPs of training: 6ND, two a parameter and token forward, four backward; attention's own are left out.

    parameters: that a token uses, such as 70B
    tokens: trained on, such as 15T
    Source: Kaplan et al. 2020, Scaling laws (arXiv:2001.08361), 2.1.
    """
    return 6 * parameters * tokens


@formula
def token_flops(parameters: Params, layers: Count, width: Count, tokens: Count) -> Flops:
    """Return training FLOPs of one token with attention counted: 6N + 12·L·d·T.

    parameters: of the model, such as 8B
    layers: transformer blocks, such as 32
    width: heads times channels of a head, such as 4096
    tokens: in a sequence, such as 8192
    Source: Chowdhery et al. 2022, PaLM (arXiv:2204.02311), appendix B.
    """
    return 6 * parameters + 12 * layers * width * tokens


@formula
def training_seconds(parameters: Params, tokens: Tokens, devices: Count, peak: FlopsPerSecond, mfu: Used) -> Seconds:
    """Return seconds of training: 6ND over what the devices really do.

    parameters: that a token uses, such as 70B
    tokens: trained on, such as 15T
    devices: that train, such as 1024
    peak: FLOPs a second of one, such as 989 TFLOP/s
    mfu: share of the peak that is used, such as 50%
    Source: Stanford CS336, lecture 2: 143.9 days for 70B on 15T tokens with 1024 devices of 989.5 TFLOP/s at one half.
    """
    return 6 * parameters * tokens / (devices * peak * mfu)


@formula
def devices_needed(parameters: Params, tokens: Tokens, seconds: Duration, peak: FlopsPerSecond, mfu: Used) -> Count:
    """Return the least devices that train in time: 6ND over what one does.

    parameters: that a token uses, such as 7B
    tokens: trained on, such as 2T
    seconds: allowed, such as 30 days
    peak: FLOPs a second of one, such as 989 TFLOP/s
    mfu: share of the peak that is used, such as 40%
    Source: Kaplan et al. 2020 (arXiv:2001.08361), 2.1, solved for the devices.
    """
    return ceiling(6 * parameters * tokens / (seconds * peak * mfu))


@formula
def training_cost(devices: Count, seconds: Seconds, price: Dollars) -> Dollars:
    """Return what renting costs: devices, hours, price of an hour.

    devices: rented, such as 512
    seconds: rented for, such as 10 days
    price: of one device for one hour, such as 2.5
    Source: arithmetic.
    """
    return devices * seconds / 3600 * price


@formula
def optimal_tokens(parameters: Params) -> Tokens:
    """Return the tokens that make best use of a compute budget: about 20 a parameter.

    parameters: of the model, such as 7B
    Source: Hoffmann et al. 2022, Chinchilla (arXiv:2203.15556): 70B on 1.4T tokens.
    """
    return 20 * parameters


@formula
def mfu(throughput: TokensPerSecond, parameters: Params, devices: Count, peak: FlopsPerSecond) -> Share:
    """Return model FLOPs utilisation: 6N FLOPs a token, over the peak. Replay is no useful work.

    throughput: tokens a second of all devices, such as 400000
    parameters: that a token uses, such as 7B
    devices: that train, such as 64
    peak: FLOPs a second of one, such as 989 TFLOP/s
    Source: Chowdhery et al. 2022, PaLM (arXiv:2204.02311), appendix B, attention left out.
    """
    return 6 * parameters * throughput / (devices * peak)


@formula
def hfu(mfu: Share, replayed: Share) -> Share:
    """Return hardware FLOPs utilisation, which counts replay too: MFU · (3 + p)/3.

    mfu: model FLOPs utilisation, such as 42%
    replayed: share of the forward that backward runs again, such as 100%
    Source: Korthikanti et al. 2022 (arXiv:2205.05198), section 6; all replayed gives 4/3.
    """
    return mfu * (3 + replayed) / 3


@formula
def gemm_flops(m: Count, k: Count, n: Count) -> Flops:
    """Return FLOPs of a matrix product: 2mkn, two a multiply-add.

    m: rows of the first, such as 8192
    k: columns of the first, rows of the second, such as 4096
    n: columns of the second, such as 4096
    Source: definition; torch's FlopCounterMode counts the same.
    """
    return 2 * m * k * n


@formula
def gemm_intensity(m: Count, k: Count, n: Count, element: Bytes = 2) -> FlopsPerByte:
    """Return FLOPs a byte of a matrix product that moves each matrix once: 2mkn / (bytes · (mk + kn + mn)).

    m: rows of the first, such as 512
    k: columns of the first, rows of the second, such as 4096
    n: columns of the second, such as 4096
    element: bytes an element
    Source: Williams et al. 2009, Roofline; 409.6 at m = 512.
    """
    return 2 * m * k * n / (element * (m * k + k * n + m * n))


@formula
def ridge(peak: FlopsPerSecond, bandwidth: BytesPerSecond) -> FlopsPerByte:
    """Return the intensity from which a machine computes at its peak: peak over bandwidth.

    peak: FLOPs a second, such as 989 TFLOP/s
    bandwidth: of the memory, such as 3.35 TB/s
    Source: Williams et al. 2009, Roofline: an insightful visual performance model.
    """
    return peak / bandwidth


@formula
def attainable(intensity: FlopsPerByte, peak: FlopsPerSecond, bandwidth: BytesPerSecond) -> FlopsPerSecond:
    """Return the most FLOPs a second at an intensity: the lesser of the peak and bandwidth · intensity.

    intensity: FLOPs for each byte moved, such as 50
    peak: FLOPs a second, such as 989 TFLOP/s
    bandwidth: of the memory, such as 3.35 TB/s
    Source: Williams et al. 2009, Roofline: an insightful visual performance model.
    """
    return min(peak, bandwidth * intensity)


@formula
def gemm_seconds(
    m: Count, k: Count, n: Count, peak: FlopsPerSecond, bandwidth: BytesPerSecond, element: Bytes = 2
) -> Seconds:
    """Return the least seconds of a matrix product: the larger of computing and moving.

    m: rows of the first, such as 16
    k: columns of the first, rows of the second, such as 8192
    n: columns of the second, such as 8192
    peak: FLOPs a second, such as 989 TFLOP/s
    bandwidth: of the memory, such as 3.35 TB/s
    element: bytes an element
    Source: Williams et al. 2009, Roofline; computing and moving overlap.
    """
    return max(2 * m * k * n / peak, element * (m * k + k * n + m * n) / bandwidth)


@formula
def elementwise_seconds(elements: Count, tensors: Count, bandwidth: BytesPerSecond, element: Bytes = 2) -> Seconds:
    """Return the least seconds of an operation without reuse: every tensor read or written crosses the memory once.

    elements: of each tensor, such as 32M
    tensors: read and written, such as 3
    bandwidth: of the memory, such as 2 TB/s
    element: bytes an element
    Source: Williams et al. 2009, Roofline, left of the ridge.
    """
    return tensors * elements * element / bandwidth


@formula
def fusion_saving(elements: Count, operations: Count, bandwidth: BytesPerSecond, element: Bytes = 2) -> Seconds:
    """Return seconds saved by fusing a chain of unary operations: each but one spares a write and a read.

    elements: of the tensor, such as 32M
    operations: in the chain, such as 4
    bandwidth: of the memory, such as 2 TB/s
    element: bytes an element
    Source: Williams et al. 2009, Roofline: one read and one write are left.
    """
    return 2 * (operations - 1) * elements * element / bandwidth


@formula
def amdahl(share: Share, speedup: Speedup) -> Factor:
    """Return the speedup of the whole when a part gets faster: 1 / ((1 - p) + p/s).

    share: of the time that gets faster, such as 70%
    speedup: of that part, such as 2
    Source: Amdahl 1967, Validity of the single processor approach.
    """
    return 1 / (1 - share + share / speedup)


@formula
def tile_use(rows: Count, columns: Count, tile_rows: Count, tile_columns: Count) -> Share:
    """Return the share of the tiles' work that is wanted when a matrix is cut in whole tiles.

    rows: of the output, such as 4096
    columns: of the output, such as 4100
    tile_rows: of a tile, such as 128
    tile_columns: of a tile, such as 256
    Source: NVIDIA, Matrix multiplication background user's guide, tile quantization.
    """
    tiles = ceiling(rows / tile_rows) * ceiling(columns / tile_columns)
    return rows * columns / (tiles * tile_rows * tile_columns)


@formula
def wave_use(tiles: Count, processors: Count) -> Share:
    """Return the share of the processors' time that is used when tiles run in whole waves.

    tiles: of the output, such as 133
    processors: that take a tile each, such as 132
    Source: NVIDIA, Matrix multiplication background user's guide, wave quantization.
    """
    return tiles / (ceiling(tiles / processors) * processors)


@formula
def launch_idle(kernel: Seconds, launch: Duration) -> Share:
    """Return the share of time a device waits when launching a kernel takes longer than running it; none otherwise.

    kernel: time one takes on the device, such as 3 us
    launch: time the host needs for one, such as 8 us
    Source: arithmetic of a queue that is empty; gaps between kernels in a trace.
    """
    return max(0, 1 - kernel / launch)
