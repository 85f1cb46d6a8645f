"""Values as rows that JSON can hold, and back.

What is read back is refused unless every value has the type its field declares, so a row may come from anywhere: at worst it says
something untrue, never something that a reader of the value does not expect. Nothing in a row is executed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

from tutor.content.experiments import Bet, Experiment, Flip, Observation, Parameter
from tutor.content.model import Concept, Deck, ExperimentLink, Gap, Item, Myth, Option, Problem

T = TypeVar("T")
Read = Callable[[Any], Any]


class Refused(ValueError):
    """A row is not what the class it is read into declares."""


def to_row(value: Any) -> Any:
    """Return a value as JSON can hold it: a dataclass and a tuple become lists, a path its text."""
    kind: Any = type(value)
    if value is None or kind in _SCALAR:
        return value
    if isinstance(value, tuple | list):
        return [to_row(one) for one in value]
    if isinstance(value, Mapping):
        return {key: to_row(one) for key, one in value.items()}
    return str(value) if isinstance(value, Path) else [to_row(getattr(value, name)) for name in kind.__match_args__]


def reader(kind: type[T]) -> Callable[[Any], T]:
    """Return what reads a row into a value of the dataclass; it raises Refused and uses the row up."""
    described: Any = kind
    parts = [_FIELDS[described.__annotations__[name]] for name in described.__match_args__]
    accepted = frozenset(product(*(types for types, _ in parts)))
    deeper = [(place, read) for place, (_, read) in enumerate(parts) if read is not None]

    def read_row(row: Any) -> T:
        if type(row) is not list or tuple(map(type, row)) not in accepted:
            raise Refused(kind.__name__)
        for place, read in deeper:
            row[place] = read(row[place])
        return kind(*row)

    return read_row


def each(read: Callable[[Any], T]) -> Callable[[Any], tuple[T, ...]]:
    """Return what reads a list of rows into a tuple."""

    def read_rows(rows: Any) -> tuple[T, ...]:
        if type(rows) is not list:
            raise Refused("list")
        return tuple([read(row) for row in rows])

    return read_rows


def listed(read: Callable[[Any], T]) -> Callable[[Any], list[T]]:
    """Return what reads a list of rows into a list."""
    into_tuple = each(read)
    return lambda rows: list(into_tuple(rows))


def together(*reads: Read) -> Callable[[Any], Any]:
    """Return what reads a list of as many values of different kinds into a tuple."""

    def read_values(values: Any) -> tuple[Any, ...]:
        if type(values) is not list or len(values) != len(reads):
            raise Refused("list")
        return tuple(read(value) for read, value in zip(reads, values, strict=True))

    return read_values


def maybe(read: Callable[[Any], T]) -> Callable[[Any], T | None]:
    """Return what reads a row, or nothing."""
    return lambda row: None if row is None else read(row)


def named(read: Callable[[Any], T]) -> Callable[[Any], dict[str, T]]:
    """Return what reads a table of rows; JSON's own names are texts."""

    def read_rows(rows: Any) -> dict[str, T]:
        if type(rows) is not dict:
            raise Refused("table")
        return {name: read(row) for name, row in rows.items()}

    return read_rows


def _all(*kinds: type) -> Read:
    """Return what reads a list of plain values into a tuple."""
    allowed = set(kinds)

    def read_values(values: Any) -> tuple[Any, ...]:
        if type(values) is not list or not allowed.issuperset(map(type, values)):
            raise Refused("list")
        return tuple(values)

    return read_values


def _table(*kinds: type) -> Read:
    """Return what reads a table of plain values."""
    allowed = set(kinds)

    def read_values(values: Any) -> dict[str, Any]:
        if type(values) is not dict or not allowed.issuperset(map(type, values.values())):
            raise Refused("table")
        return values

    return read_values


_SCALAR, _NUMBER, _NONE = (bool, int, float, str), (int, float), type(None)
_FIELDS: dict[str, tuple[tuple[type, ...], Read | None]] = {
    "bool": ((bool,), None),
    "int": ((int,), None),
    "float": (_NUMBER, None),
    "str": ((str,), None),
    "Scalar": (_SCALAR, None),
    "str | None": ((str, _NONE), None),
    "float | None": ((*_NUMBER, _NONE), None),
    "Path": ((str,), Path),
    "Path | None": ((str, _NONE), maybe(Path)),
    "tuple[str, ...]": ((list,), _all(str)),
    "Mapping[str, str]": ((dict,), _table(str)),
    "Mapping[str, float]": ((dict,), _table(*_NUMBER)),
    "Mapping[str, Scalar]": ((dict,), _table(*_SCALAR)),
    "Mapping[str, tuple[Scalar, ...]]": ((dict,), named(_all(*_SCALAR))),
    "tuple[Mapping[str, Scalar], ...]": ((list,), each(_table(*_SCALAR))),
}
"""By the annotation of a field: the types its value may have in a row, and what reads deeper into it."""

for _kind in (ExperimentLink, Option, Gap, Parameter, Bet, Observation, Flip):  # what fields of other classes hold
    _read: Read = reader(_kind)
    _name = _kind.__name__
    _FIELDS[f"{_name} | None"] = (list, _NONE), maybe(_read)
    _FIELDS[f"tuple[{_name}, ...]"] = (list,), each(_read)
    _FIELDS[f"Mapping[str, {_name}]"] = (dict,), named(_read)

read_item = reader(Item)
read_concept = reader(Concept)
read_myth = reader(Myth)
read_problem = reader(Problem)
read_experiment = reader(Experiment)
_FIELDS["tuple[Item, ...]"] = (list,), each(read_item)
read_deck = reader(Deck)
