"""Every public formula by name, read from its own signature and docstring: there is no second list to forget."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import tutor.formulas
from tutor.formulas.quantities import MARKED, Quantity

Value = float | str | bool

_MEANING = re.compile(r"^(\w+): (.+?)(?:, such as (.+))?$")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter as a person gives it. `example` is text in the unit or with one of its own."""

    name: str
    meaning: str
    example: str
    quantity: Quantity
    whole: bool = False
    choices: tuple[str, ...] = ()
    """The words it may be, where it is no number."""
    default: bool = False
    """Whether `example` is what the formula takes where nothing is given."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A public formula with what its docstring says."""

    name: str
    """Module and function, such as `collectives.ring_all_reduce`."""
    what: str
    unit: str
    source: str
    parameters: tuple[Parameter, ...]
    function: Callable[..., float]

    def arguments(self, values: Mapping[str, Value]) -> dict[str, object]:
        """Return the function's arguments for a value of each parameter, shapes put together from their fields."""
        arguments: dict[str, object] = {}
        for name, annotation in _signature(self.function).items():
            kind = _plain(annotation)
            if dataclasses.is_dataclass(kind):
                fields = [field.name for field in dataclasses.fields(kind)]
                arguments[name] = kind(**{field: values[field] for field in fields})  # type: ignore[operator]
            else:
                arguments[name] = values[name]
        return arguments

    def compute(self, values: Mapping[str, Value]) -> float:
        """Return the result in `unit` for a value of each parameter, numbers in their units.

        Raises ZeroDivisionError, OverflowError or ValueError where the values leave the formula's domain.
        """
        return float(self.function(**self.arguments(values)))


@cache
def formulas() -> dict[str, Formula]:
    """Return all public formulas by name, module by module."""
    for module in pkgutil.iter_modules(tutor.formulas.__path__):
        importlib.import_module(f"tutor.formulas.{module.name}")
    return {name: _read(name, MARKED[name]) for name in sorted(MARKED)}


def find(name: str) -> list[Formula]:
    """Return the formula of that name, or those of that name without its module; hyphens stand for underscores."""
    wanted = name.strip().replace("-", "_")
    known = formulas()
    if wanted in known:
        return [known[wanted]]
    return [formula for full, formula in known.items() if full.partition(".")[2] == wanted]


def _read(name: str, function: Callable[..., float]) -> Formula:
    what, meanings, source = _docstring(function)
    parameters: list[Parameter] = []
    defaults = inspect.signature(function).parameters
    for parameter, annotation in _signature(function).items():
        kind = _plain(annotation)
        if dataclasses.is_dataclass(kind):
            parameters += _fields(kind)
        else:
            meaning = meanings[parameter]
            parameters.append(_parameter(parameter, annotation, meaning, defaults[parameter].default))
    result = _quantity(get_type_hints(function, include_extras=True)["return"])
    return Formula(name, what, result.unit, source, tuple(parameters), function)


def _fields(kind: Any) -> list[Parameter]:
    """Return the fields of a shape as parameters."""
    _, meanings, _ = _docstring(kind)
    hints = get_type_hints(kind, include_extras=True)
    return [
        _parameter(field.name, hints[field.name], meanings[field.name], field.default)
        for field in dataclasses.fields(kind)
    ]


def _parameter(name: str, annotation: Any, meaning: tuple[str, str], default: object) -> Parameter:
    words, example = meaning
    kind = _plain(annotation)
    choices: tuple[str, ...] = ("yes", "no") if kind is bool else ()
    if get_origin(kind) is Literal:
        choices = get_args(kind)
    elif kind is str:
        choices = next(extra for extra in get_args(annotation)[1:] if isinstance(extra, tuple))
    optional = default not in (inspect.Parameter.empty, dataclasses.MISSING)
    if optional:
        example = {"True": "yes", "False": "no"}.get(str(default), str(default))
    return Parameter(name, words, example, _quantity(annotation), kind is int, choices, optional)


def _docstring(documented: Any) -> tuple[str, dict[str, tuple[str, str]], str]:
    """Return what a docstring says in all: its first sentence, the meaning and example of each parameter, the source."""
    text = inspect.getdoc(documented) or ""
    meanings = {}
    for line in text.splitlines():
        found = _MEANING.match(line)
        if found and found[1] != "Source":
            meanings[found[1]] = (found[2].rstrip("."), (found[3] or "").rstrip("."))
    source = text.partition("Source: ")[2].partition("\n\n")[0]
    return text.partition("\n")[0].removeprefix("Return ").rstrip("."), meanings, " ".join(source.split()).rstrip(".")


def _signature(function: Callable[..., float]) -> dict[str, Any]:
    hints = get_type_hints(function, include_extras=True)
    return {name: hint for name, hint in hints.items() if name != "return"}


def _plain(annotation: Any) -> Any:
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def _quantity(annotation: Any) -> Quantity:
    extras = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return next((extra for extra in extras if isinstance(extra, Quantity)), Quantity(""))
