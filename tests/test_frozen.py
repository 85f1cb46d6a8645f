"""Frozen dataclasses made late are the standard library's in all that can be seen of them."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable, Mapping
from dataclasses import FrozenInstanceError, asdict, field, fields, replace
from typing import Any

import pytest

from tutor import frozen


def classes(dataclass: Callable[..., Any]) -> tuple[Any, ...]:
    """Return a class with defaults, one with slots and a single field, and one without fields."""

    @dataclass(frozen=True)
    class Many:
        """Three fields."""

        name: str
        count: int = 3
        more: Mapping[str, int] = field(default_factory=dict)

        @property
        def twice(self) -> int:
            """Twice the count."""
            return 2 * self.count

    @dataclass(frozen=True, slots=True)
    class One:
        """One field."""

        value: Any

    @dataclass(frozen=True, slots=True)
    class Empty:
        """No field."""

    return Many, One, Empty


@dataclasses.dataclass(frozen=True, slots=True)
class Standard:
    """What `Late` is compared with."""

    left: int
    right: str = "r"


@frozen.dataclass(frozen=True, slots=True)
class Late:
    """At module level, so that it can be pickled."""

    left: int
    right: str = "r"


MAKES: list[Callable[[Any, Any, Any], Any]] = [
    lambda many, one, empty: many("a"),
    lambda many, one, empty: many("a", 4, {"b": 1}),
    lambda many, one, empty: many(more={}, name="a"),
    lambda many, one, empty: one((1, 2)),
    lambda many, one, empty: one(value=None),
    lambda many, one, empty: empty(),
]


@pytest.mark.parametrize("make", MAKES)
def test_it_looks_and_compares_as_the_standard_one(make: Callable[[Any, Any, Any], Any]) -> None:
    """The same text, fields, dictionary, equality and hash."""
    late, standard = make(*classes(frozen.dataclass)), make(*classes(dataclasses.dataclass))
    assert repr(late).rpartition(">.")[2] == repr(standard).rpartition(">.")[2]
    assert asdict(late) == asdict(standard)
    assert [one.name for one in fields(late)] == [one.name for one in fields(standard)]
    assert late == replace(late) and late != standard and late != 1
    assert late.__match_args__ == standard.__match_args__
    if not isinstance(getattr(standard, "more", None), dict):
        assert hash(late) == hash(standard) == hash(replace(late))


@pytest.mark.parametrize("before", [0, 2 * frozen.MANY])
def test_a_value_is_the_same_before_and_after_the_class_is_compiled(before: int) -> None:
    """The first values are made argument by argument, the many by a compiled `__init__`."""
    (many, one, empty), standard = classes(frozen.dataclass), classes(dataclasses.dataclass)
    for number in range(before):
        assert many(str(number)).name == str(number) and one(number).value == number and empty() == empty()
    for make in MAKES:
        assert asdict(make(many, one, empty)) == asdict(make(*standard))
    assert many("a").more is not many("a").more
    for call in (lambda: many(), lambda: many("a", 1, {}, 2), lambda: many("a", name="b"), lambda: many("a", other=1)):
        with pytest.raises(TypeError, match=r"__init__\(\)"):
            call()


def test_fields_are_those_of_the_standard_decorator() -> None:
    """Name, type, default and the function that makes one, of a class nobody has asked before."""
    for late, standard in zip(classes(frozen.dataclass), classes(dataclasses.dataclass), strict=True):
        assert dataclasses.is_dataclass(late)
        told = [[(f.name, f.type, f.default, f.default_factory, f.init) for f in fields(c)] for c in (late, standard)]
        assert told[0] == told[1]
    assert classes(frozen.dataclass)[0].count == classes(dataclasses.dataclass)[0].count == 3


def test_what_the_standard_one_refuses_is_refused() -> None:
    """An attribute set or deleted, an argument too many, too few or unknown, a slot that is none."""
    late = Late(1)
    for change in (lambda: setattr(late, "left", 2), lambda: delattr(late, "left"), lambda: setattr(late, "other", 2)):
        with pytest.raises(FrozenInstanceError):
            change()
    for call in (lambda: Late(), lambda: Late(1, "2", 3), lambda: Late(1, other=2)):  # type: ignore[call-arg]
        with pytest.raises(TypeError):
            call()
    assert not hasattr(late, "__dict__")


def test_it_can_be_copied_pickled_and_matched() -> None:
    """Values travel between processes and through structural patterns."""
    late = Late(1, "x")
    assert pickle.loads(pickle.dumps(late)) == copy.copy(late) == copy.deepcopy(late) == late
    match late:
        case Late(left=1, right=found):
            assert found == "x"
    assert repr(late) == repr(Standard(1, "x")).replace("Standard", "Late")


def test_defaults_are_made_anew() -> None:
    """A default made by a function is not shared, and methods of the class work."""
    many = classes(frozen.dataclass)[0]
    assert many("a").more is not many("a").more
    assert many("a").twice == 6
