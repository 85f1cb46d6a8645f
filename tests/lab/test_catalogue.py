"""The catalogue: every experiment there is, without torch, and a broken file costs no other."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.lab.conftest import REPOSITORY, furnish
from tutor.content import kept
from tutor.content.experiments import Catalogue, Experiment
from tutor.content.model import Problem
from tutor.content.passages import passages
from tutor.lab import descriptions
from tutor.lab.catalogue import load_catalogue, why_not


@pytest.fixture(scope="module")
def real() -> Mapping[str, Experiment]:
    """The repository's own experiments."""
    found, problems = load_catalogue(REPOSITORY / "experiments")
    assert problems == ()
    return found


def spoilt(tmp_path: Path, old: str, new: str) -> tuple[Catalogue, tuple[Problem, ...]]:
    """Return the catalogue of two experiments after `old` became `new` in the description of the one named good."""
    experiments = furnish(tmp_path, {"good": "pass", "other": "pass"}) / "experiments"
    file = experiments / "fake" / "good.toml"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    return load_catalogue(experiments)


def test_the_three_experiments_are_there(real: Mapping[str, Experiment]) -> None:
    """Ids that decks rely on are known, each with its module and its script."""
    assert {"checkpoint", "rng-replay", "optimizer-oom"} <= set(real)
    for experiment in real.values():
        assert Path(experiment.source).is_file()
        assert experiment.module.replace(".", "/") in experiment.source


def test_every_default_flip_and_variation_can_be_run(real: Mapping[str, Experiment]) -> None:
    """No parameter set that a description offers is out of its own ranges."""
    for experiment in real.values():
        sets = [experiment.settings({}), *(flip.set for flip in experiment.flips), *experiment.variations]
        assert [fault for settings in sets for fault in experiment.faults(settings)] == []


def test_every_question_has_what_settles_it(real: Mapping[str, Experiment]) -> None:
    """Choice bets, observations and flips have at least two choices; a flip's answer is one, and its bet exists."""
    for experiment in real.values():
        asked = [bet for bet in experiment.bets.values() if bet.kind == "choice"]
        assert all(len(bet.choices) >= 2 and bet.metric for bet in asked)
        assert experiment.observation is not None and len(experiment.observation.choices) >= 2
        assert all(flip.answer in flip.choices and flip.bet in experiment.bets for flip in experiment.flips)


def test_the_bets_that_decks_name_exist(real: Mapping[str, Experiment]) -> None:
    """Bets and choice keys are a contract with the decks."""
    assert set(real["rng-replay"].bets["what-differs"].choices) == {"error", "loss", "gradients", "nothing"}
    assert {"what-changes", "block-calls", "flops-ratio", "saved-ratio"} <= set(real["checkpoint"].bets)
    assert {"where-it-dies", "plain-dies", "what-fits"} <= set(real["optimizer-oom"].bets)
    assert set(real["optimizer-oom"].bets["where-it-dies"].choices) == {"forward", "backward", "step", "fits"}


@pytest.mark.parametrize(
    ("old", "new", "line", "word"),
    [
        ('title = "good"', 'title = "good', 5, "TOML"),
        ('shows = "something"\n', "", 1, "shows"),
        ('kind = "ratio"\n', "", 1, "kind"),
        ('type = "int"\n', "", 1, "type"),
        ("seconds = 0.1", 'seconds = "soon"', 1, "soon"),
    ],
)
def test_a_broken_description_is_reported_and_the_rest_loads(
    tmp_path: Path, old: str, new: str, line: int, word: str
) -> None:
    """The problem names the file and what is wrong; the other experiment is there."""
    found, (problem,) = spoilt(tmp_path, old, new)
    assert list(found) == ["other"]
    assert problem.path.endswith("good.toml") and problem.line == line
    assert word in problem.message


def test_a_language_is_chosen_for_all_experiments_at_once(tmp_path: Path) -> None:
    """What is translated reads otherwise, the rest is English; keys and numbers are the same in every language."""
    experiments = furnish(tmp_path, {"good": "pass", "other": "pass"}) / "experiments"
    base, _ = load_catalogue(experiments)
    (bet,) = (passage for passage in passages(base["good"]) if passage.table == ("bets", "n"))
    (experiments / "fake" / "good.tr.toml").write_text(f'[bets.n]\nof = "{bet.of}"\nquestion = "kaç?"\n')
    turkish, problems = load_catalogue(experiments, "tr")
    assert (list(turkish), problems) == (["good", "other"], ())
    assert turkish["good"].bets["n"] == replace(base["good"].bets["n"], question="kaç?")
    assert turkish["other"] == base["other"] and load_catalogue(experiments, "vi")[0]["good"] == base["good"]


def test_why_not_says_how_to_install_torch(real: Mapping[str, Experiment], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where torch is, nothing stands in the way; where it is not, one sentence says what to type."""
    experiment = real["rng-replay"]
    assert why_not(experiment) == ""
    monkeypatch.setattr("tutor.lab.catalogue.torch_is_here", lambda: False)
    assert "pip install torch" in why_not(experiment)


def test_why_not_says_what_the_platform_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An experiment that starts processes needs a safe fork and a loopback interface; one without needs does not ask."""
    found, _ = spoilt(tmp_path, "concepts = []", 'concepts = []\nneeds = ["fork", "gloo"]')
    ranks, plain = found["good"], found["other"]
    assert (ranks.needs, plain.needs) == (("fork", "gloo"), ())

    def unreachable(*_: object) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr("socket.socket.connect", unreachable)
    assert "loopback" in why_not(ranks) and why_not(plain) == ""
    monkeypatch.setattr("tutor.lab.catalogue.FORKS", False)
    assert "on Linux" in why_not(ranks) and why_not(plain) == ""


def test_the_catalogue_loads_no_torch() -> None:
    """Reading the catalogue and asking what can run imports neither torch, numpy nor asyncio."""
    script = (
        "import sys; from pathlib import Path; from tutor.lab.catalogue import load_catalogue, why_not; "
        "found, _ = load_catalogue(Path('experiments')); [why_not(e) for e in found.values()]; "
        "print(len(found) > 0, sorted({'torch', 'numpy', 'asyncio'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", script], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "True []"


def test_a_second_start_reads_no_description(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The catalogue is kept whole, with its findings, until a file of an experiment changes."""
    monkeypatch.setattr(kept, "SETTLED_NS", -1_000_000_000)
    experiments = furnish(tmp_path, {"good": "pass", "other": "pass"}) / "experiments"

    def start(root: Path) -> tuple[Catalogue, tuple[Problem, ...]]:
        values = kept.Kept(tmp_path / "cache" / f"{root.parent.name}.json")
        found = load_catalogue(root, kept=values)
        values.save()
        return found

    for root in (experiments, REPOSITORY / "experiments"):
        first = start(root)
        with monkeypatch.context() as unread:
            unread.delattr(descriptions, "read_descriptions")
            assert start(root) == first
        assert load_catalogue(root) == first
    (experiments / "fake" / "good.py").unlink()
    assert start(experiments)[1][0].path.endswith("good.toml")
