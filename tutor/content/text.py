"""The normal form of deck text and the hash that names a wording.

The same words give the same hash whether the file came with LF or CRLF, with a byte order mark or without, composed or not.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping

from tutor.visible import visible

_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_BREAK = re.compile(r"[ \t]*\n[ \t]*")
_PLAIN = re.compile(r"[ -~]*")
"""One line of printable ASCII, which is normal but for its ends."""
_CODE = re.compile(r"`([^`]*)`")


def normal(text: str) -> str:
    """Return text as it is shown and hashed: NFC, wrapped lines joined, paragraphs kept, control characters visible."""
    if _PLAIN.fullmatch(text):
        return text.strip()
    paragraphs = _PARAGRAPH.split(unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")).strip())
    return visible("\n\n".join(_BREAK.sub(" ", paragraph).strip() for paragraph in paragraphs))


def folded(text: str, lang: str) -> str:
    """Return text for comparing words within one language, without case: in Turkish I is the capital of ı, and İ that of i."""
    return (text.replace("İ", "i").replace("I", "ı") if lang == "tr" else text).casefold()


def hash_text(*parts: str) -> str:
    """Return the first 8 hex digits of SHA-256 over the parts joined by U+001F."""
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:8]


def hash_item(stem: str, why: str, options: Mapping[str, str]) -> str:
    """Return the hash of an item's wording: stem, explanation, and `key=text` of each option in the order of the keys."""
    return hash_text(stem, why, *(f"{key}={options[key]}" for key in sorted(options)))


def code_spans(text: str) -> tuple[str, ...]:
    """Return the texts between backticks, sorted: what no translation may change."""
    return tuple(sorted(_CODE.findall(text)))
