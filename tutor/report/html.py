"""The report as one HTML file: opens offline, no script, nothing loaded from anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from tutor.i18n import _, spoken_language
from tutor.report import words
from tutor.report.charts import bars, share_bar


def to_html(report: Mapping[str, Any]) -> str:
    """Return the report as one HTML document in the language spoken; every text from outside is escaped."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    names = (
        "rate",
        "theory",
        "bets",
        "held_myth",
        "sealed",
        "sureness",
        "remedy",
        "of_run",
        "claims_held",
        "plausible",
    )
    environment.filters.update({name: getattr(words, name) for name in names})
    environment.globals.update(_=_, lang=spoken_language(), share_bar=lambda share: Markup(share_bar(share)))
    days, forecast = report["days"], report["forecast"]
    return environment.get_template("report.html.j2").render(
        report=report,
        period=words.period(report),
        answered=Markup(bars([d["day"] for d in days], [d["answered"] for d in days], _("Answers per study day"))),
        due=Markup(bars([f["day"] for f in forecast], [f["due"] for f in forecast], _("Cards due per day"))),
    )
