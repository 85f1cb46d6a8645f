"""The command line: thin commands that parse, call and print. Data on stdout, narration on stderr.

Exit codes: 0 done, 1 the thing asked about is not in order, 2 usage or settings, 3 an experiment crashed or timed out,
4 impossible on this platform, 130 interrupted.
"""

from tutor.cli.main import main

__all__ = ["main"]
