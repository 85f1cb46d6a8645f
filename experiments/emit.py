"""How an experiment speaks: JSON lines for the tutor, sentences for a person at a shell. Standard library only.

An experiment module offers `predict(params)`, which yields predictions from formulas, and `run(params, emit)`, which
measures. `execute` runs both for the worker; `main` lets a person run one from a shell, its parameters as options.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

PROTOCOL = 1
_OPERATORS: dict[str, Callable[[Any, Any, float], bool]] = {
    "==": lambda left, right, _: left == right,
    "!=": lambda left, right, _: left != right,
    "<": lambda left, right, _: left < right,
    "<=": lambda left, right, _: left <= right,
    ">": lambda left, right, _: left > right,
    ">=": lambda left, right, _: left >= right,
    "~": lambda left, right, tolerance: abs(left - right) <= tolerance * abs(right),
}


class Refused(ValueError):
    """These parameters make the run pointless or impossible; the message is one sentence with the remedy."""


class Emit:
    """Writes one message at a time to `sink`, flushed, so that a screen can draw while the run goes on."""

    def __init__(self, sink: Callable[[dict[str, Any]], None]) -> None:
        self._sink = sink
        self.failed = 0

    def send(self, type: str, **fields: Any) -> None:
        """Send a message of any type."""
        self._sink({"v": PROTOCOL, "type": type, **fields})

    def prediction(self, name: str, op: str, value: float | str, unit: str = "", source: str = "") -> None:
        """State what theory says of a measure, before anything is measured."""
        self.send("prediction", name=name, op=op, value=value, unit=unit, source=source)

    def series(self, name: str, title: str, x: str, y: str, unit: str = "") -> None:
        """Declare a curve."""
        self.send("series", name=name, title=title, x=x, y=y, unit=unit)

    def point(self, series: str, x: float, y: float, phase: str = "") -> None:
        """Add one point to a curve."""
        self.send("point", series=series, x=x, y=y, phase=phase)

    def row(self, table: str, **cells: Any) -> None:
        """Add one row to a table."""
        self.send("row", table=table, **cells)

    def event(self, kind: str, phase: str, text: str) -> None:
        """Tell that something happened: an allocation failed, a phase began."""
        self.send("event", kind=kind, phase=phase, text=text)

    def measure(self, name: str, value: float | str, unit: str = "", instrument: str = "") -> None:
        """State a measured value. The value of a choice bet's metric is the key of the choice that came true."""
        self.send("measure", name=name, value=value, unit=unit, instrument=instrument)

    def claim(self, name: str, left: float | str, op: str, right: float | str, tolerance: float = 0.0) -> bool:
        """Compare what was measured (left) with what was claimed (right); return whether it held."""
        passed = bool(_OPERATORS[op](left, right, tolerance))
        self.failed += not passed
        within = {"tolerance": tolerance} if op == "~" else {}
        self.send("claim", name=name, left=left, op=op, right=right, passed=passed, **within)
        return passed

    def note(self, text: str) -> None:
        """Say something in one sentence."""
        self.send("note", text=text)


def execute(module: ModuleType, params: dict[str, Any], sink: Callable[[dict[str, Any]], None]) -> bool:
    """Run an experiment: meta, predictions, the measurements, done. Return whether every claim held.

    Raises Refused, before anything is sent, where a parameter is out of range or the experiment turns the run down.
    """
    import torch

    description = describe(module.__file__ or "")
    settings = settings_of(description, params)
    predictions = list(module.predict(settings))
    torch.set_num_threads(1)
    emit = Emit(sink)
    started = time.monotonic()
    emit.send(
        "meta",
        experiment=description["id"],
        version=description["version"],
        torch=torch.__version__,
        device="cuda" if torch.cuda.is_available() else "cpu",
        threads=torch.get_num_threads(),
        seed=settings.get("seed", 0),
        params=settings,
    )
    for prediction in predictions:
        emit.prediction(**prediction)
    module.run(settings, emit)
    passed = emit.failed == 0
    emit.send("done", seconds=round(time.monotonic() - started, 3), passed=passed)
    return passed


def describe(file: str) -> dict[str, Any]:
    """Return the TOML beside a module's file."""
    return tomllib.loads(Path(file).with_suffix(".toml").read_text(encoding="utf-8"))


def settings_of(description: dict[str, Any], params: dict[str, Any]) -> dict[str, Any]:
    """Return the defaults overlaid with `params`. Raises Refused for a parameter that is unknown or out of range."""
    known = description.get("parameters", {})
    for name, value in params.items():
        if name not in known:
            raise Refused(f"{name} is not a parameter of {description['id']}; it has {', '.join(known)}.")
        low, high, choices = (known[name].get(key) for key in ("min", "max", "choices"))
        if choices and value not in choices:
            raise Refused(f"{name} = {value} is not one of {', '.join(choices)}.")
        if low is not None and not low <= value <= high:
            raise Refused(f"{name} = {value} is out of range; it goes from {low} to {high}.")
    return {name: parameter["default"] for name, parameter in known.items()} | params


Predict = Callable[[dict[str, Any]], Iterable[dict[str, Any]]]


def main(file: str, predict: Predict, run: Callable[[dict[str, Any], Emit], None]) -> None:
    """Run one experiment from a shell, with its parameters as options."""
    module = ModuleType("experiment")
    module.__file__, module.predict, module.run = file, predict, run  # type: ignore[attr-defined]
    description = describe(file)
    parser = argparse.ArgumentParser(description=description["shows"], epilog=description["question"])
    for name, parameter in description.get("parameters", {}).items():
        option, title = f"--{name.replace('_', '-')}", parameter.get("title", "")
        parser.add_argument(option, dest=name, default=parameter["default"], help=title, **_kind(parameter))
    parser.add_argument("--json", action="store_true", help="print the protocol's lines")
    chosen = vars(parser.parse_args())
    sink = _print_json if chosen.pop("json") else _print_words
    try:
        passed = execute(module, chosen, sink)
    except Refused as refusal:
        print(refusal, file=sys.stderr)
        raise SystemExit(2) from None
    except BrokenPipeError:  # the reader has seen enough, as in `... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
    raise SystemExit(0 if passed else 1)


def _kind(parameter: dict[str, Any]) -> dict[str, Any]:
    match parameter["type"]:
        case "bool":
            return {"type": lambda text: text.lower() in ("1", "true", "yes"), "metavar": "true|false"}
        case "choice":
            return {"choices": parameter["choices"]}
        case kind:
            return {"type": int if kind == "int" else float, "metavar": f"{parameter['min']}..{parameter['max']}"}


def _print_json(message: dict[str, Any]) -> None:
    print(json.dumps(message), flush=True)


def _print_words(message: dict[str, Any]) -> None:
    """Print what a reader can follow; points of curves are left to the screen."""
    m = message
    match m["type"]:
        case "meta":
            print(f"{m['experiment']} on {m['device']}, torch {m['torch']}, {m['params']}")
        case "prediction":
            print(f"  theory    {m['name']} {m['op']} {_short(m['value'])}{_unit(m)}   [{m['source']}]")
        case "measure":
            print(f"  measured  {m['name']} = {_short(m['value'])}{_unit(m)}   ({m['instrument']})")
        case "claim":
            held = "held" if m["passed"] else "NOT SHOWN ON THIS MACHINE"
            print(f"  claim     {m['name']}: {_short(m['left'])} {m['op']} {_short(m['right'])}   {held}")
        case "note" | "event":
            print(f"  {m['text']}")
        case "row":
            print("  " + "  ".join(f"{k}={_short(v)}" for k, v in m.items() if k not in ("v", "type", "table")))
        case "done":
            print(f"done in {m['seconds']} s" + ("" if m["passed"] else "; a claim did not hold"))


def _unit(message: dict[str, Any]) -> str:
    return f" {message['unit']}" if message["unit"] not in ("", "choice") else ""


def _short(value: Any) -> str:
    if isinstance(value, float) and abs(value) < 10_000:
        return f"{value:.6g}"
    return f"{value:,.0f}" if isinstance(value, int | float) and abs(value) >= 10_000 else str(value)
