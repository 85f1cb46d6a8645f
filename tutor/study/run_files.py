"""Writes a run to files: JSON for programs, SVG to show."""

from __future__ import annotations

from pathlib import Path

from tutor.report.run import Sheet, run_json
from tutor.report.run_svg import run_svg
from tutor.study import wording
from tutor.study.files import write_whole

SUFFIXES = (".json", ".svg")


def write_run(sheet: Sheet, folder: Path) -> tuple[Path, Path]:
    """Write both files into `folder` under a name not used yet, and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{sheet.experiment.id}-{sheet.day}"
    number = 1
    while any((folder / f"{stem}-{number}{suffix}").exists() for suffix in SUFFIXES):
        number += 1
    paths = folder / f"{stem}-{number}.json", folder / f"{stem}-{number}.svg"
    for path in paths:
        write_run_file(sheet, path)
    return paths


def write_run_file(sheet: Sheet, path: Path) -> None:
    """Write one file in the format its suffix names; a failure leaves what was there before."""
    text = run_json(sheet) if path.suffix.lower() == ".json" else run_svg(sheet, wording.quantity)
    write_whole(path, text)
