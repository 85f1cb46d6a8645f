"""What training memory is made of: parameters counted from a model's shape, bytes of state, and the batch that is left room for."""

from __future__ import annotations

from typing import Annotated

from tutor.formulas.quantities import Bytes, Count, Number, Params, Quantity, formula
from tutor.formulas.rounding import floor
from tutor.formulas.units import GB, GIB

Sample = Annotated[float, Quantity("B", 1)]


@formula
def dense_parameters(width: Count, layers: Count, vocabulary: Count) -> Params:
    """Return parameters of a GPT with tied embeddings and an MLP of four widths: hV + L(12h² + 13h) + 2h.

    width: channels of the hidden state, such as 4096
    layers: transformer blocks, such as 32
    vocabulary: entries of the vocabulary, such as 50257
    Source: the list of a block's tensors (4h² of attention, 8h² of the MLP, 13h of biases and norms); as in the Hugging Face ultra-scale playbook.
    """
    return width * vocabulary + layers * (12 * width**2 + 13 * width) + 2 * width


@formula
def gated_parameters(
    width: Count, hidden: Count, layers: Count, heads: Count, kv_heads: Count, vocabulary: Count
) -> Params:
    """Return parameters of a decoder with grouped keys and values, a gated MLP, an untied head, no biases.

    Per block 2d² for queries and output, 2d² · kv/h for keys and values, 3dF for the MLP, 2d for two norms.
    width: channels of the hidden state, such as 4096
    hidden: channels of the MLP, such as 14336
    layers: transformer blocks, such as 32
    heads: query heads, such as 32
    kv_heads: key and value heads, such as 8
    vocabulary: entries of the vocabulary, such as 128256
    Source: the list of a block's tensors; gives the 8 030 261 248 of Llama 3 8B.
    """
    attention = 2 * width**2 + 2 * width**2 * kv_heads // heads
    return layers * (attention + 3 * width * hidden + 2 * width) + width + 2 * vocabulary * width


@formula
def expert_parameters(shared: Params, expert: Params, experts: Number) -> Params:
    """Return parameters of a mixture of experts with some experts counted: all of them for memory, the active ones for compute.

    shared: parameters that every token uses, such as 5B
    expert: parameters of one expert over all layers, such as 3B
    experts: experts that are counted, such as 16
    Source: Fedus et al. 2021, Switch Transformers (arXiv:2101.03961).
    """
    return shared + expert * experts


@formula
def training_bytes(parameters: Params, bytes_per_parameter: Bytes, activations: Bytes) -> Bytes:
    """Return bytes a step needs: state for each parameter, and activations.

    parameters: of the model, such as 7B
    bytes_per_parameter: weights, gradients, master copy and moments together, such as 16
    activations: kept for backward, such as 12 GB
    Source: Rajbhandari et al. 2019, ZeRO (arXiv:1910.02054), section 3.
    """
    return parameters * bytes_per_parameter + activations


@formula
def global_batch(micro_batch: Count, accumulation: Count, replicas: Count) -> Count:
    """Return the samples that one optimizer step averages over.

    micro_batch: samples that go through the model at once, such as 4
    accumulation: micro-batches a step, such as 8
    replicas: data-parallel replicas, such as 64
    Source: definition; as in the Hugging Face ultra-scale playbook.
    """
    return micro_batch * accumulation * replicas


@formula
def largest_micro_batch(memory: Bytes, state: Bytes, sample: Sample) -> Number:
    """Return the samples whose activations fit beside the state.

    memory: of the device, such as 80 GB
    state: weights, gradients and optimizer state, such as 32 GB
    sample: activations of one sample, such as 3.5 GB
    Source: activations grow with the batch and state does not; measured with torch 2.13.
    """
    return max(0, floor((memory - state) / sample))


@formula
def binary_gigabytes(size: Bytes) -> Annotated[float, Quantity("GiB")]:
    """Return GiB in a number of bytes: bytes over 2^30, 7 % fewer than GB.

    size: to be written in GiB, such as 80 GB
    Source: IEC 80000-13.
    """
    return size / GIB


@formula
def decimal_gigabytes(size: Bytes) -> Annotated[float, Quantity("GB")]:
    """Return GB in a number of bytes: bytes over 10^9.

    size: to be written in GB, such as 80 GiB
    Source: IEC 80000-13.
    """
    return size / GB
