"""Starts the ranks of a distributed run: real processes, forked where torch is loaded already, joined by gloo on loopback.

Nothing lies on disk and no rank outlives its parent: the store listens on a loopback port that the parent reserved, results come back
by pipes, and whatever still runs when the parent is done with the ranks, or fails, is killed.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import sys
import warnings
from collections.abc import Callable, Iterator
from datetime import timedelta
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import torch
import torch._dynamo  # optimizers and FSDP load it: once here, not once in each rank
import torch.distributed as dist

from experiments.emit import Refused
from experiments.worker import die_with_parent

LOOPBACK = "127.0.0.1"
PATIENCE = timedelta(seconds=60)
"""How long a rank waits for another."""

Work = Callable[..., Iterator[Any]]
"""What each rank does: `work(rank, ranks, *arguments)` yields its results, plain values, as they come."""


class RankFailed(RuntimeError):
    """A rank raised or died; the message names it in one line."""


def require_ranks() -> None:
    """Raise Refused where this platform or this torch cannot start ranks."""
    if sys.platform != "linux":
        raise Refused("The ranks are forked processes, which torch is safe with on Linux alone; run it there.")
    if not (dist.is_available() and dist.is_gloo_available()):
        raise Refused("This torch was built without gloo; install the torch of the Python package index.")


def on_ranks(ranks: int, work: Work, *arguments: Any) -> Iterator[list[Any]]:
    """Run `work` on every rank and yield each of its results as a list, one value a rank, once all have come so far."""
    processes, pipes = _start(ranks, work, arguments)
    waiting: list[list[Any]] = [[] for _ in pipes]
    busy = dict(enumerate(pipes))
    try:
        while busy:
            ready = wait(list(busy.values()))
            for rank in [rank for rank, pipe in busy.items() if pipe in ready]:
                try:
                    kind, value = busy[rank].recv()
                except EOFError:
                    kind, value = "failed", f"it ended without a word, {_ending(processes[rank])}"
                if kind == "failed":
                    raise RankFailed(f"rank {rank} of {ranks} failed: {value}")
                if kind == "done":
                    del busy[rank]
                else:
                    waiting[rank].append(value)
            while all(waiting):
                yield [values.pop(0) for values in waiting]
    finally:
        for process in processes:
            process.kill()
            process.join()
        for pipe in pipes:
            pipe.close()


def _start(ranks: int, work: Work, arguments: tuple[Any, ...]) -> tuple[list[BaseProcess], list[Connection]]:
    context = multiprocessing.get_context("fork")
    processes: list[BaseProcess] = []
    pipes: list[Connection] = []
    sys.stdout.flush()  # or each rank would say again what the parent has said
    with socket.create_server((LOOPBACK, 0)) as listening, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python warns of forks beside threads; a rank uses none of its parent's
        for rank in range(ranks):
            reader, writer = context.Pipe(duplex=False)
            process = context.Process(
                target=_rank, args=(rank, ranks, listening, writer, os.getpid(), work, arguments), daemon=True
            )
            process.start()
            writer.close()
            processes.append(process)
            pipes.append(reader)
    return processes, pipes


def _rank(
    rank: int,
    ranks: int,
    listening: socket.socket,
    pipe: Connection,
    parent: int,
    work: Work,
    arguments: tuple[Any, ...],
) -> None:
    """Be one rank: join the others, work, send what comes, and say in one line what went wrong."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    die_with_parent()
    if os.getppid() != parent:
        return  # it died before it could be watched
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (1, 2):  # what torch and gloo print is not for the learner's screen
        os.dup2(sys.stdout.fileno(), stream)
    try:
        _join(rank, ranks, listening)
        for value in work(rank, ranks, *arguments):
            pipe.send(("value", value))
        dist.barrier()  # rank 0 holds the store: it stays until all are through
        pipe.send(("done", None))
    except Exception as error:
        pipe.send(("failed", " ".join(f"{type(error).__name__}: {error}".split())[:300]))
    finally:
        os._exit(0)


def _join(rank: int, ranks: int, listening: socket.socket) -> None:
    """Meet the other ranks: rank 0 keeps the store, on the socket that the parent opened for it."""
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    torch.set_num_threads(1)
    port = listening.getsockname()[1]
    mine: dict[str, Any] = {"is_master": True, "master_listen_fd": listening.detach()} if rank == 0 else {}
    if rank:
        listening.close()
    store = dist.TCPStore(LOOPBACK, port, ranks, timeout=PATIENCE, wait_for_workers=False, **mine)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=ranks, timeout=PATIENCE)


def _ending(process: BaseProcess) -> str:
    process.join()
    code = process.exitcode or 0
    return f"signal {-code}" if code < 0 else f"exit code {code}"
