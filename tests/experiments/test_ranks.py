"""Ranks are real processes that join, answer, fail in one line, and leave nothing behind."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
import torch
import torch.distributed as dist

from experiments.emit import Refused
from experiments.sharding import ranks
from experiments.sharding.ranks import RankFailed, on_ranks
from tests.lab.conftest import still_there

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="ranks are forked on Linux alone")


def speak(rank: int, count: int, word: str) -> Iterator[object]:
    """Say who one is, then the sum over all ranks."""
    yield word, rank, count, os.getppid()
    total = torch.tensor(float(rank + 1))
    dist.all_reduce(total)
    yield total.item()


def one_raises(rank: int, count: int) -> Iterator[int]:
    """Rank 1 raises while the others wait for it."""
    yield rank
    if rank == 1:
        raise ValueError("no\nluck")
    dist.barrier()


def one_dies(rank: int, count: int) -> Iterator[int]:
    """Rank 1 is killed while the others wait for it."""
    yield rank
    if rank == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    dist.barrier()


def stuck(rank: int, count: int) -> Iterator[int]:
    """Say which process one is, and wait."""
    yield os.getpid()
    time.sleep(600)


def chatty(rank: int, count: int) -> Iterator[int]:
    """Speak to the terminal."""
    print("a word for nobody", flush=True)
    os.write(2, b"a warning of the C++ side")
    yield rank


def start_and_tell(pipe: Connection) -> None:
    """Start ranks that wait, and tell which processes they are."""
    for pids in on_ranks(3, stuck):
        pipe.send(pids)


def children() -> list[int]:
    """Return the processes that this one started and that still run or wait to be reaped."""
    return [int(pid) for pid in Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_results_come_rank_by_rank(count: int) -> None:
    """Each result is a list over the ranks in order; they reduce over all ranks, and are children of this process."""
    before = children()
    first, second = on_ranks(count, speak, "hello")

    assert first == [("hello", rank, count, os.getpid()) for rank in range(count)]
    assert second == [count * (count + 1) / 2] * count
    assert children() == before


@pytest.mark.parametrize(
    ("work", "sentence"),
    [(one_raises, "rank 1 of 2 failed: ValueError: no luck$"), (one_dies, "rank 1 of 2 failed: .* signal 9$")],
)
def test_a_rank_that_fails_is_named_and_takes_the_others_along(work: ranks.Work, sentence: str) -> None:
    """The message is one line, comes at once, and no rank is left waiting."""
    before, started = children(), time.monotonic()
    with pytest.raises(RankFailed, match=r"rank \d of 2 failed") as failure:
        list(on_ranks(2, work))

    assert time.monotonic() - started < 20
    assert "\n" not in str(failure.value)
    assert children() == before
    # whoever waited may be heard first: its partner has hung up
    if "rank 1" in str(failure.value):
        failure.match(sentence)


def test_a_listener_that_goes_away_ends_the_ranks() -> None:
    """Closing the iterator kills whatever still runs, and no file is left."""
    before, files = children(), set(Path(tempfile.gettempdir()).iterdir())
    results = on_ranks(2, speak, "hello")
    next(results)
    results.close()

    assert children() == before
    assert {path for path in set(Path(tempfile.gettempdir()).iterdir()) - files if "torch" in path.name} == set()


def test_a_parent_killed_outright_leaves_no_rank() -> None:
    """SIGKILL of the parent, with no handler of its own having run, ends its ranks."""
    context = multiprocessing.get_context("fork")
    told, tell = context.Pipe(duplex=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a fork beside the threads that other tests left
        parent = context.Process(target=start_and_tell, args=(tell,))
        parent.start()
    pids = told.recv()
    parent.kill()
    parent.join()

    assert len(pids) == 3
    assert still_there(pids) == []


def test_ranks_speak_to_no_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    """What a rank, gloo or torch prints or warns of stays off the learner's screen."""
    assert list(on_ranks(2, chatty)) == [[0, 1]]
    assert capfd.readouterr() == ("", "")


def test_a_torch_without_gloo_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence with the remedy."""
    monkeypatch.setattr(dist, "is_gloo_available", lambda: False)
    with pytest.raises(Refused, match="built without gloo; install"):
        ranks.require_ranks()
