"""The interface's catalogues: gathers the marked texts, keeps the .po files in step with them, compiles the .mo files.

`python -m tests.messages` does all three; entries without a text come first to the eye with `python -m tests.messages missing`.
"""

from __future__ import annotations

import ast
import re
import struct
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tutor.i18n import LOCALE

Entry = tuple[str, ...]
"""A text, or the forms of a text that counts."""
Catalogue = dict[Entry, Entry]
"""Marked text (or singular and plural) -> its translations; empty strings where there is none yet."""
LANGUAGES = {"vi": ("Vietnamese", "nplurals=1; plural=0;"), "tr": ("Turkish", "nplurals=2; plural=(n != 1);")}
PHRASES = LOCALE.parent.parent / "experiments" / "words.txt"
"""What experiments say (`tutor.lab.glossary`), a phrase a line."""
MARKS = {"_": 1, "marked": 1, "ngettext": 2}
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def gather() -> dict[Entry, list[str]]:
    """Return every marked text with the files it stands in, in the order of the files."""
    found: dict[Entry, list[str]] = {}
    for path in sorted([*LOCALE.parent.rglob("*.py"), *LOCALE.parent.rglob("*.j2")]):
        text = path.read_text(encoding="utf-8")
        for entry in _marked(ast.parse(text)) if path.suffix == ".py" else _in_template(text):
            files = found.setdefault(entry, [])
            name = path.relative_to(LOCALE.parent.parent).as_posix()
            if name not in files:
                files.append(name)
    for phrase in PHRASES.read_text(encoding="utf-8").splitlines():
        found.setdefault((phrase,), []).append("experiments/words.txt")
    return found


def _marked(tree: ast.AST) -> Iterator[Entry]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        texts = [a.value for a in call.args[: MARKS.get(name, 0)] if isinstance(a, ast.Constant)]
        if texts and all(isinstance(text, str) for text in texts):
            yield tuple(map(str, texts))


def _in_template(text: str) -> Iterator[Entry]:
    for quoted in re.findall(r"""\b_\(("(?:[^"\\]|\\.)*")\)""", text):
        yield (ast.literal_eval(quoted),)


def catalogue(lang: str) -> Path:
    """Return where a language's .po file lies."""
    return LOCALE / lang / "LC_MESSAGES" / "tutor.po"


def read(path: Path) -> Catalogue:
    """Return the entries of a .po file without its header."""
    entries: Catalogue = {}
    ids: list[str] = []
    texts: list[str] = []
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        keyword, _, quoted = line.partition(" ")
        if keyword in ("msgid", "msgid_plural"):
            ids.append(ast.literal_eval(quoted))
        elif keyword.startswith("msgstr"):
            texts.append(ast.literal_eval(quoted))
        elif not line and ids:
            if ids != [""]:
                entries[tuple(ids)] = tuple(texts)
            ids, texts = [], []
    return entries


def written(lang: str, marked: Mapping[Entry, list[str]], known: Catalogue) -> str:
    """Return a .po file: a header, then every marked text with what is known of it."""
    name, plural = LANGUAGES[lang]
    forms = int(plural.split("=")[1][0])
    lines = [
        f"# {name} words of the interface.",
        "# Not yet reviewed by a native speaker.",
        'msgid ""',
        f"msgstr {_quoted(_header(lang))}",
    ]
    for entry, files in marked.items():
        lines += ["", f"#: {' '.join(files)}"]
        if any("{" in text for text in entry):
            lines.append("#, python-brace-format")
        if len(entry) == 1:
            lines += [f"msgid {_quoted(entry[0])}", f"msgstr {_quoted(known.get(entry, ('',))[0])}"]
        else:
            texts = known.get(entry, ("",) * forms)
            lines += [f"msgid {_quoted(entry[0])}", f"msgid_plural {_quoted(entry[1])}"]
            lines += [f"msgstr[{n}] {_quoted(text)}" for n, text in enumerate(texts)]
    return "\n".join(lines) + "\n"


def compiled(lang: str, entries: Catalogue) -> bytes:
    """Return the .mo file of a catalogue; what has no translation is left out, so that English shows."""
    pairs = {b"": _header(lang).encode()}
    pairs |= {"\0".join(ids).encode(): "\0".join(texts).encode() for ids, texts in entries.items() if all(texts)}
    keys = sorted(pairs)
    count, tables = len(keys), 28
    at = tables + 16 * count
    spans: list[bytes] = []
    for group in (keys, [pairs[key] for key in keys]):
        for text in group:
            spans.append(struct.pack("<II", len(text), at))
            at += len(text) + 1
    head = struct.pack("<7I", 0x950412DE, 0, count, tables, tables + 8 * count, 0, 0)
    return head + b"".join(spans) + b"".join(text + b"\0" for text in [*keys, *(pairs[key] for key in keys)])


def _header(lang: str) -> str:
    return (
        f"Language: {lang}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
        f"Content-Transfer-Encoding: 8bit\nPlural-Forms: {LANGUAGES[lang][1]}\n"
    )


def _quoted(text: str) -> str:
    return '"' + "".join(_ESCAPES.get(c, c) for c in text) + '"'


def main() -> None:
    """Bring every catalogue in step with the source and compile it, or print what has no translation."""
    marked = gather()
    for lang in LANGUAGES:
        path = catalogue(lang)
        known = read(path) if path.exists() else {}
        if sys.argv[1:] == ["missing"]:
            print(*(f"{lang} {entry}" for entry in marked if not all(known.get(entry, ("",)))), sep="\n")
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written(lang, marked, known), encoding="utf-8")
        path.with_suffix(".mo").write_bytes(compiled(lang, read(path)))


if __name__ == "__main__":
    main()
