"""Commands about content: list, check and show decks. None of them but `revise` touches the learner's data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from tutor.cli.author import new, preview
from tutor.cli.context import NOT_IN_ORDER, USAGE, Common, common, fail, print_json
from tutor.cli.facts import check_facts, summary
from tutor.cli.revise import revise
from tutor.cli.translate import translate
from tutor.content.experiments import Catalogue
from tutor.content.facts import rests_on
from tutor.content.guesser import Guessed, guess
from tutor.content.lint import check as lint
from tutor.content.lint import folders_of
from tutor.content.load import load_library
from tutor.content.model import Deck, Item, Library, Problem
from tutor.content.spoken import check_experiments
from tutor.i18n import LANGUAGES, _, ngettext
from tutor.lab.catalogue import load_catalogue
from tutor.paths import Home, resources


def library_for(shared: Common) -> Library:
    """Return the shipped decks and the learner's own in the language asked for, without opening the learner's data."""
    lang = shared.language()
    catalogue, _problems = load_catalogue(resources("experiments"), lang)
    return load_library([resources("decks"), Home.find(shared.home).decks], lang, catalogue)


@click.group()
def decks() -> None:
    """List, check and show decks."""


decks.add_command(revise)
decks.add_command(new)
decks.add_command(translate)


@decks.command("list")
@common
def list_(shared: Common) -> None:
    """The decks, with what is in them."""
    rows = [_summary(deck) for deck in library_for(shared).decks]
    if shared.json:
        said = _said(shared)
        for row in rows:
            row["translated"] = {lang: said[row["id"], lang] for lang in row["languages"]}
        print_json(rows)
        return
    for row in rows:
        kinds = ", ".join(f"{count} {kind}" for kind, count in row["kinds"].items())
        items = ngettext("{count} item", "{count} items", row["items"]).format(count=f"{row['items']:>3}")
        click.echo(
            f"{row['id']:<20} {items}  {_('quiz') if row['quiz'] else kinds}  [{' '.join(row['languages'])}]  {row['title']}"
        )


@decks.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--facts", is_flag=True, help="Compute the numbers and run the experiments that the items name.")
@click.option(
    "--guesser", is_flag=True, help="Say what a guesser that sees only form scores on each deck and language."
)
@common
def check(shared: Common, paths: tuple[Path, ...], facts: bool, guesser: bool) -> None:
    """Check decks for errors; exit 1 if there are any."""
    catalogue, broken = load_catalogue(resources("experiments"))
    roots = list(paths) or [resources("decks"), Home.find(shared.home).decks]
    confirmed = check_facts(roots, catalogue) if facts else None
    lab = [*broken, *check_experiments(catalogue, LANGUAGES[1:])]
    problems = sorted([*lab, *_linted(roots, catalogue), *(confirmed.problems if confirmed else ())])
    errors = sum(problem.severity == "error" for problem in problems)
    guessed = guesses(roots, catalogue) if guesser else []
    if shared.json:
        found = [_problem(problem) for problem in problems]
        counts = asdict(replace(confirmed, problems=[])) if confirmed else {}
        more = counts | ({"guesser": [asdict(one) for one in guessed]} if guesser else {})
        print_json(more | {"problems": found} if more else found)
    else:
        for problem in problems:
            click.echo(str(problem))
        if confirmed:
            click.echo(summary(confirmed))
        for one in guessed:
            said = _(
                "{items:>3} choices  by form alone {score:.0%} ({above:+.1f} points beside chance), always the likeliest {picks:.0%}"
            )
            told = said.format(items=one.items, score=one.score, above=one.above, picks=one.picks)
            click.echo(f"{one.deck:<20} {one.lang}  {told}")
        said = _("{errors} errors, {warnings} warnings.")
        click.echo(said.format(errors=errors, warnings=len(problems) - errors), err=True)
    raise SystemExit(NOT_IN_ORDER if errors else 0)


@decks.command()
@click.argument("deck")
@click.option("--family", metavar="NAME", help="Show what an item of this family asks with numbers drawn.")
@click.option("--draws", type=click.IntRange(1, 50), default=3, show_default=True, help="How many draws to show.")
@common
def show(shared: Common, deck: str, family: str | None, draws: int) -> None:
    """Show a deck's items with their answers, or what a numeric family asks."""
    found = library_for(shared).deck(deck)
    if found is None:
        fail(_("There is no deck {deck!r}; `tutor decks list` lists them.").format(deck=deck), USAGE)
    if family is not None:
        preview(found, family, draws, shared.json)
        return
    if shared.json:
        print_json(
            _summary(found) | {"guide": str(found.guide or ""), "questions": [_item(item) for item in found.items]}
        )
        return
    items = ngettext("{count} item", "{count} items", len(found.items)).format(count=len(found.items))
    click.echo(f"{found.title} · {found.level} · {items}")
    for item in found.items:
        about = (item.id, item.kind, item.concept, item.level, f"rev {item.rev}")
        click.echo(f"\n{' · '.join(about)}\n{item.stem}")
        for line in _option_lines(item):
            click.echo(f"  {line}")
        if item.kind == "numeric":
            click.echo(f"  = {item.family or ' '.join(item.answer)} {item.unit} ±{item.tolerance:.0%}")


def _linted(roots: Sequence[Path], catalogue: Catalogue) -> list[Problem]:
    """Return the lint's problems below `roots`, whose decks are read after the shipped ones; another copy of these stands by itself."""
    shipped, folders = resources("decks"), folders_of(roots)
    named = {deck.parent.name for deck in shipped.glob("*/deck.toml")}
    if any(named & {deck.parent.name for deck in folder.glob("*/deck.toml")} for folder in folders):
        return lint(folders, catalogue, LANGUAGES)
    places = [root.resolve() for root in roots]
    found = lint([shipped, *folders], catalogue, LANGUAGES)
    return [p for p in found if any(Path(p.path).resolve().is_relative_to(place) for place in places)]


def guesses(roots: Sequence[Path], catalogue: Catalogue) -> list[Guessed]:
    """Return the guesser's scores on the decks at or below `roots`, learnt from them and from the shipped decks."""
    shipped = resources("decks")
    asked = {deck.parent.resolve() for root in roots for deck in (*root.glob("deck.toml"), *root.glob("*/deck.toml"))}
    found = []
    for lang in LANGUAGES:
        library = load_library(folders_of([shipped, *roots]), lang, catalogue)
        own = {deck.id for deck in library.decks if deck.path.parent.resolve() in asked}
        found += [one for one in guess(library, lang) if one.deck in own]
    return found


def _problem(problem: Problem) -> dict[str, object]:
    return {
        "path": problem.path,
        "line": problem.line,
        "severity": problem.severity,
        "rule": problem.rule,
        "message": problem.message,
    }


def _option_lines(item: Item) -> Iterator[str]:
    """Yield what is right and wrong: options with their sign, steps in their order, gaps with what they accept."""
    ordered = item.kind == "order"
    for place, option in enumerate([item.option(key) for key in item.answer] if ordered else item.options, start=1):
        mark = f"{place}." if ordered else "+" if option.key in item.answer else "-"
        yield f"{mark} {option.text}" + (f"  [{option.myth}]" if option.myth else "")
    for gap in item.gaps:
        yield f"+ {gap.key}: {' | '.join(gap.accept)}" + (f"  ({_('any case')})" if gap.ignore_case else "")
        yield from (f"- {gap.key}: {slip}  [{myth}]" for slip, myth in gap.slips.items())


def _summary(deck: Deck) -> dict[str, Any]:
    evidence = Counter(name for item in deck.items for name in rests_on(item))
    return {
        "id": deck.id,
        "title": deck.title,
        "quiz": deck.quiz,
        "languages": list(deck.languages),
        "items": len(deck.items),
        "sealed": sum(item.sealed for item in deck.items),
        "kinds": dict(Counter(item.kind for item in deck.items)),
        "levels": dict(Counter(item.level for item in deck.items)),
        "evidence": {name: evidence[name] for name in ("experiment", "formula", "source")},
    }


def _said(shared: Common) -> Counter[tuple[str, str]]:
    """Count the items of each deck that have a text of their own, neither missing nor stale, in each language."""
    roots = [resources("decks"), Home.find(shared.home).decks]
    catalogue, _broken = load_catalogue(resources("experiments"))
    spoken = [
        item for lang in LANGUAGES for item in load_library(roots, lang, catalogue).items.values() if item.lang == lang
    ]
    return Counter((item.deck, item.lang) for item in spoken)


def _item(item: Item) -> dict[str, object]:
    return {
        "id": item.id,
        "kind": item.kind,
        "concept": item.concept,
        "level": item.level,
        "rev": item.rev,
        "lang": item.lang,
        "stem": item.stem,
        "options": [{"key": o.key, "text": o.text, "myth": o.myth} for o in item.options],
        "gaps": [
            {"key": g.key, "accept": list(g.accept), "slips": dict(g.slips), "ignore_case": g.ignore_case}
            for g in item.gaps
        ],
        "answer": list(item.answer),
        "why": item.why,
        "sources": list(item.sources),
        "family": item.family,
        "unit": item.unit,
        "transfer_of": item.transfer_of,
        "sealed": item.sealed,
        "experiment": item.experiment.id if item.experiment else None,
    }
