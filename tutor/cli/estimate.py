"""Any formula of the field with its numbers: `tutor estimate ring_all_reduce size=1GB ranks=8 bandwidth=50GB/s`."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from typing import Any

import click

from tutor.cli.context import USAGE, Common, common, fail, print_json
from tutor.content.units import Misread, parse_quantity, readable
from tutor.formulas.catalogue import Formula, Parameter, Value, find, formulas
from tutor.formulas.working import Step, working
from tutor.i18n import _


@click.command()
@click.argument("formula", required=False)
@click.argument("values", nargs=-1, metavar="[NAME=VALUE]...")
@common
def estimate(shared: Common, formula: str | None, values: tuple[str, ...]) -> None:
    """Compute a formula, with its working and its source; without a name list them all.

    Values may have units: 80GB, 7e9, 7B, 50%. What is not given takes its default, or the value of an example.
    """
    if formula is None:
        _list(shared)
        return
    chosen = _chosen(formula)
    texts = _texts(chosen, values)
    given = {p.name: texts.get(p.name, p.example) for p in chosen.parameters}
    read = {p.name: _read(p, given[p.name]) for p in chosen.parameters}
    try:
        result = chosen.compute(read)
    except (ZeroDivisionError, OverflowError, ValueError):
        result = math.nan
    if not math.isfinite(result):
        said = _("{formula} has no result for these values; `tutor estimate {formula}` shows some that do.")
        fail(said.format(formula=chosen.name), USAGE)
    shown = {p.name: _shown(p, read[p.name], texts) for p in chosen.parameters}
    steps = working(chosen.function, chosen.arguments(read), shown)
    if shared.json:
        print_json(_document(chosen, read, texts, result, steps))
    else:
        _print(chosen, shown, texts, result, steps)


def _list(shared: Common) -> None:
    if shared.json:
        print_json([_entry(formula) for formula in formulas().values()])
        return
    module = ""
    for formula in formulas().values():
        room, _dot, name = formula.name.partition(".")
        if room != module:
            module = room
            click.echo(f"{room}")
        click.echo(f"  {name:<26} {formula.unit or _('number'):<9} {formula.what}\n{'':39}{formula.source}")


def _chosen(name: str) -> Formula:
    """Return the formula of a name, or end with the nearest names."""
    found = find(name)
    if len(found) == 1:
        return found[0]
    if found:
        names = _(" or ").join(formula.name for formula in found)
        fail(_("{name!r} is ambiguous: say {names}.").format(name=name, names=names), USAGE)
    wanted = name.lower().replace("-", "_")
    near = [full for full in formulas() if wanted in full]
    near = near or difflib.get_close_matches(wanted, formulas(), n=3, cutoff=0.5)
    if not near:
        fail(_("There is no formula {name!r}; `tutor estimate` lists them.").format(name=name), USAGE)
    fail(_("There is no formula {name!r}; did you mean {near}?").format(name=name, near=", ".join(near[:5])), USAGE)


def _texts(formula: Formula, values: tuple[str, ...]) -> dict[str, str]:
    """Return what was typed for each parameter."""
    known = [parameter.name for parameter in formula.parameters]
    texts: dict[str, str] = {}
    for pair in values:
        name, equals, text = pair.partition("=")
        name = name.strip().replace("-", "_")
        if not equals:
            said = _("{pair!r} is not NAME=VALUE; write {example}, for example.")
            fail(said.format(pair=pair, example=f"{known[0]}={pair}"), USAGE)
        if name not in known:
            said = _("{formula} has no parameter {name!r}; it has {known}.")
            fail(said.format(formula=formula.name, name=name, known=", ".join(known)), USAGE)
        if name in texts:
            fail(_("{name} is given twice; give it once.").format(name=name), USAGE)
        texts[name] = text
    return texts


def _read(parameter: Parameter, text: str) -> Value:
    """Return the value of a text, or end with what was wanted."""
    if parameter.choices:
        word = text.strip()
        if word not in parameter.choices:
            said = _("{name} = {word!r} is not one of {choices}.")
            fail(said.format(name=parameter.name, word=word, choices=", ".join(parameter.choices)), USAGE)
        return word == "yes" if parameter.choices == ("yes", "no") else word
    quantity = parse_quantity(text, parameter.quantity.unit)
    if isinstance(quantity, Misread):
        fail(f"{parameter.name}: {quantity.sentence}", USAGE)
    least, most = parameter.quantity.least, parameter.quantity.most
    if not least <= quantity.value <= most:
        bounded = _("{name} = {text} is out of range; it goes from {least:g} to {most:g}.")
        open_above = _("{name} = {text} is out of range; it goes from {least:g}.")
        said = bounded if math.isfinite(most) else open_above
        fail(said.format(name=parameter.name, text=text.strip(), least=least, most=most), USAGE)
    if parameter.whole and not quantity.value.is_integer():
        said = _("{name} = {text} is not whole; count whole ones.")
        fail(said.format(name=parameter.name, text=text.strip()), USAGE)
    return int(quantity.value) if parameter.whole else quantity.value


def _shown(parameter: Parameter, value: Value, texts: Mapping[str, str]) -> str:
    """Return a value as the working writes it: as it was typed, or as the example has it."""
    return texts.get(parameter.name, parameter.example).strip() or str(value)


def _print(
    formula: Formula, shown: Mapping[str, str], texts: Mapping[str, str], result: float, steps: list[Step]
) -> None:
    click.echo(f"{formula.name} = {readable(result, formula.unit)}\n")
    for step in steps:
        name = step.name or formula.name.partition(".")[2]
        click.echo(f"  {name} = {step.formula}\n  {'':<{len(name)}} = {step.numbers}")
    click.echo()
    for parameter in formula.parameters:
        origin = "" if parameter.name in texts else f" [{_('default')}]" if parameter.default else f" [{_('example')}]"
        click.echo(f"  {parameter.name:<20} {shown[parameter.name]:<14} {parameter.meaning}{origin}")
    click.echo(f"\n  {formula.what}\n  {_('Source: {source}').format(source=formula.source)}")


def _document(
    formula: Formula, read: Mapping[str, Value], texts: Mapping[str, str], result: float, steps: list[Step]
) -> dict[str, Any]:
    return {
        "formula": formula.name,
        "what": formula.what,
        "value": result,
        "unit": formula.unit,
        "text": readable(result, formula.unit),
        "parameters": {
            p.name: {"value": read[p.name], "unit": p.quantity.unit, "given": p.name in texts}
            for p in formula.parameters
        },
        "working": [{"name": s.name, "formula": s.formula, "numbers": s.numbers, "value": s.value} for s in steps],
        "source": formula.source,
    }


def _entry(formula: Formula) -> dict[str, Any]:
    return {
        "formula": formula.name,
        "what": formula.what,
        "unit": formula.unit,
        "source": formula.source,
        "parameters": [
            {
                "name": p.name,
                "meaning": p.meaning,
                "unit": p.quantity.unit,
                "example": p.example,
                "choices": list(p.choices),
            }
            for p in formula.parameters
        ],
    }
