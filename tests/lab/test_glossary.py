"""What experiments say, as a whole and in parts, in the language spoken."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.languages import english_in
from tests.messages import PHRASES
from tutor.i18n import speak
from tutor.lab.glossary import said, template
from tutor.paths import resources


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """The language spoken is the process's own."""
    yield
    speak("en")


@pytest.mark.parametrize(
    ("text", "vietnamese"),
    [
        ("saved, plain", "đã lưu, thường"),
        ("blocks in 36 segments", "các khối chia 36 đoạn"),
        ("peak, FSDP2 + bf16 below FSDP2", "đỉnh, FSDP2 + bf16 thấp hơn FSDP2"),
        ("evaluation, cured: dies", "đánh giá, đã chữa: chết ở"),
        ("gradient_error", "sai số gradient"),
        ("AdamW, fp32", "AdamW, fp32"),
        ("mat1 64x256", "mat1 64x256"),
        ("#7 new", "#7 mới"),
        (
            "In units of tokens·batch·width: 128.1 bytes here, 114 in the paper.",
            "Theo đơn vị token·batch·width: ở đây 128.1 byte, trong bài báo 114.",
        ),
    ],
)
def test_a_name_is_said_in_parts(text: str, vietnamese: str) -> None:
    """Numbers stay where they are, separators too; identifiers and terms stay as they are, and English is what was said."""
    assert said(text) == text
    speak("vi")
    assert said(text) == vietnamese


@pytest.mark.parametrize("lang", ["vi", "tr"])
@pytest.mark.parametrize(
    "refusal",
    [
        "width 65 does not split into 4 heads; choose a multiple of 4.",
        "A step of this size takes 12.5 GFLOP and a run is kept to 8; choose fewer layers or tokens, or a smaller width, batch or vocabulary.",
        "The peaks of two phases lie within 5 %: forward, optimizer; choose another optimizer or model, or more tokens.",
        "At the peak two categories lie within 5 %: activations, parameters; choose another optimizer or model, or more tokens.",
        "/tmp/mine.py:6: model() raised TypeError: x; mend that line and try again.",
        "/tmp/mine.py:1: batch() is missing; define a function batch() that returns the model's inputs.",
        "/tmp/mine.py: model() returned an object of type dict; return an nn.Module.",
        "/tmp/mine.py: the step uses a tensor made while the file was imported; make it inside model() or batch().",
    ],
)
def test_a_refusal_says_no_english(lang: str, refusal: str) -> None:
    """Its reason and its remedy; Python's own words and names stay."""
    speak(lang)
    assert english_in(said(refusal).replace("dict", "").replace("TypeError", ""), lang) == set()


@pytest.mark.parametrize("lang", ["vi", "tr"])
def test_no_experiment_turns_a_run_down_in_english(lang: str) -> None:
    """Each refusal in the sources, with a number wherever one is put in; ranges are refused before an experiment is asked."""
    refusals = [text for path in resources("experiments").glob("*/*.py") for text in _refusals(path)]
    assert len(refusals) > 20
    speak(lang)
    assert {text: left for text in refusals if (left := english_in(said(text), lang))} == {}


def _refusals(path: Path) -> Iterator[str]:
    """Yield what a file's functions raise Refused with, names of sentences written out."""
    for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        sentences: dict[str, str] = {}
        lines = sorted(
            (node for node in ast.walk(function) if isinstance(node, ast.stmt)), key=lambda node: node.lineno
        )
        for node in lines if isinstance(function, ast.FunctionDef) else []:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                sentences[node.targets[0].id] = _written_out(node.value, sentences)
            elif isinstance(node, ast.Raise) and _raises_refused(node.exc):
                assert isinstance(node.exc, ast.Call)
                yield _written_out(node.exc.args[0], sentences)


def _raises_refused(raised: ast.expr | None) -> bool:
    called = raised.func if isinstance(raised, ast.Call) else None
    return isinstance(called, ast.Name) and called.id == "Refused"


def _written_out(node: ast.expr, sentences: Mapping[str, str]) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_written_out(part, sentences) for part in parts)
        case ast.FormattedValue(value=ast.Name(id=name)):
            return sentences.get(name, "7")
    return "7"


def test_every_phrase_is_in_the_form_that_is_looked_up() -> None:
    """With letters for numbers, in order and once; otherwise it would never be found."""
    phrases = PHRASES.read_text(encoding="utf-8").splitlines()
    assert phrases == sorted(set(phrases))
    assert [phrase for phrase in phrases if template(phrase) != phrase] == []
