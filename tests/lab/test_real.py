"""The repository's own experiment through the whole lab: real worker, real torch."""

from __future__ import annotations

from tests.lab.conftest import REPOSITORY
from tutor.lab.catalogue import load_catalogue
from tutor.lab.supervisor import Supervisor


async def test_rng_replay_holds_twice_in_one_warm_worker() -> None:
    """Every claim holds, the bet's metric is measured, and a second child of the same worker measures the same."""
    supervisor = Supervisor(REPOSITORY)
    experiment = load_catalogue(REPOSITORY / "experiments")[0]["rng-replay"]
    try:
        results = []
        for _ in range(2):
            run = supervisor.run(experiment, {"p": 0.3})
            types = [message.type async for message in run]
            assert types[0] == "meta" and types[-1] == "done" and "point" in types
            results.append(run.result)
        first, second = results
        assert [claim for claim in first.claims if not claim.passed] == []
        assert (first.ending, first.params["p"]) == ("passed", 0.3)
        assert first.measured(experiment.bets["what-differs"].metric) == "gradients"
        assert first.measures == second.measures
    finally:
        await supervisor.close()
