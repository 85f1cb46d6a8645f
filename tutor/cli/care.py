"""Commands that look after the learner's data."""

from __future__ import annotations

from pathlib import Path

import click

from tutor.cli.context import NOT_IN_ORDER, Common, common, print_json
from tutor.paths import Home
from tutor.store import doctor as examine
from tutor.store import open_store


@click.command()
@common
def doctor(shared: Common) -> None:
    """Check your data from end to end: the file, the chain of events, and every figure rebuilt from them."""
    findings = examine(Home.find(shared.home), shared.clock())
    if shared.json:
        print_json([{"ok": f.ok, "what": f.what, "remedy": f.remedy} for f in findings])
    else:
        for finding in findings:
            click.echo(
                f"{'ok  ' if finding.ok else 'FAIL'} {finding.what}"
                + (f"\n     {finding.remedy}" if finding.remedy and not finding.ok else "")
            )
    raise SystemExit(0 if all(f.ok for f in findings) else NOT_IN_ORDER)


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
