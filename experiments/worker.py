"""The warm worker: torch is loaded once, and every run is a forked child of its own.

Protocol on stdin, one JSON object a line: {"run": module, "params": {...}, "memory_mb": 4096}. On stdout: {"type": "ready"} once
torch is loaded; for each run {"type": "started", "pid": ...}, the experiment's own lines, and {"type": "exit", ...}.
End of stdin, which also means that the tutor has died, kills the child and ends the worker.

`--once` serves one request in this very process, for platforms that cannot fork safely.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

REFUSED, CRASHED, OUT_OF_MEMORY, NO_TORCH, OLD_TORCH = 10, 11, 12, 13, 14


END_OF_WORDS = b"\x04\n"
"""Written on stderr when a child has ended: all its words there have come before."""


def say(message: dict[str, Any]) -> None:
    """Write one line; a leading newline keeps a child's half line from swallowing it."""
    os.write(1, ("\n" + json.dumps(message) + "\n").encode())


def warm_up() -> None:
    """Load torch with what it loads lazily, so that neither a bet nor a memory limit waits for it."""
    import torch
    import torch._dynamo
    import torch.utils.checkpoint
    import torch.utils.flop_counter

    if torch.distributed.is_available():  # what ranks need, a third of a second: they are forked from here
        import torch.distributed.fsdp
        import torch.distributed.optim

    torch.set_num_threads(1)
    layer = torch.nn.Linear(4, 4)
    torch.utils.checkpoint.checkpoint(layer, torch.ones(1, 4, requires_grad=True), use_reentrant=False).sum().backward()
    torch.optim.AdamW(layer.parameters()).step()
    gc.freeze()  # a child that collects need not look at all of torch, nor copy its pages


def perform(request: dict[str, Any]) -> int:
    """Run one experiment and return the exit code; stderr carries one line about a failure."""
    try:
        from experiments.emit import Refused, execute
    except ModuleNotFoundError as error:
        print(f"{error.name} is missing", file=sys.stderr)
        return CRASHED

    def sink(message: dict[str, Any]) -> None:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()

    try:
        execute(importlib.import_module(request["run"]), request["params"], sink)
    except Refused as refusal:
        print(refusal, file=sys.stderr)
        return REFUSED
    except MemoryError:
        print("the memory limit was reached", file=sys.stderr)
        return OUT_OF_MEMORY
    except ModuleNotFoundError as error:
        print(f"No module named {error.name!r}", file=sys.stderr)
        return NO_TORCH if error.name == "torch" else OLD_TORCH if "torch." in str(error.name) else CRASHED
    except (ImportError, AttributeError) as error:
        if "torch" not in str(error):
            traceback.print_exc()
            return CRASHED
        print(error, file=sys.stderr)
        return OLD_TORCH
    except Exception as error:
        if "can't allocate memory" in str(error):
            print("the memory limit was reached", file=sys.stderr)
            return OUT_OF_MEMORY
        traceback.print_exc()
        return CRASHED
    return 0


def limit_memory(megabytes: int) -> None:
    """Bound the address space to `megabytes` above what this warm process holds already."""
    try:
        import resource

        held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (held + megabytes * 2**20, resource.RLIM_INFINITY))
    except (ImportError, OSError, ValueError):
        return  # no such limit here: the time limit and the system still hold


def die_with_parent() -> None:
    """Ask Linux to kill this process when the worker dies, however it dies."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def child(request: dict[str, Any]) -> None:
    """Become a run: own process group, own limits; never returns."""
    os.setsid()
    die_with_parent()
    os.close(0)
    os.open(os.devnull, os.O_RDONLY)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    limit_memory(int(request.get("memory_mb") or 4096))
    code = CRASHED
    try:
        code = perform(request)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def serve() -> None:
    """Take requests until stdin ends, one run at a time."""
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    running, waiting = 0, b""
    while True:
        ready, _, _ = select.select([0, wake_read], [], [])
        if wake_read in ready:
            os.read(wake_read, 4096)
        if running:
            pid, status, used = os.wait4(running, os.WNOHANG)
            if pid:
                _kill_group(running)  # what it started must not outlive it
                os.write(2, END_OF_WORDS)
                say({"type": "exit", "code": os.waitstatus_to_exitcode(status), "peak_kib": used.ru_maxrss})
                running = 0
        if 0 not in ready:
            continue
        received = os.read(0, 65536)
        if not received:
            if running:
                _kill_group(running)
            return
        waiting += received
        while b"\n" in waiting and not running:
            line, waiting = waiting.split(b"\n", 1)
            running = os.fork()
            if running == 0:
                child(json.loads(line))
            say({"type": "started", "pid": running})


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def main() -> None:
    """Warm up, then serve; or serve one request in this process."""
    try:
        warm_up()
    except ModuleNotFoundError as error:
        say({"type": "missing", "module": error.name})
        return
    say({"type": "ready"})
    if "--once" in sys.argv:
        request = json.loads(sys.stdin.readline())
        say({"type": "started", "pid": os.getpid()})
        raise SystemExit(perform(request))
    serve()


if __name__ == "__main__":
    main()
