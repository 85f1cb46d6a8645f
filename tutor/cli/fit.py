"""`tutor fit`: fit the memory model to your own log, and say what that did."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from tutor.cli.context import NOT_IN_ORDER, USAGE, Common, common, fail, print_json
from tutor.i18n import _

if TYPE_CHECKING:
    from tutor.learning.fit import Progress


@click.command()
@click.option("--dry-run", is_flag=True, help="Say what would be done and keep the parameters.")
@click.option("--undo", is_flag=True, help="Put back the parameters that were in use before the last fit.")
@common
def fit(shared: Common, dry_run: bool, undo: bool) -> None:
    """Fit the memory model to your own answers.

    The new parameters are taken into use only if, fitted to the first four fifths of your log, they predict the last fifth better than
    the present ones. Due days you were shown stand until you answer again; `tutor fit --undo` puts the old set back.
    """
    if undo and dry_run:
        fail(_("--undo and --dry-run do not go together."), USAGE)
    if undo:
        _undo(shared)
        return
    from tutor.study.fitting import STOPPED, adopt
    from tutor.study.verdict import document, fit_log, words

    with shared.desk(read_only=dry_run) as desk:
        try:
            verdict = fit_log(desk.store, _progress if sys.stderr.isatty() else None)
        except KeyboardInterrupt:
            fail(_(STOPPED), 130)
        finally:
            if sys.stderr.isatty():
                click.echo("\r\033[K", nl=False, err=True)
        adopted = not dry_run and adopt(desk, verdict)
    if shared.json:
        print_json({"adopted": adopted, **document(verdict)})
        return
    for line in words(verdict):
        click.echo(line)
    if adopted:
        click.echo(_("In use from now on; `tutor fit --undo` puts the old set back."))
    elif verdict.better:
        click.echo(_("Nothing was changed; `tutor fit` takes the new set into use."))


def _undo(shared: Common) -> None:
    from tutor.study.fitting import take_back

    with shared.desk() as desk:
        taken = take_back(desk)
    if shared.json:
        print_json({"undone": taken.undone if taken else None, "present": taken.present if taken else None})
    elif taken:
        said = _("{undone} was taken back; {present} is in use again.")
        click.echo(said.format(undone=taken.undone, present=taken.present))
    else:
        click.echo(_("No fit is in use; there is nothing to take back."), err=True)
    raise SystemExit(0 if taken else NOT_IN_ORDER)


def _progress(progress: Progress) -> None:
    stage = _("checking on the first four fifths") if progress.stage == "check" else _("fitting the whole log")
    said = _("{stage}, iteration {iteration}, log loss {loss:.4f}")
    told = said.format(stage=stage, iteration=progress.iteration, loss=progress.log_loss)
    click.echo(f"\r{told} ", nl=False, err=True)
