"""What experiments say, as a whole and in parts, in the language spoken."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.languages import english_in
from tests.messages import PHRASES
from tutor.i18n import speak
from tutor.lab.glossary import said, template


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


def test_every_phrase_is_in_the_form_that_is_looked_up() -> None:
    """With letters for numbers, in order and once; otherwise it would never be found."""
    phrases = PHRASES.read_text(encoding="utf-8").splitlines()
    assert phrases == sorted(set(phrases))
    assert [phrase for phrase in phrases if template(phrase) != phrase] == []
