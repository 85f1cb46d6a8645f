"""Commands that sit down with the learner: today's screen, a review, a quiz."""

from __future__ import annotations

import sys
from dataclasses import replace

import click

from tutor.cli.context import NOT_IN_ORDER, USAGE, Common, common, fail, print_json
from tutor.content.model import Deck
from tutor.i18n import _, ngettext
from tutor.learning.world import Rules
from tutor.study.desk import Desk, with_limits
from tutor.study.values import level_words


def open_today(shared: Common) -> None:
    """Open the full screen at Today."""
    _need_terminal()
    with shared.desk() as desk:
        from tutor.ui.app import TutorApp

        TutorApp(desk).run()


@click.command()
@click.option("--deck", "deck", multiple=True, help="Ask only from this deck; may be repeated.")
@click.option("--item", default="", help="Start with this item, due or not.")
@click.option("--limit", type=click.IntRange(min=1), help="First presentations at most.")
@click.option("--new", type=click.IntRange(min=0), help="New cards at most, instead of the setting.")
@click.option("--mock", type=click.IntRange(min=1), help="So many sealed questions, each answered this once.")
@click.option("--placement", is_flag=True, help="Ask a dozen questions that tell where to start.")
@click.option("--plain", is_flag=True, help="Line mode: prompts and lines.")
@common
def review(
    shared: Common,
    deck: tuple[str, ...],
    item: str,
    limit: int | None,
    new: int | None,
    mock: int | None,
    placement: bool,
    plain: bool,
) -> None:
    """Straight into a sitting."""
    if not plain:
        _need_terminal()
    with shared.desk() as desk:
        for name in deck:
            _known_deck(desk, name)
        if item and item not in desk.library.items:
            fail(_("There is no item {item!r}; `tutor decks show DECK` lists them.").format(item=item), USAGE)
        if item and desk.library.items[item].sealed:
            said = _("Item {item!r} is sealed for a mock interview; `tutor review --mock 10` asks such items.")
            fail(said.format(item=item), USAGE)
        rules = with_limits(desk.rules(), limit=limit, new=new, item=item, decks=frozenset(deck))
        if placement:
            rules = replace(rules, placement=True, lab="off")
        if mock is not None:
            rules = _mock_rules(desk, rules, mock)
        _sit(desk, rules, "plain" if plain else "review", (), plain)


@click.command()
@click.argument("name")
@click.option("--plain", is_flag=True, help="Line mode: prompts and lines.")
@click.option("--preview", is_flag=True, help="All stems and options, without answers.")
@common
def quiz(shared: Common, name: str, plain: bool, preview: bool) -> None:
    """Take a fixed quiz; answers and explanations appear as you take it, and count as practice."""
    if preview:
        from tutor.cli.decks import library_for

        deck = next((d for d in library_for(shared).decks if d.id == name), None)
        _show_preview(shared, deck or _no_quiz(name))
        return
    with shared.desk() as desk:
        found = _known_deck(desk, name)
        if not plain:
            _need_terminal()
        ids = tuple(item.id for item in found.items)
        _sit(desk, desk.rules(), "quiz", ids, plain, found)


def _mock_rules(desk: Desk, rules: Rules, count: int) -> Rules:
    from tutor.study.mock import mock_rules, none_left

    found = mock_rules(desk, rules, count)
    if found is None:
        fail(none_left(), NOT_IN_ORDER)
    return found


def _sit(desk: Desk, rules: Rules, mode: str, ids: tuple[str, ...], plain: bool, deck: Deck | None = None) -> None:
    if plain:
        from tutor.plain.lines import Lines
        from tutor.plain.mode import LineMode
        from tutor.study.sitting import Sitting

        sitting = Sitting(desk, replace(rules, recall_first=False), mode, ids)
        LineMode(sitting, Lines()).run()
        return
    from tutor.ui.app import TutorApp

    if deck is not None:
        TutorApp(desk, quiz=deck).run()
    else:
        TutorApp(desk, review=rules).run()


def _show_preview(shared: Common, deck: Deck) -> None:
    if shared.json:
        print_json(
            {
                "id": deck.id,
                "title": deck.title,
                "level": deck.level,
                "blurb": deck.blurb,
                "questions": [
                    {"id": item.id, "lang": item.lang, "stem": item.stem, "options": [o.text for o in item.unspoilt]}
                    for item in deck.items
                ],
            }
        )
        return
    count = ngettext("{count} question", "{count} questions", len(deck.items)).format(count=len(deck.items))
    click.echo(f"{deck.title}\n{level_words(deck.level)} · {count}")
    if deck.blurb:
        click.echo(deck.blurb)
    for place, item in enumerate(deck.items, start=1):
        click.echo(f"\n{place}. {item.stem}")
        for letter, option in zip("abcdefgh", item.unspoilt, strict=False):
            click.echo(f"   {letter}) {option.text}")
    click.echo("\n" + _("Answers and explanations appear when you take the quiz."))


def _known_deck(desk: Desk, name: str) -> Deck:
    return desk.library.deck(name) or _no_quiz(name, desk)


def _no_quiz(name: str, desk: Desk | None = None) -> Deck:
    if desk is None:
        fail(_("There is no deck {deck!r}; `tutor decks list` lists them.").format(deck=name), USAGE)
    known = ", ".join(deck.id for deck in desk.library.decks)
    fail(_("There is no deck {deck!r}. Known are {known}.").format(deck=name, known=known), USAGE)


def _need_terminal() -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        fail(_("The screen needs a terminal; use `tutor review --plain` in a pipe."), NOT_IN_ORDER + 1)
