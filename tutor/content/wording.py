"""Words by which a question gives itself away or breaks when its options are shuffled, in each language of the decks."""

from __future__ import annotations

import re

from tutor.content.text import folded

ABSOLUTE: dict[str, tuple[str, ...]] = {
    "en": (
        "only", "never", "always", "all", "every", "exactly", "guarantees", "guaranteed", "entirely", "completely", "none", "must",
    ),
    "vi": ("luôn luôn", "luôn", "tất cả", "không bao giờ", "hoàn toàn", "tuyệt đối"),
    "tr": ("asla", "her zaman", "daima", "bütün", "tamamen", "hiçbir", "kesinlikle"),
}  # fmt: skip
"""Words that give a wrong option away."""
BY_PLACE = {
    "en": re.compile(r"\b[Oo]ption [A-E1-5]\b|\b[Tt]he (first|second|third|fourth|last) option\b"),
    "vi": re.compile(r"\b([Pp]hương án|[Đđ]áp án|[Ll]ựa chọn) ([A-E1-5]|đầu tiên|thứ (nhất|hai|ba|tư)|cuối( cùng)?)\b"),
    "tr": re.compile(r"\b[A-E1-5] (seçeneği|şıkkı)\w*|\b([İi]lk|[İi]kinci|[Üü]çüncü|[Dd]ördüncü|[Ss]on) (seçenek|şık)"),
}
"""What speaks of an option by its place."""
ALL_OF = {
    "en": re.compile(r"\b(all|none) of the (above|others)\b|\bboth [A-Da-d] and [A-Da-d]\b", re.IGNORECASE),
    "vi": re.compile(r"\b(tất cả|không)( có)?( các)? (phương án|đáp án|ý|câu)( nào)? (ở )?trên\b|\bcả [A-D] và [A-D]\b", re.IGNORECASE),
    "tr": re.compile(r"\byukarıdakilerin (hepsi|tümü|hiçbiri)|\b(hepsi|hiçbiri)$|\bhem [A-D] hem( de)? [A-D]\b", re.IGNORECASE),
}  # fmt: skip
"""Options that stand for all others, or for none."""
NEGATED = {
    "vi": re.compile(r"\b(không đúng|không phải|ngoại trừ)\b[^.?]*\?", re.IGNORECASE),
    "tr": re.compile(r"\b(değildir|değil|hariç)\b[^.?]*\?", re.IGNORECASE),
}
ASKS_WHICH = re.compile(r"\b(nào|hangisi|hangileri)\b", re.IGNORECASE)
MAX_STEM_WORDS = 60
MAX_OPTION = 120
"""Characters of an option that fit one and a half lines of a terminal."""


def absolute(text: str, lang: str) -> str | None:
    """Return the first absolute word of a text, or None."""
    words = folded(text, lang)
    return next((word for word in ABSOLUTE[lang] if re.search(rf"(?<!\w){word}(?!\w)", words)), None)
