"""Commands that look after the learner's data."""

from __future__ import annotations

from pathlib import Path

import click

from tutor.cli.context import NOT_IN_ORDER, Common, common, print_json
from tutor.config import ConfigError, load_config
from tutor.paths import Home
from tutor.store import Finding, open_store
from tutor.store import doctor as examine


@click.command()
@common
def doctor(shared: Common) -> None:
    """Check your data from end to end: the file, the chain of events, every figure rebuilt from them, and the settings."""
    home = Home.find(shared.home)
    findings = [*examine(home, shared.clock()), *_settings(home)]
    if shared.json:
        print_json([{"ok": f.ok, "what": f.what, "remedy": f.remedy} for f in findings])
    else:
        for finding in findings:
            click.echo(
                f"{'ok  ' if finding.ok else 'FAIL'} {finding.what}"
                + (f"\n     {finding.remedy}" if finding.remedy and not finding.ok else "")
            )
    raise SystemExit(0 if all(f.ok for f in findings) else NOT_IN_ORDER)


def _settings(home: Home) -> list[Finding]:
    """Return what is wrong with the settings, which every other command would refuse."""
    try:
        load_config(home.config)
    except ConfigError as error:
        return [Finding(False, str(error))]
    return []


@click.command()
@click.argument("path", required=False, type=click.Path(path_type=Path))
@common
def backup(shared: Common, path: Path | None) -> None:
    """Write a verified copy of your data, beside it or to PATH."""
    with open_store(Home.find(shared.home), shared.clock()) as store:
        written = store.backup(path)
    if shared.json:
        print_json({"path": str(written)})
    else:
        click.echo(str(written))
