"""`tutor decks revise`: what becomes of an item's history when its question was changed."""

from __future__ import annotations

from dataclasses import asdict

import click

from tutor.cli.context import USAGE, Common, common, fail, print_json
from tutor.i18n import _


@click.command()
@click.argument("item", required=False)
@click.argument("choice", required=False, type=click.Choice(("keep", "halve", "reset")))
@common
def revise(shared: Common, item: str | None, choice: str | None) -> None:
    """Say whether a changed question still asks the same fact.

    keep: the same fact, its history goes on. halve: nearly the same, its stability is halved. reset: another fact, it is new again.
    Without arguments: the items that were changed after you answered them. Each decision can be made anew.
    """
    from tutor.study import revising

    if item is not None and choice is None:
        fail(_("Say what becomes of the history of {item}: `keep`, `halve` or `reset`.").format(item=item), USAGE)
    with shared.desk(read_only=item is None) as desk:
        try:
            found = (
                revising.revisions(desk) if item is None or choice is None else [revising.revise(desk, item, choice)]
            )
        except revising.NothingToDecide as error:
            fail(str(error), USAGE)
    if shared.json:
        print_json([asdict(revision) for revision in found])
        return
    for revision in found:
        click.echo(f"{revision.item}  rev {revision.old_rev} -> {revision.new_rev}  {revision.choice}")
    if not found:
        click.echo(_("No item was changed after you answered it."), err=True)
