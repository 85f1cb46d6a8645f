"""The warm worker: loads torch once, then runs each experiment in a fresh child forked from itself.

It reads requests from stdin, one JSON object a line: `{"run": module, "id": n, "params": {...}, "memory_mb": m}` and
`{"kill": n}`. It writes to stdout `ready` or `unavailable`, then for each run `started`, what the child says, `exit`
with code, signal and the end of stderr. The end of stdin means that the tutor is gone, however it went: the child is
killed and the worker leaves. With `--once`, where forking is not safe, one request is served in this very process.

The standard library alone is imported here; `warm_up` loads torch.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import select
import signal
import sys
import threading
import traceback
from collections import deque
from typing import Any, NoReturn

STDERR_KEPT = 4096
REFUSED = 2
_PR_SET_PDEATHSIG = 1

Request = dict[str, Any]


def main() -> None:
    """Warm up, say so, and serve."""
    try:
        from experiments.warm_up import warm_up

        warm_up()
    except (ImportError, OSError) as error:
        say({"type": "unavailable", "text": str(error)})
        return
    say({"type": "ready"})
    if "--once" in sys.argv[1:]:
        serve_once()
    gc.collect()
    gc.freeze()  # what is loaded stays shared with the children instead of being copied at their first collection
    Worker().serve()


def say(message: dict[str, Any]) -> None:
    """Write one line, on a line of its own even where a killed child left half a line."""
    os.write(1, b"\n" + json.dumps(message).encode() + b"\n")


class Requests:
    """The lines of stdin, kept until they are served."""

    def __init__(self) -> None:
        self.waiting: deque[Request] = deque()
        self._rest = b""

    def read(self) -> None:
        """Take in what has arrived, waiting for some bytes. Raises EOFError when the tutor is gone."""
        data = os.read(0, 65536)
        if not data:
            raise EOFError
        *lines, self._rest = (self._rest + data).split(b"\n")
        self.waiting.extend(json.loads(line) for line in lines if line.strip())

    def to_run(self) -> Request:
        """Return the next run asked for."""
        while True:
            while self.waiting:
                request = self.waiting.popleft()
                if "run" in request:
                    return request
            self.read()

    def kills(self, id: int) -> bool:
        """Whether the run `id` is to be killed."""
        return any(request.get("kill") == id for request in self.waiting)


class Worker:
    """Serves one request after the other, each in a child of its own."""

    def __init__(self) -> None:
        self._requests = Requests()
        self._wake, wakes = os.pipe()  # written to by the signal that a child has ended
        for end in (self._wake, wakes):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(wakes)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def serve(self) -> None:
        """Run what is asked for until stdin ends."""
        with contextlib.suppress(EOFError, BrokenPipeError):
            while True:
                self._run(self._requests.to_run())

    def _run(self, request: Request) -> None:
        """Fork the child, watch it to its end, report its exit."""
        stderr, theirs = os.pipe()
        parent, child = os.getpid(), os.fork()
        if child == 0:
            become_child(parent, theirs)
            leave(run(request))
        try:
            os.close(theirs)
            os.set_blocking(stderr, False)
            say({"type": "started", "id": request["id"], "pid": child})
            code, tail = self._watch(child, request["id"], stderr)
        except BaseException:
            kill_group(child)
            raise
        os.close(stderr)
        report(request, code, tail)

    def _watch(self, child: int, id: int, stderr: int) -> tuple[int, bytes]:
        """Return the child's exit code (negative: a signal) and the end of its stderr; its group is gone by then."""
        tail, open_ends = b"", [0, stderr, self._wake]
        while True:
            if self._requests.kills(id):
                kill_group(child)
            ready, _, _ = select.select(open_ends, [], [])
            if stderr in ready:
                more = os.read(stderr, 65536)
                tail = (tail + more)[-STDERR_KEPT:]
                if not more:
                    open_ends.remove(stderr)
            if 0 in ready:
                self._requests.read()
            if self._wake in ready:
                os.read(self._wake, 512)
            if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                kill_group(child)  # what it left behind; it is not reaped yet, so its id is still its own
                _, status = os.waitpid(child, 0)
                return os.waitstatus_to_exitcode(status), (tail + rest_of(stderr))[-STDERR_KEPT:]


def rest_of(pipe: int) -> bytes:
    """Return what still lies in a pipe."""
    try:
        return os.read(pipe, 65536)
    except BlockingIOError:
        return b""


def kill_group(child: int) -> None:
    """Kill a child and all of its group; it may not have made its group yet, or be gone."""
    for kill in (os.kill, os.killpg):
        with contextlib.suppress(ProcessLookupError):
            kill(child, signal.SIGKILL)


def report(request: Request, code: int, stderr: bytes) -> None:
    """Say how a run ended: a negative code is a signal."""
    ending = {"code": max(code, 0), "signal": max(-code, 0), "stderr": stderr.decode(errors="replace")}
    say({"type": "exit", "id": request["id"], **ending})


def become_child(parent: int, stderr: int) -> None:
    """Leave the worker's session, die with the worker, and speak through the pipes given."""
    os.setsid()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(stderr, 2)


def leave(code: int) -> NoReturn:
    """Leave at once: nothing that belongs to the worker is unwound, no thread of the experiment is waited for."""
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def run(request: Request) -> int:
    """Run the request and return the exit code: 0 done, 2 refused, 1 any error, whose traceback is on stderr."""
    from experiments.emit import Refused, execute

    try:
        limit_memory(request.get("memory_mb"))
        execute(importlib.import_module(request["run"]), request["params"], write_line)
    except Refused as refusal:
        print(refusal, file=sys.stderr)
        return REFUSED
    except BaseException:  # whatever an experiment raises is its ending, SystemExit included
        traceback.print_exc()
        return 1
    return 0


def write_line(message: dict[str, Any]) -> None:
    """Write one message of the experiment, at once."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def limit_memory(megabytes: int | None) -> None:
    """Let this process map so many MB (10^6 bytes) more than it does now, where the system can bound that."""
    if megabytes is None or sys.platform != "linux":
        return
    import resource

    from experiments.warm_up import gpu_driver

    # A GPU's runtime reserves address space by the terabyte without using it; there the data alone is bounded.
    kind, field = (resource.RLIMIT_DATA, "VmData:") if gpu_driver() else (resource.RLIMIT_AS, "VmSize:")
    with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123
        held = next(int(line.split()[1]) * 1024 for line in status if line.startswith(field))
    limit = held + megabytes * 1_000_000
    resource.setrlimit(kind, (limit, limit))


def serve_once() -> NoReturn:
    """Serve one request in this process: its exit is the run's."""
    try:
        request = Requests().to_run()
    except EOFError:
        os._exit(0)
    threading.Thread(target=leave_with_the_tutor, daemon=True).start()
    say({"type": "started", "id": request["id"], "pid": os.getpid()})
    code = run(request)
    sys.stdout.flush()
    report(request, code, b"")
    leave(code)


def leave_with_the_tutor() -> None:
    """Wait until the tutor closes stdin, then end this process and its group."""
    while os.read(0, 4096):
        pass
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


if __name__ == "__main__":
    main()
