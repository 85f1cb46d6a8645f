"""The catalogues of the interface: complete, in step with the source, and with the same placeholders."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from string import Formatter

import pytest

from tests import messages
from tutor.i18n import _, ngettext, speak


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """The language spoken is the process's own."""
    yield
    speak("en")


def placeholders(text: str) -> list[tuple[str, str | None, str | None]]:
    """Return the names, formats and conversions a text is filled by."""
    return sorted((name, spec, turn) for _, name, spec, turn in Formatter().parse(text) if name is not None)


@pytest.mark.parametrize("lang", messages.LANGUAGES)
def test_every_marked_text_is_translated_with_the_same_placeholders_and_code(lang: str) -> None:
    """No entry is missing or left over; placeholders and code spans are those of the English text; text is NFC."""
    marked, known = messages.gather(), messages.read(messages.catalogue(lang))
    assert list(known) == list(marked), "run `make messages`"
    for entry, texts in known.items():
        for text in texts:
            assert text.strip(), entry
            assert unicodedata.is_normalized("NFC", text), entry
            assert sorted(set(re.findall("`[^`]*`", text))) == sorted(set(re.findall("`[^`]*`", entry[-1]))), entry
            assert placeholders(text) == placeholders(entry[-1]), entry
            assert (text[0].isspace(), text[-1].isspace()) == (entry[-1][0].isspace(), entry[-1][-1].isspace()), entry


@pytest.mark.parametrize("lang", messages.LANGUAGES)
def test_the_compiled_catalogue_is_the_written_one(lang: str) -> None:
    """`make messages` would change nothing, and gettext reads from the binary file what the text file says."""
    path = messages.catalogue(lang)
    known = messages.read(path)
    assert path.read_text(encoding="utf-8") == messages.written(lang, messages.gather(), known), "run `make messages`"
    assert path.with_suffix(".mo").read_bytes() == messages.compiled(lang, known), "run `make messages`"
    speak(lang)
    for entry, texts in known.items():
        if len(entry) == 1:
            assert _(entry[0]) == texts[0]
        else:
            assert (ngettext(entry[0], entry[1], 1), ngettext(entry[0], entry[1], 2)) == (texts[0], texts[-1])


def test_english_is_what_the_source_says() -> None:
    """Without a catalogue a text is itself, and a count chooses its form."""
    speak("en")
    assert (_("✓ right"), _(""), ngettext("day", "days", 1), ngettext("day", "days", 0)) == (
        "✓ right",
        "",
        "day",
        "days",
    )
