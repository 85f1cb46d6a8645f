"""One report model and the formats it is written in."""

from tutor.report.model import build_report

__all__ = ["build_report"]
