"""How a run ended: its word, its one sentence, and what it had shown by then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tutor.content.experiments import Experiment
from tutor.content.model import Scalar
from tutor.content.runs import Claim, Measure, Prediction, RunResult
from tutor.i18n import _, marked
from tutor.lab import glossary
from tutor.lab.messages import Message

REFUSED, OUT_OF_MEMORY, NO_TORCH, OLD_TORCH = 10, 12, 13, 14
"""Exit codes of a child, as `experiments/worker.py` sets them."""
SENTENCES = {
    "timeout": marked("The run took longer than {limit:g} s and was stopped."),
    "cancelled": marked("The run was stopped."),
    "memory": marked("The run needed more memory than it may use, and was stopped by its limit."),
    "flooded": marked("The run wrote more than it may and was stopped."),
}


NOT_SHOWN = marked("A claim was not shown on this machine.")
"""The one sentence of a run that came to its end, and so is written down with it: in English, to be translated where it is shown."""
_ENDINGS = {
    "passed": marked("passed"),
    "failed": marked("failed"),
    "timeout": marked("timeout"),
    "cancelled": marked("cancelled"),
    "memory": marked("memory"),
    "flooded": marked("flooded"),
    "refused": marked("refused"),
    "unavailable": marked("unavailable"),
    "killed": marked("killed"),
    "crashed": marked("crashed"),
}


def ending_words(ending: str) -> str:
    """Return the ending of a run in a few words."""
    return _(_ENDINGS[ending])


def judge(code: int | None, passed: bool | None, last_words: str, experiment: Experiment) -> tuple[str, str]:
    """Return the ending and its sentence, from a child's exit code, what its `done` said, and the last line of stderr."""
    if code == 0 and passed is not None:
        return ("passed", "") if passed else ("failed", NOT_SHOWN)
    if code == REFUSED:
        return "refused", glossary.said(last_words)
    if code == OUT_OF_MEMORY:
        return "memory", _(SENTENCES["memory"])
    if code == NO_TORCH:
        return "unavailable", missing_sentence(experiment, "torch")
    if code == OLD_TORCH:
        said = _("This torch has not what {experiment} needs ({missing}); a newer one brings it.")
        return "unavailable", said.format(experiment=experiment.id, missing=last_words)
    if code is not None and code < 0:
        said = _("The run was killed by signal {signal}, perhaps by the system for its memory.")
        return "killed", said.format(signal=-code)
    return "crashed", _("The run crashed: {words}.").format(words=last_words or _("it ended without a word"))


def summary(
    experiment: Experiment,
    params: Mapping[str, Scalar],
    heard: Sequence[Message],
    ending: str,
    sentence: str,
    seconds: float,
) -> RunResult:
    """Return what a run showed, however it ended."""
    meta: Mapping[str, Any] = next((m.fields for m in heard if m.type == "meta"), {})
    return RunResult(
        ending=ending,
        sentence=sentence,
        seconds=round(seconds, 3),
        version=int(meta.get("version", experiment.version)),
        torch=str(meta.get("torch", "")),
        device=str(meta.get("device", "")),
        params=meta.get("params", experiment.settings(params)),
        predictions=tuple(Prediction(**_only(m, "name op value unit source")) for m in heard if m.type == "prediction"),
        measures=tuple(Measure(**_only(m, "name value unit instrument")) for m in heard if m.type == "measure"),
        claims=tuple(Claim(**_only(m, "name left op right passed")) for m in heard if m.type == "claim"),
    )


def missing_sentence(experiment: Experiment, module: str) -> str:
    """Return what to do where a module is missing."""
    said = _("{experiment} needs {module}, which is not installed; `pip install {module}` brings it.")
    return said.format(experiment=experiment.id, module=module)


def _only(message: Message, names: str) -> dict[str, Any]:
    return {name: message.fields[name] for name in names.split() if name in message.fields}
