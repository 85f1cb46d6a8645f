"""Collections that ask the file only when somebody looks: a sitting begins with a few questions, not with all that is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TypeVar, overload

K = TypeVar("K")
V = TypeVar("V")


class Later(Mapping[K, V]):
    """A mapping read as a whole at the first look."""

    def __init__(self, load: Callable[[], dict[K, V]]) -> None:
        self._load = load

    @cached_property
    def _all(self) -> dict[K, V]:
        return self._load()

    def __getitem__(self, key: K) -> V:
        return self._all[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


class LaterSet(AbstractSet[str]):
    """A set of ids read as a whole at the first look."""

    def __init__(self, load: Callable[[], Iterable[str]]) -> None:
        self._load = load

    @cached_property
    def _all(self) -> frozenset[str]:
        return frozenset(self._load())

    @classmethod
    def _from_iterable(cls, it: Iterable[str]) -> AbstractSet[str]:  # type: ignore[override]
        return frozenset(it)

    def __contains__(self, value: object) -> bool:
        return value in self._all

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


class LaterRow(Sequence[V]):
    """Values in order, read as a whole at the first look."""

    def __init__(self, load: Callable[[], Iterable[V]]) -> None:
        self._load = load

    @cached_property
    def _all(self) -> tuple[V, ...]:
        return tuple(self._load())

    @overload
    def __getitem__(self, place: int) -> V: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[V]: ...
    def __getitem__(self, place: int | slice) -> V | Sequence[V]:
        return self._all[place]

    def __len__(self) -> int:
        return len(self._all)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all == tuple(other)

    __hash__ = None  # type: ignore[assignment]


class ByKey(Mapping[K, V]):
    """A mapping asked value by value; what was found, or found to be missing, is remembered."""

    def __init__(self, find: Callable[[K], V | None], keys: Callable[[], Iterable[K]]) -> None:
        self._find = find
        self._keys = keys
        self._found: dict[K, V | None] = {}

    def __getitem__(self, key: K) -> V:
        if key not in self._found:
            self._found[key] = self._find(key)
        value = self._found[key]
        if value is None:
            raise KeyError(key)
        return value

    def __iter__(self) -> Iterator[K]:
        return iter(self._keys())

    def __len__(self) -> int:
        return sum(1 for _ in self._keys())
