"""A learner's own file as a training job, and what is wrong with it in one sentence.

The file defines:

    model()                  returns an nn.Module
    batch()                  returns what the model is called with: a tensor, a tuple of arguments, or a dict of named ones
    optimizer(parameters)    may be left out: AdamW
    loss(output, batch)      may be left out: the output where it is one number, else the mean of its squares

Where loss is defined and batch() returns a pair, it is (inputs, targets): the model gets the inputs, loss the pair. Tensors are made
inside these functions, for they are called under fake tensors; importing the file makes none.
"""

from __future__ import annotations

import importlib.util
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException
from torch.utils._pytree import tree_leaves

from experiments.emit import Refused
from experiments.instruments.fake import Job


def load(file: str) -> ModuleType:
    """Import the file. Raises Refused where it is not there, not Python, fails, or lacks model() or batch()."""
    path = Path(file)
    if not path.is_file():
        raise Refused(f"{file}: there is no such file; name a Python file that defines model() and batch().")
    spec = importlib.util.spec_from_file_location("learner_file", path)
    if spec is None or spec.loader is None:
        raise Refused(f"{file}: this is not a Python file; name one that ends in .py.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent))
    with one_sentence(file, "importing the file"):
        spec.loader.exec_module(module)
    for name in ("model", "batch"):
        if not callable(getattr(module, name, None)):
            returned = "an nn.Module" if name == "model" else "the model's inputs"
            raise Refused(f"{file}:1: {name}() is missing; define a function {name}() that returns {returned}.")
    return module


def job_of(file: str, module: ModuleType) -> Job:
    """Return the training step that the file describes."""
    loss = getattr(module, "loss", None)
    optimizer: Callable[[Iterable[nn.Parameter]], torch.optim.Optimizer] = getattr(
        module, "optimizer", default_optimizer
    )

    def made() -> nn.Module:
        with one_sentence(file, "model()"):
            model = module.model()
        if not isinstance(model, nn.Module):
            raise Refused(f"{file}: model() returned an object of type {type(model).__name__}; return an nn.Module.")
        return model

    def fed() -> Any:
        with one_sentence(file, "batch()"):
            return module.batch()

    def lost(model: nn.Module, batch: Any) -> Tensor:
        with one_sentence(file, "the forward pass"):
            output = call(model, batch[0] if loss and isinstance(batch, tuple | list) and len(batch) == 2 else batch)
            value = loss(output, batch) if loss else default_loss(output)
        if not isinstance(value, Tensor) or value.numel() != 1:
            raise Refused(f"{file}: loss() must return one number; take a mean or a sum.")
        return value

    def updated(parameters: Iterable[nn.Parameter]) -> torch.optim.Optimizer:
        with one_sentence(file, "optimizer()"):
            return optimizer(parameters)

    return Job(made, fed, lost, updated)


def call(model: nn.Module, inputs: Any) -> Any:
    """Call a model with a tensor, a tuple of arguments or a dict of named ones."""
    if isinstance(inputs, dict):
        return model(**inputs)
    return model(*inputs) if isinstance(inputs, tuple | list) else model(inputs)


def default_optimizer(parameters: Iterable[nn.Parameter]) -> torch.optim.Optimizer:
    """Return AdamW over all tensors at once, as it is picked on CUDA."""
    return torch.optim.AdamW(parameters, foreach=True)


def default_loss(output: Any) -> Tensor:
    """Return the output where it is one number, else the mean of the squares of all it holds."""
    tensors = [leaf for leaf in tree_leaves(output) if isinstance(leaf, Tensor) and leaf.is_floating_point()]
    if len(tensors) == 1 and tensors[0].numel() == 1:
        return tensors[0].reshape(())
    return torch.stack([tensor.float().square().mean() for tensor in tensors]).sum()


@contextmanager
def one_sentence(file: str, doing: str) -> Iterator[None]:
    """Turn whatever the learner's code raises into one sentence with its line and a remedy."""
    try:
        yield
    except Refused:
        raise
    except SyntaxError as error:
        raise Refused(f"{error.filename or file}:{error.lineno}: {error.msg}; mend that line.") from None
    except (Exception, SystemExit) as error:
        raise Refused(sentence(file, doing, error)) from None


def sentence(file: str, doing: str, error: BaseException) -> str:
    """Return what went wrong, at the last line of the file that was on the way there."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if same(frame.filename, file)]
    place = f"{file}:{lines[-1]}" if lines else file
    words = " ".join(str(error).split())[:200].rstrip(".")
    if isinstance(error, DataDependentOutputException | DynamicOutputShapeException):
        instead = "use a mask or a fixed capacity instead of .item(), nonzero or boolean indexing"
        if not lines:
            instead = "choose another optimizer, such as AdamW"
        return f"{place}: {doing} needs a value ({error.func}) and fake tensors have only shapes; {instead}."
    if "convert all Tensors to FakeTensors" in words:
        return f"{place}: {doing} uses a tensor made while the file was imported; make it inside model() or batch()."
    return f"{place}: {doing} raised {type(error).__name__}: {words or 'no message'}; mend {'that line' if lines else 'it'} and try again."


def same(one: str, other: str) -> bool:
    """Whether two names mean one file."""
    return Path(one).resolve() == Path(other).resolve()
