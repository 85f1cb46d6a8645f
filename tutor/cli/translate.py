"""The command for translators: what an overlay lacks, ready to be filled in."""

from __future__ import annotations

import itertools
from pathlib import Path

import click

from tutor.cli.context import USAGE, Common, common, fail, print_json
from tutor.content.drafts import Draft, as_toml, deck_drafts, deck_head, experiment_drafts, experiment_head, shared_head
from tutor.content.load import load_library
from tutor.content.model import BASE
from tutor.i18n import LANGUAGES, _
from tutor.lab.catalogue import load_catalogue
from tutor.paths import Home, resources


@click.command()
@click.argument("name")
@click.argument("language", metavar="LANG", type=click.Choice([lang for lang in LANGUAGES if lang != BASE]))
@common
def translate(shared: Common, name: str, language: str) -> None:
    """Print what a deck or an experiment lacks in LANG: missing and stale texts with their hashes, to be filled in."""
    catalogue, _problems = load_catalogue(resources("experiments"))
    library = load_library([resources("decks"), Home.find(shared.home).decks], BASE, catalogue)
    deck, experiment = library.deck(name), catalogue.get(name)
    if deck is not None:
        drafts, head, own = deck_drafts(deck, library, language), deck_head(deck, language), deck.path.parent
    elif experiment is not None:
        drafts, head = experiment_drafts(experiment, language), experiment_head(experiment, language)
        own = Path(experiment.source).parent
    else:
        said = _("There is no deck or experiment {name!r}; `tutor decks list` and `tutor lab list` have them.")
        fail(said.format(name=name), USAGE)
    if shared.json:
        print_json([_document(draft) for draft in drafts])
        return
    for path, of_file in itertools.groupby(drafts, key=lambda draft: draft.path):
        click.echo(f"# into {path}")
        if not path.exists():
            click.echo("\n".join(head if path.parent == own else shared_head(language)))
        for draft in of_file:
            click.echo("\n".join(as_toml(draft)))
        click.echo()
    missing = sum(draft.before is None for draft in drafts)
    click.echo(_("{missing} missing, {stale} stale.").format(missing=missing, stale=len(drafts) - missing), err=True)


def _document(draft: Draft) -> dict[str, object]:
    return {
        "path": str(draft.path),
        "table": list(draft.passage.table),
        "of": draft.passage.of,
        "stale": draft.before is not None,
        "english": dict(draft.passage.texts),
        "before": dict(draft.before or {}),
    }
