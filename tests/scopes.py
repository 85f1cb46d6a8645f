"""Which tests run in one process, one after the other, where several processes share them."""

from __future__ import annotations

import re

from xdist.scheduler import LoadScopeScheduling

_EVERY = re.compile(r"(tests/experiments/test_)every\.py::Test_(\w+)::")


class ByExperiment(LoadScopeScheduling):
    """By module and class; what `test_every.py` asks of an experiment goes with the experiment's own tests, for the run that they share."""

    def _split_scope(self, nodeid: str) -> str:
        found = _EVERY.match(nodeid)
        return f"{found[1]}{found[2]}.py" if found else super()._split_scope(nodeid)
