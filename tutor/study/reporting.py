"""Writes a learner's report to a file, in the format its suffix names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tutor.report import build_report
from tutor.study.desk import Desk
from tutor.study.files import write_whole

SUFFIXES = (".html", ".md", ".csv", ".json")


def report_of(desk: Desk) -> dict[str, Any]:
    """Return the report model of this moment."""
    return build_report(desk.store, desk.library, desk.catalogue, desk.day(), desk.now().utc_us)


def write_report(desk: Desk, path: Path) -> None:
    """Write the report; a failure leaves what was there before."""
    write_whole(path, writer_of(path.suffix.lower())(report_of(desk)))


def writer_of(suffix: str) -> Callable[[Mapping[str, Any]], str]:
    """Return the function that writes a format; each is loaded when it is used."""
    if suffix == ".html":
        from tutor.report.html import to_html

        return to_html
    if suffix == ".md":
        from tutor.report.markdown import to_markdown

        return to_markdown
    from tutor.report.tables import to_csv, to_json

    return {".csv": to_csv, ".json": to_json}[suffix]
