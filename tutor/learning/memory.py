"""The FSRS-6 memory step with real elapsed days.

Symbols follow the published model: S stability (days until recall falls to 0.9), D difficulty (1 to 10), R retrievability.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import IntEnum

from tutor.frozen import dataclass
from tutor.learning.parameters import Parameters

MIN_STABILITY = 0.001
Weights = tuple[float, ...]


class Rating(IntEnum):
    """How well an answer showed recall, in FSRS's words."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an answer tells the memory model."""

    rating: int
    q: float = 1.0
    """Probability that a right answer was knowledge and not luck."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The model's state of one card."""

    stability: float
    """Days."""
    difficulty: float
    """1 to 10."""


def retrievability(elapsed_days: float, stability: float, parameters: Parameters) -> float:
    """Return the probability of recall after `elapsed_days`: (1 + F·t/S)^(-w20), 0.9 at t = S."""
    return forgetting_curve(parameters)(elapsed_days, stability)


def forgetting_curve(parameters: Parameters) -> Callable[[float, float], float]:
    """Return `retrievability` under one parameter set, its constants worked out once for many cards."""
    factor, decay = curve_shape(parameters)
    return lambda elapsed_days, stability: float((1 + factor * elapsed_days / stability) ** -decay)


def curve_shape(parameters: Parameters) -> tuple[float, float]:
    """Return F and w20 of the forgetting curve."""
    decay = parameters.weights[20]
    return 0.9 ** (-1 / decay) - 1, decay


def interval_days(stability: float, retention: float, parameters: Parameters) -> float:
    """Return the days after which recall has fallen to `retention`, unrounded."""
    factor, decay = curve_shape(parameters)
    return float(stability / factor * (retention ** (-1 / decay) - 1))


def step(memory: Memory | None, elapsed_days: float, evidence: Evidence, parameters: Parameters) -> Memory:
    """Return the memory after one answer; None stands for a card never answered.

    With q below 1 the answer is a mixture of Again and the rating: S mixes geometrically, D linearly.
    """
    known = _step(memory, elapsed_days, evidence.rating, parameters)
    if evidence.q >= 1 or evidence.rating == Rating.AGAIN:
        return known
    lucky = _step(memory, elapsed_days, Rating.AGAIN, parameters)
    q = evidence.q
    stability = math.exp(q * math.log(known.stability) + (1 - q) * math.log(lucky.stability))
    return Memory(stability, q * known.difficulty + (1 - q) * lucky.difficulty)


def _step(memory: Memory | None, elapsed_days: float, rating: int, parameters: Parameters) -> Memory:
    w = parameters.weights
    if memory is None:
        return Memory(max(w[rating - 1], MIN_STABILITY), _clamp_difficulty(_first_difficulty(rating, w)))
    recall = retrievability(elapsed_days, memory.stability, parameters)
    stability = next_stability(memory, elapsed_days, recall, rating, parameters)
    return Memory(stability, _next_difficulty(memory.difficulty, rating, w))


def next_stability(memory: Memory, elapsed_days: float, recall: float, rating: int, parameters: Parameters) -> float:
    """Return the stability, in days, after a review at retrievability `recall`."""
    w, stability, difficulty = parameters.weights, memory.stability, memory.difficulty
    if elapsed_days < parameters.threshold_days:
        after = same_day_stability(stability, rating, w)
    elif rating == Rating.AGAIN:
        after = after_lapse(w)(stability, difficulty, recall)
    else:
        factor = w[15] if rating == Rating.HARD else w[16] if rating == Rating.EASY else 1.0
        after = after_recall(w)(stability, difficulty, recall, factor)
    return max(after, MIN_STABILITY)


def _first_difficulty(rating: int, w: Weights) -> float:
    return w[4] - math.exp(w[5] * (rating - 1)) + 1


def _clamp_difficulty(difficulty: float) -> float:
    return min(max(difficulty, 1.0), 10.0)


def same_day_stability(stability: float, rating: int, w: Weights) -> float:
    """Return the stability, in days, after a review within the threshold of a same-day one."""
    growth = math.exp(w[17] * (rating - 3 + w[18])) * stability ** -w[19]
    if rating >= Rating.HARD:
        growth = max(growth, 1.0)
    return float(stability * growth)


def after_recall(w: Weights) -> Callable[..., float]:
    """Return the stability after recall as a function of S, D, R and the factor of Hard or Easy; constants are worked out once."""
    scale, fading, sharpness, exp = math.exp(w[8]), -w[9], w[10], math.exp

    def after(stability: float, difficulty: float, recall: float, factor: float = 1.0) -> float:
        gain = scale * (11 - difficulty) * stability**fading * (exp(sharpness * (1 - recall)) - 1)
        return float(stability * (1 + gain * factor))

    return after


def after_lapse(w: Weights) -> Callable[[float, float, float], float]:
    """Return the stability after a lapse as a function of S, D and R; constants are worked out once for many cards."""
    scale, hardness, growth, sharpness = w[11], -w[12], w[13], w[14]
    most, exp = math.exp(w[17] * w[18]), math.exp

    def after(stability: float, difficulty: float, recall: float) -> float:
        long_term = scale * difficulty**hardness * ((stability + 1) ** growth - 1) * exp(sharpness * (1 - recall))
        return float(min(long_term, stability / most))

    return after


def _next_difficulty(difficulty: float, rating: int, w: Weights) -> float:
    change = -w[6] * (rating - 3)
    damped = difficulty + (10 - difficulty) * change / 9
    return _clamp_difficulty(w[7] * _first_difficulty(Rating.EASY, w) + (1 - w[7]) * damped)
