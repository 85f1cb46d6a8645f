"""The group of commands. Each is imported when it is called: `tutor due` loads no screen, the screen no report."""

from __future__ import annotations

import importlib
from pathlib import Path

import click

from tutor import __version__
from tutor.cli.context import Common, spoken_errors
from tutor.i18n import LANGUAGES

_COMMANDS = {
    "review": ("tutor.cli.study", "review", "Straight into a sitting."),
    "quiz": ("tutor.cli.study", "quiz", "Take a fixed quiz; its answers are practice."),
    "lab": ("tutor.cli.lab", "lab", "List the experiments, or run one."),
    "explain": ("tutor.cli.explain", "explain", "Where the memory of a training step of your own goes."),
    "estimate": ("tutor.cli.estimate", "estimate", "Compute any formula, with its working and its source."),
    "decks": ("tutor.cli.decks", "decks", "List, check and show decks."),
    "due": ("tutor.cli.figures", "due", "What is due, in counts."),
    "stats": ("tutor.cli.figures", "stats", "Your statistics."),
    "fit": ("tutor.cli.fit", "fit", "Fit the memory model to your own answers."),
    "report": ("tutor.cli.figures", "report", "Write a progress report (.html .md .csv .json)."),
    "doctor": ("tutor.cli.care", "doctor", "Check your data from end to end."),
    "backup": ("tutor.cli.care", "backup", "Write a verified copy of your data."),
}


class Commands(click.Group):
    """A group that lists its commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, in the order of the README."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command asked for."""
        if cmd_name not in _COMMANDS:
            return None
        module, name, _ = _COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands with one sentence each."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, _, words) in _COMMANDS.items()])


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--home", type=click.Path(path_type=Path, file_okay=False), help="Folder of your data (or TUTOR_HOME).")
@click.option("--lang", type=click.Choice(LANGUAGES), help="Language of the decks and of the tutor.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.version_option(__version__, prog_name="tutor")
@click.pass_context
def main(context: click.Context, home: Path | None, lang: str | None, as_json: bool) -> None:
    """Prepare for ML-systems interviews: questions spaced by FSRS, real torch experiments after a miss.

    Without a command the tutor opens at today's screen.
    """
    context.obj = Common(home, lang, as_json)
    if context.invoked_subcommand is None:
        context.obj.speak()
        with spoken_errors():
            from tutor.cli.study import open_today

            open_today(context.obj)
