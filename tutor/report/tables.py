"""The report as CSV and JSON. Sections and keys are English for whatever reads them; only the details of CSV are in the learner's language."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from typing import Any

from tutor.report import words

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_json(report: Mapping[str, Any]) -> str:
    """Return the report as one JSON document."""
    return json.dumps(report, ensure_ascii=False, indent=2) + "\n"


def to_csv(report: Mapping[str, Any]) -> str:
    """Return the report as rows of section, name, value, n; no cell can start a spreadsheet formula."""
    sink = io.StringIO()
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(["section", "name", "value", "n", "detail"])
    for row in _rows(report):
        writer.writerow([guarded(cell) for cell in row])
    return sink.getvalue()


def _rows(report: Mapping[str, Any]) -> list[list[Any]]:
    retention = report["retention"]
    rows: list[list[Any]] = [
        ["period", "from", report["period"]["from"], "", ""],
        ["period", "to", report["period"]["to"], "", ""],
        ["time", "minutes", report["time"]["minutes"], report["reviews"]["answered"], ""],
        ["reviews", "right", report["reviews"]["right"], report["reviews"]["answered"], ""],
        ["retention", "true retention", retention["value"], retention["n"], words.rate(retention)],
    ]
    for c in report["concepts"]:
        rows += [["concept", c["title"], c[state], c["n"], state] for state in ("known", "unsure", "guessed", "missed")]
    rows += [["calibration", c["sureness"], c["value"], c["n"], words.rate(c)] for c in report["calibration"]]
    sealed = report["sealed"]
    rows += [
        ["sealed", "right at first sight", sealed["value"], sealed["n"], words.sealed(sealed)],
        ["sealed", "Brier score", sealed["brier"], sealed["n"], ""],
    ]
    rows += [["forecast", f["day"], f["due"], "", ""] for f in report["forecast"]]
    for m in report["myths"]:
        rows.append(["myth gone" if m["gone"] else "myth", m["text"], m["picked"], m["picked"], m["last"]])
    rows += [["options", o["item"], o["plausible"], o["n"], words.plausible(o)] for o in report["options"]]
    rows += [["bets", b["title"], b["right"], b["n"], words.bets(b)] for b in report["bets"]["concepts"]]
    rows += [["bets by week", b["week"], b["right"], b["n"], words.bets(b)] for b in report["bets"]["weeks"]]
    rows += [
        [
            "run",
            r["experiment"],
            words.value(r["measured"]),
            "",
            words.run(r),
        ]
        for r in report["runs"]
    ]
    return rows


def guarded(cell: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
