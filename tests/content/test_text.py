"""The normal form of deck text: one wording has one hash, however the file was saved."""

from __future__ import annotations

import hashlib
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tutor.content.text import code_spans, folded, hash_item, hash_text, normal

words = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=80)


def test_wrapped_lines_are_one_paragraph() -> None:
    """A single line break is where the author's editor wrapped, a blank line is a paragraph."""
    assert normal("\n  one\ntwo \n\n\n three\n") == "one two\n\nthree"


def test_control_characters_are_shown() -> None:
    """A stranger's deck cannot drive the terminal: escapes and direction marks become visible."""
    assert normal("a\x1b[31m b\u202ec") == "a␛[31m b<U+202E>c"


def test_composition_does_not_matter() -> None:
    """Vietnamese typed with combining marks is the same wording as the composed one."""
    composed = "kích hoạt"
    assert normal(unicodedata.normalize("NFD", composed)) == composed


def test_brackets_and_braces_are_literal() -> None:
    """Nothing in a deck is markup: what looks like it stays."""
    text = "x[i] [/INST] mask[mask==0] {N} *b* _i_ $k$"
    assert normal(text) == text


@given(words)
def test_normal_form_is_stable(text: str) -> None:
    """Bringing a text into its form twice changes nothing more."""
    assert normal(normal(text)) == normal(text)


@given(words)
def test_line_ends_do_not_matter(text: str) -> None:
    """LF, CRLF and CR files hold the same words."""
    text = text.replace("\r", "")
    assert normal(text) == normal(text.replace("\n", "\r\n")) == normal(text.replace("\n", "\r"))


def test_hash_of_an_item_by_hand() -> None:
    """Stem, explanation and `key=text` in the order of the keys, joined by U+001F: the first 8 digits of SHA-256."""
    joined = "stem\x1fwhy\x1fa=one\x1fb=two"
    assert hash_item("stem", "why", {"b": "two", "a": "one"}) == hashlib.sha256(joined.encode()).hexdigest()[:8]


@given(words, words)
def test_parts_do_not_flow_together(first: str, second: str) -> None:
    """Moving a word from the stem to the explanation is another wording."""
    assert hash_text(first + "x", second) != hash_text(first, "x" + second)


def test_code_spans_are_counted() -> None:
    """A translation that repeats or loses a span differs, one that reorders does not."""
    assert code_spans("`b` and `a`") == code_spans("`a`, `b`")
    assert code_spans("`a` `a`") != code_spans("`a`")


def test_case_is_folded_as_the_language_has_it() -> None:
    """Turkish has two letters i, each with a capital of its own."""
    assert folded("HİÇBİR IŞIK", "tr") == "hiçbir ışık"
    assert folded("Luôn LUÔN", "vi") == "luôn luôn"
    assert folded("IN", "en") == "in" != folded("IN", "tr")
