"""The moments of a step against counts by hand and measured digits."""

from __future__ import annotations

import pytest

from tutor.formulas.gpt import Shape, parameter_count
from tutor.formulas.timeline import block_parameters, moments, phase_peaks, step_temporaries

SMALL = Shape(layers=6, width=128, heads=4, tokens=64, batch=4, vocabulary=512)
MIB = 2**20


@pytest.mark.parametrize(
    ("optimizer", "forward", "backward", "step"),
    [("sgd", 7.219, 12.258, 10.16), ("adamw", 17.360, 22.399, 20.809), ("adamw-foreach", 17.360, 22.399, 25.377)],
)
def test_checkpointed_peaks(optimizer: str, forward: float, backward: float, step: float) -> None:
    """Measured with torch 2.13, in MiB."""
    peaks = phase_peaks(moments(SMALL, True, optimizer))

    assert peaks["forward"] / MIB == pytest.approx(forward, rel=0.01)
    assert peaks["backward"] / MIB == pytest.approx(backward, rel=0.005)
    assert peaks["step"] / MIB == pytest.approx(step, rel=0.005)


def test_plain_peaks() -> None:
    """Measured with torch 2.13, in MiB; without a state yet, a first step's backward is two sizes of the parameters lower."""
    later, first = (phase_peaks(moments(SMALL, False, "adamw", first)) for first in (False, True))

    assert later["forward"] / MIB == pytest.approx(30.013, rel=0.002)
    assert later["backward"] / MIB == pytest.approx(30.513, rel=0.002)
    assert later["backward"] - first["backward"] == 8 * parameter_count(SMALL)
    assert later["step"] == first["step"]


def test_parts() -> None:
    """Blocks of 12d² + 13d, temporaries by hand, and the largest category of a step with foreach."""
    assert block_parameters(SMALL) == 12 * 128**2 + 13 * 128
    assert [step_temporaries(SMALL, name) for name in ("sgd", "adamw")] == [0, 2 * 512 * 128]
    highest = max(moments(SMALL, True, "adamw-foreach"), key=lambda moment: moment.total)
    assert (highest.phase, highest.largest[0][1]) == ("step", "optimizer-state")
