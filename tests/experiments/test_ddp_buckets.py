"""DDP's buckets: a second copy of the gradients, unless gradients are views of them."""

from __future__ import annotations

import sys

import pytest

from experiments.emit import Refused
from experiments.sharding import ddp_buckets
from tests.experiments.support import Said, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="ranks are forked on Linux alone")

SMALL = {"layers": 4, "width": 256}
COUNT = 4 * (256 * 256 + 256)


@pytest.fixture(scope="module")
def small() -> Said:
    """A run of four layers."""
    return run(ddp_buckets, **SMALL)


def test_measures_by_hand(small: Said) -> None:
    """8 and 4 bytes a parameter of gradients; 20 and 16 with weights and two moments."""
    assert small.failed == []
    assert small.measured("gradients held, default") == 8 * COUNT
    assert small.measured("gradients held, views") == 4 * COUNT
    assert small.measured("state ratio") == 16 / 20
    assert small.measured("default holds") == "eight"


def test_rows_show_where_the_second_copy_is(small: Said) -> None:
    """p.grad shows 4 either way; the rest is in buckets."""
    default, views = small.of("row")

    assert (default["in p.grad"], default["in buckets alone"]) == (4, 4)
    assert (views["in p.grad"], views["in buckets alone"]) == (4, 0)


def test_curves_end_at_what_is_held(small: Said) -> None:
    """Bucket by bucket the default grows to 8 bytes a parameter and views to 4."""
    assert [small.points(name)[-1]["y"] for name in ("default", "views")] == [8, 4]


def test_mutant_without_views(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the keyword is left out, the claims on views and on the state fail."""
    monkeypatch.setattr(ddp_buckets, "as_views", ddp_buckets.by_default)

    assert {"gradients held, views", "state ratio"} <= set(run(ddp_buckets, **SMALL).failed)


def test_mutant_that_looks_at_p_grad_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without looking into the buckets the second copy is not seen, and the claim on it fails."""
    monkeypatch.setattr(ddp_buckets, "alive", lambda buckets: {})
    said = run(ddp_buckets, **SMALL)

    assert "gradients held, default" in said.failed
    assert said.measured("default holds") == "four"


def test_a_model_too_large_is_refused() -> None:
    """One sentence says how much it would be and what to do."""
    with pytest.raises(Refused, match="96 MiB of weights a rank are too many; choose fewer"):
        run(ddp_buckets, layers=24, width=1024)
