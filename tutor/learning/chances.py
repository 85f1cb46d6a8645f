"""The chance to be right without knowing: what a blind answer would score on each kind of item."""

from __future__ import annotations

import math


def chance(kind: str, options: int) -> float:
    """Return the probability that an answer without knowledge is right, from the item's kind and how many options were shown.

    One of m options: 1/m. Several of m: one of the 2^m - 1 sets that can be chosen. m steps to put in order: 1/m!. What is typed or
    said cannot be guessed: 0. (The guessing parameter of Birnbaum's three-parameter model, taken from the form of the item.)
    """
    if options < 2:
        return 0.0
    match kind:
        case "choice" | "predict":
            return 1 / options
        case "multi":
            return 1 / ((1 << options) - 1)
        case "order":
            return 1 / math.factorial(options)
    return 0.0
