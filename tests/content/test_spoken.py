"""Experiments in another language: passage by passage where the translation is fresh, else English, and said to the author."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tutor.content.experiments import Bet, Experiment, Flip, Observation, Parameter, untranslated
from tutor.content.model import Problem
from tutor.content.passages import passages
from tutor.content.spoken import check_experiments, overlay_path, spoken, translate_experiment

ENGLISH = Experiment(
    id="masks", version=1, title="Masks", question="What differs?", shows="Gradients differ.", family="fake",
    module="", concepts=(), myths=(), seconds=1.0, explanation="Another mask, `rng_state` lost.",
    parameters={"p": Parameter("p", "float", 0.5, "share dropped"), "n": Parameter("n", "int", 1)},
    bets={"what": Bet("what", "choice", "Your bet?", "what", {"loss": "the loss", "grad": "gradients"})},
    observation=Observation("What did you see?", "what", {"loss": "the loss", "grad": "gradients"}),
    flips=(Flip("what", {"p": 0.1}, "And with 0.1?", {"loss": "the loss", "grad": "gradients"}, "grad", "The same."),),
)  # fmt: skip
TURKISH = """schema = 1
experiment = "masks"
lang = "tr"

[about]
of = "{about}"
title = "Maskeler"
question = "Ne değişir?"
shows = "Gradyanlar değişir."
explanation = "Başka bir maske, `rng_state` yitti."

[parameters.p]
of = "{p}"
title = "atılan pay"

[bets.what]
of = "{bet}"
question = "Bahsiniz?"
choices.loss = "kayıp"
choices.grad = "gradyanlar"

[observation]
of = "{seen}"
question = "Ne gördünüz?"
choices.loss = "kayıp"
choices.grad = "gradyanlar"

[[flips]]
of = "{flip}"
question = "Ya 0.1 ile?"
why = "Aynısı."
choices.loss = "kayıp"
choices.grad = "gradyanlar"
"""


@pytest.fixture
def masks(tmp_path: Path) -> Experiment:
    """An experiment on disk with a whole and fresh overlay."""
    experiment = replace(ENGLISH, source=str(tmp_path / "masks.py"))
    hashes = dict(zip(("about", "p", "bet", "seen", "flip"), (one.of for one in passages(experiment)), strict=True))
    overlay_path(experiment, "tr").write_text(TURKISH.format_map(hashes), encoding="utf-8")
    return experiment


def spoil(experiment: Experiment, old: str, new: str) -> list[Problem]:
    """Replace the first place that reads `old`; return what the check says."""
    path = overlay_path(experiment, "tr")
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return check_experiments({"masks": experiment}, ["tr"])


def test_every_text_is_translated_and_nothing_else(masks: Experiment) -> None:
    """Title, question, promise, explanation, titles of parameters, bets, observation and flips; no key, id or number."""
    turkish = translate_experiment(masks, "tr")
    assert (turkish.title, turkish.shows, turkish.parameters["p"].title) == (
        "Maskeler",
        "Gradyanlar değişir.",
        "atılan pay",
    )
    choices = {"loss": "kayıp", "grad": "gradyanlar"}
    assert turkish.bets["what"].choices == turkish.flips[0].choices == choices
    assert turkish.observation == Observation("Ne gördünüz?", "what", choices)
    assert (turkish.flips[0].why, turkish.flips[0].answer, turkish.flips[0].set) == ("Aynısı.", "grad", {"p": 0.1})
    assert replace(turkish.parameters["p"], title="share dropped") == masks.parameters["p"]
    assert turkish.parameters["n"] == masks.parameters["n"] and turkish.source == masks.source
    assert check_experiments({"masks": masks}, ["tr", "vi"]) == []


def test_a_stale_passage_is_english_and_the_rest_is_not(masks: Experiment) -> None:
    """An English text that changed is shown as it is now; what did not change stays translated."""
    changed = replace(
        masks,
        explanation=masks.explanation.replace("lost", "gone"),
        parameters=masks.parameters | {"p": replace(masks.parameters["p"], title="share that is dropped")},
        bets={"what": replace(masks.bets["what"], question="What do you bet?")},
    )
    shown = translate_experiment(changed, "tr")
    assert (shown.title, shown.explanation) == (changed.title, changed.explanation)
    assert shown.parameters["p"] == changed.parameters["p"] and shown.bets == changed.bets
    assert shown.flips == translate_experiment(masks, "tr").flips
    problems = check_experiments({"masks": changed}, ["tr"])
    assert ["is stale" in problem.message and problem.severity == "error" for problem in problems] == [True] * 3


@pytest.mark.parametrize(
    ("old", "new", "words", "rule"),
    [
        ("`rng_state`", "`rng_durumu`", "code spans of explanation", "E7"),
        ('choices.loss = "kayıp"\n', "", "has no choices.loss", "W9"),
        ('title = "Maskeler"', 'title = ""', "has no title", "W9"),
        ('title = "atılan pay"', "title = 3", "has no title", "W9"),
        ('shows = "', 'show = "', "has no shows", "W9"),
        ("[parameters.p]", "[parameters.q]", "parameters.q", "W9"),
        ("[bets.what]", "[[bets]]", "bets.", "W9"),
        ('lang = "tr"', 'lang = "vi"', "lang is 'vi'", ""),
        ('[[flips]]\nof = "', '[[flips]]\nof = "0', "translates nothing", "W9"),
        ('title = "Maskeler"', 'title = "', "not TOML", ""),
    ],
)
def test_what_the_author_is_told(masks: Experiment, old: str, new: str, words: str, rule: str) -> None:
    """Each fault is named in the overlay, with what to do; the learner reads English there."""
    problems = spoil(masks, old, new)
    assert any(words in problem.message and problem.rule == rule for problem in problems), problems
    assert {problem.path for problem in problems} == {str(overlay_path(masks, "tr"))}
    assert translate_experiment(masks, "tr") != translate_experiment(masks, "vi") or "TOML" in words


def test_what_is_missing_is_a_warning(masks: Experiment) -> None:
    """A passage without a translation is shown in English, and the hash to be written is said."""
    path = overlay_path(masks, "tr")
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: text.index("[[flips]]")], encoding="utf-8")
    (problem,) = check_experiments({"masks": masks}, ["tr"])
    *_, flip = passages(masks)
    assert problem.severity == "warning" and flip.of in problem.message
    assert translate_experiment(masks, "tr").flips == masks.flips


def test_an_overlay_is_opened_when_its_experiment_is_looked_at(
    masks: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counting, listing and asking for an id read no file; looking at one reads it once."""
    opened: list[str] = []
    monkeypatch.setattr("tutor.content.spoken.translate_experiment", lambda one, lang: opened.append(one.id) or one)
    catalogue = spoken({"masks": masks, "other": masks}, "tr")
    assert (
        len(catalogue) == 2 and list(catalogue) == ["masks", "other"] and "masks" in catalogue and "no" not in catalogue
    )
    assert untranslated(catalogue)["masks"] is masks and untranslated({"masks": masks}) == {"masks": masks}
    assert opened == []
    assert catalogue["masks"] is catalogue.get("masks") and catalogue.get("no") is None
    assert opened == ["masks"]
    assert spoken({"masks": masks}, "en") == {"masks": masks}
