"""Commands for those who write decks: begin an item, see what a numeric family asks."""

from __future__ import annotations

import click

from tutor.cli.context import USAGE, Common, common, fail, print_json
from tutor.content.authoring import KINDS, NAME, add_item, fresh_id
from tutor.content.families import FAMILIES, NothingToDraw, draw, humane, render
from tutor.content.load import load_library
from tutor.content.model import Deck
from tutor.content.phrases import phrase
from tutor.i18n import _
from tutor.paths import Home, resources


@click.command()
@click.argument("deck")
@click.option("--kind", type=click.Choice(KINDS), default="choice", show_default=True, help="What is asked.")
@click.option("--concept", default="", help="Id of the concept; `tutor decks list` has the decks.")
@common
def new(shared: Common, deck: str, kind: str, concept: str) -> None:
    """Add an unfilled item with a fresh id to DECK, a deck of your own. Prints the file and the line."""
    own = Home.find(shared.home).decks
    if not NAME.fullmatch(deck):
        said = _("{deck!r} cannot name a deck; write small letters and digits, joined by hyphens.")
        fail(said.format(deck=deck), USAGE)
    if (resources("decks") / deck).exists():
        fail(_("{deck!r} comes with the program; give a deck of your own another name.").format(deck=deck), USAGE)
    library = load_library([resources("decks"), own], "en", {})
    if concept and concept not in library.concepts:
        said = _("There is no concept {concept!r}; concepts.toml beside your decks may add it.")
        fail(said.format(concept=concept), USAGE)
    path = own / deck / "deck.toml"
    prefix = deck.replace("-", "")[:4]
    try:
        written = path.read_text(encoding="utf-8") if path.exists() else ""
        id = fresh_id(prefix, {*library.items, *(word.strip('"') for word in written.split())})
        line = add_item(path, kind, concept, id)
    except UnicodeDecodeError:
        fail(_("{path} is not UTF-8; save it as UTF-8.").format(path=path), USAGE)
    if shared.json:
        print_json({"id": id, "path": str(path), "line": line})
        return
    click.echo(f"{path}:{line}: {id}")
    click.echo(_("Fill it in; until then `tutor decks check` names what is missing and it is not asked."), err=True)


def preview(deck: Deck, family: str, draws: int, as_json: bool) -> None:
    """Print what each item of a family asks with numbers drawn: stem, answer, slips and explanation."""
    items = [item for item in deck.items if item.family == family]
    if family not in FAMILIES or not items:
        names = ", ".join(sorted({item.family for item in deck.items if item.family})) or _("none")
        said = _("No item of {deck} is of the family {family!r}; it has {names}.")
        fail(said.format(deck=deck.id, family=family, names=names), USAGE)
    shown = []
    for item in items:
        for seed in range(draws):
            try:
                drawn = draw(family, item.params, seed)
            except NothingToDraw as error:
                fail(str(error), USAGE)
            asked = render(item, drawn)
            shown.append(
                {
                    "id": item.id, "seed": seed, "stem": asked.stem, "answer": drawn.answer, "unit": item.unit,
                    "slips": dict(drawn.slips), "why": asked.why,
                }
            )  # fmt: skip
            if not as_json:
                click.echo(f"\n{item.id} · seed {seed}\n{asked.stem}\n  = {humane(drawn.answer)} {item.unit}")
                for name, value in drawn.slips.items():
                    click.echo(f"  - {humane(value)} {item.unit}  {phrase(name, item)}")
                click.echo(f"  {asked.why}")
    if as_json:
        print_json(shown)
