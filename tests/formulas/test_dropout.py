"""Agreement of dropout masks: the closed form against enumeration and against measured shares."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.formulas import dropout

probabilities = st.floats(0, 1)


@pytest.mark.parametrize(("p", "agreement"), [(0.0, 1.0), (0.5, 0.5), (0.3, 0.58), (0.1, 0.82), (1.0, 1.0)])
def test_agreement_by_hand(p: float, agreement: float) -> None:
    """Both drop or both keep: p² + (1-p)²."""
    assert dropout.mask_agreement(p) == pytest.approx(agreement)


def test_agreement_as_drawn() -> None:
    """Two masks drawn at p = 0.3 agree on 58 % of 100,000 positions."""
    source = random.Random(0)
    agree = sum((source.random() < 0.3) == (source.random() < 0.3) for _ in range(100_000))

    assert agree / 100_000 == pytest.approx(dropout.mask_agreement(0.3), abs=0.01)


@given(probabilities)
def test_agreement_is_least_at_a_half(p: float) -> None:
    """Dropping and keeping are symmetric, and no probability makes masks agree on less than half."""
    assert dropout.mask_agreement(p) == pytest.approx(dropout.mask_agreement(1 - p))
    assert dropout.mask_agreement(p) >= 0.5


@given(probabilities, probabilities)
def test_zeros_hide_disagreement(p: float, zeros: float) -> None:
    """Behind a ReLU agreement looks better, and perfect where all is zero."""
    assert dropout.mask_agreement(p) - 1e-9 <= dropout.visible_mask_agreement(p, zeros) <= 1 + 1e-9
    assert dropout.visible_mask_agreement(p, 1) == 1


def test_stash_of_a_model() -> None:
    """Twelve checkpoints stash 60,672 bytes of RNG state: nothing beside one hidden state."""
    assert dropout.stash_bytes(12) == 60_672
