"""Frozen dataclasses that cost a start next to nothing until they are used.

The standard decorator describes each field, and writes and compiles six methods of each class, when its module is imported. On the
way to the first question that is a hundred classes and a tenth of the time, most of it for values no one makes before a key is
pressed. Here the methods that say the same of every class are shared, the fields are described when someone asks for them, and
`__init__` is compiled for a class of which many values are made.

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


MANY = 20
"""Values of a class made argument by argument before its `__init__` is compiled, which takes as long as to make so many."""
_set = object.__setattr__


def _frozen(cls: type[Any], slots: bool) -> Any:
    names = tuple(cls.__annotations__)
    rest = {name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")}
    defaults = {name: rest.pop(name) for name in names if name in rest}
    values, few = _reader(names), iter(range(MANY))

    def init(self: Any, *args: Any, **named: Any) -> None:
        given = {**defaults, **dict(zip(names, args, strict=False)), **named}
        sound = len(args) <= len(names) == len(given) and named.keys().isdisjoint(names[: len(args)])
        if not sound or next(few, None) is None:
            made.__init__ = _compiled_init(names, defaults)
            made.__init__(self, *args, **named)  # which says what is wrong with a call that is not sound
            return
        for name in names:
            value = given[name]
            _set(self, name, value.default_factory() if _is_field(value) else value)

    def equal(self: Any, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is made else NotImplemented

    methods = {
        "__init__": init,
        "__eq__": equal,
        "__hash__": lambda self: hash(values(self)),
        "__repr__": lambda self: f"{made.__qualname__}({', '.join(map('{}={!r}'.format, names, values(self)))})",
        "__reduce__": lambda self: (made, values(self)),  # copies and pickles: attributes cannot be set one by one
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__match_args__": names,
        "__dataclass_fields__": _Fields(defaults),
        "__qualname__": cls.__qualname__,
    }
    held = {"__slots__": names} if slots else {name: one for name, one in defaults.items() if not _is_field(one)}
    metaclass: Any = type(cls)
    made: Any = metaclass(cls.__name__, cls.__bases__, rest | methods | held)
    return made


class _Fields:
    """What stands for the fields of a class until someone asks for them; the standard decorator describes them then."""

    def __init__(self, defaults: dict[str, Any]) -> None:
        self._defaults = defaults

    def __get__(self, value: object, owner: Any) -> Any:
        described = {
            name: getattr(owner, name) for name in ("__module__", "__doc__", "__annotations__")
        } | self._defaults
        standard: Any = dataclasses.dataclass(init=False, repr=False, eq=False)(type(owner.__name__, (), described))
        owner.__dataclass_fields__ = standard.__dataclass_fields__
        return owner.__dataclass_fields__


def _reader(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what reads the fields named into a tuple, in C where there are several."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple(getattr(self, name) for name in names)


def _compiled_init(fields: tuple[str, ...], defaults: dict[str, Any]) -> Any:
    """Return the `__init__` of a class of these fields, as the standard decorator would write it."""
    names: dict[str, Any] = {"_set": _set, "_missing": dataclasses.MISSING}
    parameters, body = ["self"], ["pass"]
    for field in fields:
        value = field
        if field not in defaults:
            parameters.append(field)
        elif _is_field(defaults[field]):
            names[f"_new_{field}"] = defaults[field].default_factory
            parameters.append(f"{field}=_missing")
            value = f"_new_{field}() if {field} is _missing else {field}"
        else:
            names[f"_default_{field}"] = defaults[field]
            parameters.append(f"{field}=_default_{field}")
        body.append(f"_set(self, {field!r}, {value})")
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(body), names)
    return names["__init__"]


def _is_field(default: object) -> bool:
    """Whether a default is made anew for each value: what `field` returns says how."""
    return type(default) is dataclasses.Field


def _refuse(self: Any, name: str, *value: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
