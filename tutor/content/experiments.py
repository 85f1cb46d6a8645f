"""What the tutor must know of an experiment without running it: the values read from `experiments/*/NAME.toml`.

The lab reads the files into these values and hands the catalogue to whoever must check a name: the content room, the
session that offers a bet, the screens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field

from tutor.content.model import Scalar
from tutor.frozen import dataclass
from tutor.i18n import _


@dataclass(frozen=True, slots=True)
class Parameter:
    """One knob of an experiment with its range."""

    name: str
    type: str
    """int | float | bool | choice"""
    default: Scalar
    title: str = ""
    min: float | None = None
    max: float | None = None
    choices: tuple[str, ...] = ()
    unit: str = ""

    def fault(self, value: object) -> str | None:
        """Return why `value` cannot be used, in words with the range, or None."""
        kinds: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "bool": (bool,), "choice": (str,)}
        wrong_type = not isinstance(value, kinds[self.type]) or (isinstance(value, bool) and self.type != "bool")
        shown = {"name": self.name, "value": value, "range": self.range}
        if wrong_type:
            said = {
                "int": _("{name} = {value!r} is no whole number; {range}"),
                "float": _("{name} = {value!r} is no number; {range}"),
                "bool": _("{name} = {value!r} is neither true nor false; {range}"),
                "choice": _("{name} = {value!r} is not one of its choices; {range}"),
            }
            return said[self.type].format(**shown)
        if self.choices and value not in self.choices:
            return _("{name} = {value!r} is not one of its choices; {range}").format(**shown)
        low, high = self.min, self.max
        numeric = isinstance(value, int | float) and not isinstance(value, bool)
        outside = numeric and ((low is not None and value < low) or (high is not None and value > high))  # type: ignore[operator]
        return _("{name} = {value!r} is out of range; {range}").format(**shown) if outside else None

    def read(self, text: str) -> Scalar:
        """Return what was typed as a value of this parameter. Raises ValueError with one sentence that names the range."""
        word = text.strip()
        value: Scalar = word
        try:
            if self.type == "bool":
                value = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[word.lower()]
            elif self.type != "choice":
                value = float(word) if self.type == "float" else int(word)
        except (KeyError, ValueError):
            value = word
        fault = self.fault(value)
        if fault:
            raise ValueError(fault)
        return value

    @property
    def range(self) -> str:
        """The values allowed, in words."""
        if self.choices:
            return _("choose one of {choices}.").format(choices=", ".join(self.choices))
        if self.type == "bool":
            return _("write true or false") + "."
        if self.min is None or self.max is None:
            return ""
        unit = f" {self.unit}" if self.unit else ""
        return _("it goes from {least:g} to {most:g}{unit}.").format(least=self.min, most=self.max, unit=unit)


@dataclass(frozen=True, slots=True)
class Bet:
    """A question the run settles: a choice among keys, or a ratio that a formula gives."""

    id: str
    kind: str
    """choice | ratio"""
    question: str
    metric: str
    """Name of the measure that settles the bet; for a choice its value is one of the keys."""
    choices: Mapping[str, str] = field(default_factory=dict)
    unit: str = ""
    tolerance: float = 0.1
    """For a ratio: how far off, relative to the measured value, still counts as right."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What did you see: asked after a run, before theory and bet are laid beside it."""

    question: str
    metric: str
    choices: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Flip:
    """A bet on a flipped parameter, answered without a run: the last rung of the ladder after a miss."""

    bet: str
    set: Mapping[str, Scalar]
    question: str
    choices: Mapping[str, str]
    answer: str
    why: str


@dataclass(frozen=True)
class Experiment:
    """An experiment of the catalogue."""

    id: str
    version: int
    title: str
    question: str
    shows: str
    family: str
    """The folder it lies in: recomputation, randomness, ..."""
    module: str
    """Importable name, `experiments.randomness.rng_replay`."""
    concepts: tuple[str, ...]
    myths: tuple[str, ...]
    seconds: float
    explanation: str
    parameters: Mapping[str, Parameter]
    bets: Mapping[str, Bet]
    observation: Observation | None = None
    flips: tuple[Flip, ...] = ()
    variations: tuple[Mapping[str, Scalar], ...] = ()
    """Parameter sets whose claims hold as well; transfers are generated from them."""
    source: str = ""
    """Path of the Python file, for the source view."""
    look_at: tuple[str, ...] = ()
    """Functions of that file that are the technique itself; the source view marks their lines."""
    needs: tuple[str, ...] = ()
    """What a run asks of the platform beside torch: fork | gloo."""

    def settings(self, changed: Mapping[str, Scalar]) -> dict[str, Scalar]:
        """Return all parameters, the defaults overlaid with `changed`."""
        return {name: parameter.default for name, parameter in self.parameters.items()} | dict(changed)

    def faults(self, changed: Mapping[str, Scalar]) -> list[str]:
        """Return a sentence for each unknown, mistyped or out-of-range parameter of `changed`."""
        said = _("{name} is not a parameter of {experiment}; it has {known}.")
        unknown = [
            said.format(name=name, experiment=self.id, known=", ".join(self.parameters))
            for name in changed
            if name not in self.parameters
        ]
        known = [self.parameters[name].fault(value) for name, value in changed.items() if name in self.parameters]
        return unknown + [fault for fault in known if fault]


Catalogue = Mapping[str, Experiment]


class Translated(Mapping[str, Experiment]):
    """A catalogue whose experiments are translated one by one, when they are first looked at."""

    def __init__(self, base: Catalogue, translate: Callable[[Experiment], Experiment]) -> None:
        self.base, self._translate = base, translate
        self._read: dict[str, Experiment] = {}

    def __getitem__(self, id: str) -> Experiment:
        if id not in self._read:
            self._read[id] = self._translate(self.base[id])
        return self._read[id]

    def __contains__(self, id: object) -> bool:
        return id in self.base

    def __iter__(self) -> Iterator[str]:
        return iter(self.base)

    def __len__(self) -> int:
        return len(self.base)


def untranslated(catalogue: Catalogue) -> Catalogue:
    """Return the catalogue in English, for what asks of keys and numbers alone and is to open no overlay."""
    return catalogue.base if isinstance(catalogue, Translated) else catalogue
