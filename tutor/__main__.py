"""The program from its first line: what the script `tutor` runs, and `python -m tutor`."""

import gc

SELDOM = 50_000
"""Values made before the collector looks for those that hold each other: what a start makes stays, so there is nothing to find."""


def collect_seldom() -> None:
    """Have the collector look seldom."""
    gc.set_threshold(SELDOM, 20, 20)


def main() -> None:
    """Run the command line; its modules are many values that stay, so the collector hears of it before they are loaded."""
    collect_seldom()
    from tutor.cli import main as command

    command()


if __name__ == "__main__":
    main()
