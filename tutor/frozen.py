"""Frozen dataclasses that cost a start nothing until one is made.

The standard decorator writes and compiles six methods of each class when its module is imported. On the way to the first question
that is a hundred classes and a tenth of the time, most of it for values no one makes before a key is pressed. Here the methods
that say the same of every class are shared, and `__init__` is compiled when the first value is made.

To a type checker, and to `fields`, `replace` and `asdict`, this is `dataclasses.dataclass`; subclasses and `__post_init__` are not
provided for.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen: bool, slots: bool = False) -> Callable[[type], type]:
        """Return the decorator; only frozen classes without an order are made here."""
        assert frozen
        return lambda cls: _frozen(cls, slots)


def _frozen(cls: type[Any], slots: bool) -> Any:
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    names = made.__match_args__
    values = _reader(names)

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        made.__init__ = _compiled_init(made)
        made.__init__(self, *args, **kwargs)

    def equal(self: Any, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is made else NotImplemented

    made.__init__ = init
    made.__eq__ = equal
    made.__hash__ = lambda self: hash(values(self))
    made.__repr__ = lambda self: f"{made.__qualname__}({', '.join(map('{}={!r}'.format, names, values(self)))})"
    made.__reduce__ = lambda self: (made, values(self))  # copies and pickles: attributes cannot be set one by one
    made.__setattr__ = made.__delattr__ = _refuse
    return made


def _reader(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what reads the fields named into a tuple, in C where there are several."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple(getattr(self, name) for name in names)


def _compiled_init(cls: Any) -> Any:
    """Return the `__init__` of a class of these fields, as the standard decorator would write it."""
    names: dict[str, Any] = {"_set": object.__setattr__, "_missing": dataclasses.MISSING}
    parameters, body = ["self"], ["pass"]
    for field in dataclasses.fields(cls):
        value = field.name
        if field.default_factory is not dataclasses.MISSING:
            names[f"_new_{field.name}"] = field.default_factory
            parameters.append(f"{field.name}=_missing")
            value = f"_new_{field.name}() if {field.name} is _missing else {field.name}"
        elif field.default is not dataclasses.MISSING:
            names[f"_default_{field.name}"] = field.default
            parameters.append(f"{field.name}=_default_{field.name}")
        else:
            parameters.append(field.name)
        body.append(f"_set(self, {field.name!r}, {value})")
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(body), names)
    return names["__init__"]


def _refuse(self: Any, name: str, *value: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
