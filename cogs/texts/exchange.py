"""Exchange of a translation with programs for translators, as a PO file of gettext.

``python -m cogs.texts export --po cs`` writes all texts of a language beside the English ones, and ``import`` puts an
edited file back into the TOML files, of which only the changed texts change. The *context* of an entry identifies it:

- ``error.stale`` is a sentence by its key; one with plural forms is a single entry with several translations;
- ``story.bazaar_opened(count=few)`` is the form of a sentence for these values;
- ``akk.feature.city`` is a phrase in a grammatical form of the language, here ``akk``;
- ``rulebook/castles/CA-02/text`` is a text of the rule book by its place.

A sentence has the forms that the translation gives it, so the entries of two languages may differ. A form that a
language has for itself alone is added in its TOML file.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeAlias

import tomlkit
from babel.core import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from cogs.texts import OTHER_FILES, catalogue
from cogs.texts.catalogue import BY, COUNT, OTHER, PLURAL_CATEGORIES, Branching, Catalogue, Sentence
from cogs.texts.check import max_length, max_rule_book_length, missing_forms
from cogs.texts.languages import LANGUAGE
from cogs.texts.rule_book import english_texts, merged_path, nested_values

Place: TypeAlias = tuple[str, ...]
"""The names of the nested tables that lead to a text; in the rule book `IN_RULE_BOOK` and the file come first."""
HOME: Final = Path(__file__).parent
"""The folder of all languages."""
RULE_BOOK: Final = "rulebook"
"""The folder of a rule book."""
IN_RULE_BOOK: Final = "rulebook/"
"""The first part of the places of texts in the rule book; a group of sentences has the name without the stroke."""
NEW_FILE: Final = "z-new.toml"
"""The file of a language for imported texts whose group is in none of its files."""
FIRST_KEYS: Final = HOME / "first-keys.txt"
"""The file with the keys of the sentences that players read most often, one a line."""
_GROUP: Final = re.compile(r"((?:^#.*\n)+)\[([^\]\n]+)\]$", re.MULTILINE)
"""The comment above a table of the English texts, and the name of the table."""
_HEAD: Final = re.compile(r"(?:# .*\n)+")
"""The first paragraph of the comment with which a file begins."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A text as translators see it."""

    context: str
    english: tuple[str, ...]
    """The English text, or its singular and its plural."""
    places: tuple[Place, ...]
    """The place of the translation, or those of its plural forms in the order of gettext."""
    notes: tuple[str, ...] = ()
    """Comments for translators."""
    by: tuple[str, ...] = ()
    """The values that select the form of a sentence, if the language has to name them yet."""

    @property
    def key(self) -> str:
        """The key of its sentence."""
        return self.context.partition("(")[0]


def export_texts(language: str, file: Path, *, home: Path = HOME) -> int:
    """Write all texts of a language as a PO file, those that are read most often first; return their number."""
    texts = _TextFiles(home, language).texts
    first = {key: number for number, key in enumerate(FIRST_KEYS.read_text(encoding="utf-8").splitlines())}
    listed = sorted(entries(language), key=lambda entry: first.get(entry.key, len(first)))
    messages = Catalog(language, project="Castellan", charset="utf-8", fuzzy=False)
    for entry in listed:
        translations = tuple(texts.get(place, "") for place in entry.places)
        is_counted = len(entry.english) > 1
        messages.add(
            entry.english if is_counted else entry.english[0],
            translations if is_counted else translations[0],
            context=entry.context,
            auto_comments=entry.notes,
            flags={"python-brace-format"} if "{" in entry.english[0] else (),
        )
    with file.open("wb") as target:
        write_po(target, messages, width=0)
    return len(listed)


def import_texts(language: str, file: Path, *, home: Path = HOME) -> list[str]:
    """Put the translations of a PO file into the TOML files of a language.

    Untranslated and fuzzy entries are left out. Return a line for each changed text and for each unknown entry.
    """
    messages = _read(file)
    known = {entry.context: entry for entry in entries(language)}
    files, lines = _TextFiles(home, language), list[str]()
    for message in messages:
        if not message.context or message.fuzzy:
            continue
        entry = known.get(message.context)
        if entry is None:
            lines.append(f"{message.context}: unknown, left out")
            continue
        for place, text in zip(entry.places, _texts_of(message), strict=True):
            if text and files.put(place, text):
                lines.append(f"{entry.context}: {text}")
                if entry.by:
                    files.put((*entry.key.split("."), BY), " ".join(entry.by))
    files.save()
    return lines


def language_of(file: Path) -> str:
    """Return the code of the language that a PO file names; an empty string if it names none."""
    return str(_read(file).locale_identifier or "")


def _texts_of(message: Message) -> tuple[str, ...]:
    """Return the translation of an entry, or its plural forms."""
    texts = message.string or ""
    return (texts,) if isinstance(texts, str) else tuple(texts)


def _read(file: Path) -> Catalog:
    """Read a PO file."""
    with file.open("rb") as source:
        return read_po(source)


# -- entries ----------------------------------------------------------------------------------------------------------


def entries(language: str) -> Iterator[Entry]:
    """Yield all texts that a language has or lacks: sentences, their grammatical forms, the rule book."""
    english, translation = catalogue(), catalogue(language)
    groups, files = _group_notes(), _file_notes()
    for key, original in english.sentences.items():
        notes = (*groups.get(key, ()), *_length_note(max_length(key)))
        yield from _entries_of(key, original, translation, notes)
    inflected = [key for key in translation.sentences if key.partition(".")[0] in translation.forms]
    for key in dict.fromkeys([*inflected, *missing_forms(english.sentences, translation)]):
        form, _, base = key.partition(".")
        notes = (f"form {form}: {translation.forms[form]}", *groups.get(base, ()))
        yield from _entries_of(key, english.sentences[base], translation, notes)
    for place, text in english_texts():
        notes = (*files[place[0]], *_length_note(max_rule_book_length(place)))
        yield Entry(IN_RULE_BOOK + "/".join(place), (text,), ((IN_RULE_BOOK, *place),), notes)


def _entries_of(key: str, original: Sentence, translation: Catalogue, notes: tuple[str, ...]) -> Iterator[Entry]:
    """Yield the entries of a sentence, in the forms that the translation gives it; if it lacks it, in English ones."""
    place, categories = tuple(key.split(".")), plural_order(translation.language)
    by, forms = _forms_of(translation.sentences.get(key, original))
    if key not in translation.sentences:
        forms = [form for form in forms for form in _in_categories(form, forms, categories)]
    if isinstance(original, dict) and by == (COUNT,) and {*forms} == {(name,) for name in categories}:
        english = original["one"], original[OTHER]
        yield Entry(key, english, tuple((*place, name) for name in categories), notes)
        return
    new_by = by if isinstance(original, Branching) and key not in translation.sentences else ()
    for form in dict.fromkeys(forms):
        chosen = dict(zip(by, form, strict=True))
        values = ", ".join(f"{name}={branch}" for name, branch in chosen.items())
        context = f"{key}({values})" if chosen else key
        yield Entry(context, (_selected(original, chosen),), ((*place, *form),), notes, new_by)


def _forms_of(sentence: Sentence) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the names of the values that select a form of a sentence, and its forms by these values."""
    match sentence:
        case str():
            return (), [()]
        case Branching(by=by, forms=forms):
            return by, list(forms)
        case _:
            return (COUNT,), [(category,) for category in sentence]


def _in_categories(
    form: tuple[str, ...], forms: list[tuple[str, ...]], categories: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    """Yield an English form as another language has it: a plural category becomes all of that language's."""
    branches = [{*branch} for branch in zip(*forms, strict=True)]
    is_counted = ["one" in names and names <= PLURAL_CATEGORIES for names in branches]
    yield from product(*(categories if counted else (name,) for name, counted in zip(form, is_counted, strict=True)))


def _selected(original: Sentence, chosen: Mapping[str, str]) -> str:
    """Return the form of an English sentence for the values that select one of its translation."""
    by, forms = _forms_of(original)
    if isinstance(original, str):
        return original
    texts: Mapping[tuple[str, ...], str]
    texts = original.forms if isinstance(original, Branching) else {(name,): text for name, text in original.items()}
    wanted = [chosen.get(name, OTHER) for name in by]
    return next(
        (texts[form] for form in product(*((branch, OTHER) for branch in wanted)) if form in texts), texts[forms[-1]]
    )


@cache
def plural_order(language: str) -> tuple[str, ...]:
    """Return the plural categories of a language in the order of gettext's plural forms."""
    messages, category = Catalog(language), Locale(language).plural_form
    index = c2py(messages.plural_expr)
    by_index = {index(number): category(number) for number in range(1000)}
    return tuple(by_index[number] for number in range(messages.num_plurals))


def _group_notes() -> dict[str, tuple[str, ...]]:
    """Return the comment above the table of each English sentence, by key."""
    notes: dict[str, tuple[str, ...]] = {}
    for path in (HOME / f"{LANGUAGE}.toml", *sorted((HOME / LANGUAGE).glob("*.toml"))):
        text = path.read_text(encoding="utf-8")
        tables = {name: _comment_text(comment) for comment, name in _GROUP.findall(text)}
        for place, _ in nested_values((), tomllib.loads(text)):
            keys = [".".join(place[:length]) for length in range(len(place), 0, -1)]
            notes |= dict.fromkeys(keys, next((tables[key] for key in keys if key in tables), ()))
    return notes


def _file_notes() -> dict[str, tuple[str, ...]]:
    """Return the first paragraph at the head of each English file of the rule book, by the name of the file."""
    paths = (HOME / LANGUAGE / RULE_BOOK).glob("*.toml")
    heads = ((path.stem, _HEAD.match(path.read_text(encoding="utf-8"))) for path in paths)
    return {name: _comment_text(head[0]) if head else () for name, head in heads}


def _comment_text(comment: str) -> tuple[str, ...]:
    """Return a comment of a TOML file as a note for translators."""
    return (" ".join(line.removeprefix("#").strip() for line in comment.splitlines()),)


def _length_note(limit: int | None) -> tuple[str, ...]:
    return () if limit is None else (f"at most {limit} characters",)


# -- files ------------------------------------------------------------------------------------------------------------


class _TextFiles:
    """The TOML files of a language; a change keeps their order, comments and all other texts."""

    def __init__(self, home: Path, language: str) -> None:
        self._folder = home / language
        self._documents: dict[Path, tomlkit.TOMLDocument] = {}
        self._where: dict[Place, tuple[Path, Place]] = {}
        """The file of each text, and its place there."""
        self.texts: dict[Place, str] = {}
        """All texts by place."""
        for path in sorted([*self._folder.glob("*.toml"), *self._folder.glob(f"{RULE_BOOK}/*.toml")]):
            if path.name not in OTHER_FILES:
                self._read(path)

    def _read(self, path: Path) -> None:
        """Read one file."""
        for place, text in nested_values((), tomllib.loads(path.read_text(encoding="utf-8"))):
            known = (IN_RULE_BOOK, *merged_path((path.stem, *place))) if path.parent != self._folder else place
            self.texts[known], self._where[known] = text, (path, place)

    def put(self, place: Place, text: str) -> bool:
        """Put a text at a place; return False if it is there already."""
        if self.texts.get(place) == text:
            return False
        path, inside = self._where.get(place) or self._place_for(place)
        table: Any = self._document(path)
        for name in inside[:-1]:
            table = table.setdefault(name, tomlkit.table())
        table[inside[-1]] = text
        self.texts[place], self._where[place] = text, (path, inside)
        return True

    def _document(self, path: Path) -> tomlkit.TOMLDocument:
        """Return a file that can be edited; it is parsed for that at its first change, since it takes long."""
        if path not in self._documents:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            self._documents[path] = tomlkit.parse(text)
        return self._documents[path]

    def _place_for(self, place: Place) -> tuple[Path, Place]:
        """Return the file for a new text, that of most texts beside it, and its place there."""
        if place[0] == IN_RULE_BOOK:
            return self._folder / RULE_BOOK / f"{place[1]}.toml", place[2:]
        for length in range(len(place) - 1, 0, -1):
            beside = Counter(path for known, (path, _) in self._where.items() if known[:length] == place[:length])
            if beside:
                return beside.most_common(1)[0][0], place
        return self._folder / NEW_FILE, place

    def save(self) -> None:
        """Write the files that have changed."""
        for path, document in self._documents.items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(tomlkit.dumps(document), encoding="utf-8")
