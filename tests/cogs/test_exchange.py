"""Translations as PO files: a round trip changes nothing, and an edit arrives in the TOML files, alone."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po, write_po

from cogs.texts import LANGUAGE, OTHER_FILES, catalogue, exchange
from cogs.texts.__main__ import main
from cogs.texts.catalogue import Catalogue
from cogs.texts.check import MISSING, problems
from cogs.texts.exchange import FIRST_KEYS, HOME, entries, export_texts, import_texts, plural_order
from cogs.texts.languages import languages
from tests.golden.first_keys import KEY_COUNT, most_read_keys

TRANSLATIONS = [code for code in languages() if code != LANGUAGE]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A copy of all languages."""
    return shutil.copytree(HOME, tmp_path / "texts", ignore=shutil.ignore_patterns("*.py", "__pycache__"))


def contents(home: Path) -> dict[str, bytes]:
    """Return all files below a folder."""
    return {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*.toml")}


def edit(file: Path, **translations: str | tuple[str, ...]) -> None:
    """Change the translations of entries in a PO file, by context."""
    with file.open("rb") as source:
        messages = read_po(source)
    for context, text in translations.items():
        message = next(message for message in messages if message.context == context)
        message.string = text
    with file.open("wb") as target:
        write_po(target, messages, width=0)


def messages_of(file: Path) -> dict[str, Message]:
    """Return the entries of a PO file by context."""
    with file.open("rb") as source:
        return {message.context: message for message in read_po(source) if message.context}


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_round_trip_changes_nothing(language: str, home: Path, tmp_path: Path) -> None:
    before, file = contents(home), tmp_path / "all.po"
    assert export_texts(language, file, home=home) == len(messages_of(file))
    assert import_texts(language, file, home=home) == []
    assert contents(home) == before


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_text_of_a_language_is_in_its_file(language: str, home: Path, tmp_path: Path) -> None:
    export_texts(language, file := tmp_path / "all.po", home=home)
    exported = [text for message in messages_of(file).values() for text in exchange._texts_of(message)]
    texts = exchange._TextFiles(home, language).texts
    assert sorted(exported) == sorted(text for place, text in texts.items() if place[-1] != "by")


def test_plural_forms_stand_in_the_order_of_gettext() -> None:
    assert plural_order("cs") == ("one", "few", "other")
    assert plural_order("pl") == ("one", "few", "many")
    assert plural_order("de") == ("one", "other")


def test_an_entry_tells_translators_what_they_need(tmp_path: Path) -> None:
    export_texts("cs", file := tmp_path / "cs.po")
    messages = messages_of(file)
    counted = messages["headline.pile"]
    assert counted.id == ("{count} tile face down", "{count} tiles face down")
    assert counted.string == tuple(
        catalogue("cs").filled("headline.pile", {"count": count}).replace(str(count), "{count}") for count in (1, 2, 5)
    )
    assert "python-brace-format" in counted.flags
    assert "at most 40 characters" in messages["button.play"].auto_comments
    inflected = messages["akk.role.house"]
    assert (inflected.id, inflected.auto_comments) == (
        catalogue().filled("role.house", {}),
        [f"form akk: {languages()['cs'].forms['akk']}", *messages["role.house"].auto_comments],
    )
    forms = ("story.bazaar_opened(count=few)", "story.bazaar_opened(count=other)")
    assert len({messages[form].id for form in forms}) == 1


def test_a_line_above_each_group_tells_translators_where_its_texts_appear(tmp_path: Path) -> None:
    export_texts("cs", file := tmp_path / "cs.po")
    messages = messages_of(file)
    comments = {context: " ".join(message.auto_comments) for context, message in messages.items()}
    assert [context for context, comment in comments.items() if not comment] == []
    for path in {HOME / "en.toml", *HOME.glob("en/*.toml")} - {HOME / "en" / name for name in OTHER_FILES}:
        groups = re.findall(r"^((?:#.*\n)*)\[(.+)\]$", path.read_text(), re.MULTILINE)
        assert [group for lines, group in groups if not lines] == [], path
        for lines, group in groups:
            line = " ".join(text.removeprefix("# ") for text in lines.splitlines())
            inside = (comment for context, comment in comments.items() if re.match(rf"{group}[.(]", f"{context}("))
            assert any(line in comment for comment in inside), group
    assert messages["button.tell"].auto_comments[0] != messages["button.play"].auto_comments[0]
    assert "`/carc rules`" in comments["rulebook/castles/CA-02/title"]


def test_an_edit_changes_its_text_alone(home: Path, tmp_path: Path) -> None:
    before, file = contents(home), tmp_path / "cs.po"
    export_texts("cs", file, home=home)
    edits: dict[str, Any] = {
        "button.play": "Hrát!",
        "headline.pile": ("{count} a", "{count} b", "{count} c"),
        "akk.role.house": "velký dům",
        "rulebook/castles/CA-02/title": "Jiný nadpis",
    }
    edit(file, **edits)
    lines = import_texts("cs", file, home=home)
    assert sorted(line.partition(":")[0] for line in lines) == [
        "akk.role.house",
        "button.play",
        *["headline.pile"] * 3,
        "rulebook/castles/CA-02/title",
    ]
    changed = [
        (old, new)
        for name, content in contents(home).items()
        for old, new in zip(before[name].decode().splitlines(), content.decode().splitlines(), strict=True)
        if old != new
    ]
    assert len(changed) == len(lines)
    assert all(re.sub(r'".*"', "", old) == re.sub(r'".*"', "", new) for old, new in changed)
    assert import_texts("cs", file, home=home) == []


def test_untranslated_fuzzy_and_unknown_entries_are_left_out(home: Path, tmp_path: Path) -> None:
    before, file = contents(home), tmp_path / "cs.po"
    export_texts("cs", file, home=home)
    text = file.read_text()
    text = re.sub(r'(msgctxt "button.play"\nmsgid .*\n)msgstr .*', r'\1msgstr ""', text)
    text = re.sub(r'(msgctxt "button.join"\nmsgid .*\n)msgstr .*', r'\1msgstr "?"', text)
    text = text.replace('msgctxt "button.join"', '#, fuzzy\nmsgctxt "button.join"')
    text = text.replace('msgctxt "button.board"', 'msgctxt "button.of_old"')
    file.write_text(text)
    assert import_texts("cs", file, home=home) == ["button.of_old: unknown, left out"]
    assert contents(home) == before


def test_a_new_language_becomes_complete(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Translate each text by itself, in a language with three plural forms and no files yet."""
    (home / "sk").mkdir()
    empty = Catalogue("sk", {})
    monkeypatch.setattr(exchange, "catalogue", lambda code=LANGUAGE: empty if code == "sk" else catalogue(code))
    export_texts("sk", file := tmp_path / "sk.po", home=home)
    texts = {
        context: message.id if isinstance(message.id, str) else (message.id[0], message.id[1], message.id[1])
        for context, message in messages_of(file).items()
    }
    edit(file, **texts)
    assert len(import_texts("sk", file, home=home)) >= len(texts)
    tables: dict[str, Any] = {}
    for path in (home / "sk").glob("*.toml"):
        tables |= tomllib.loads(path.read_text())
    assert [problem for problem in problems(catalogue(), Catalogue("sk", tables)) if problem.what == MISSING] == []
    assert {path.name for path in (home / "sk" / "rulebook").iterdir()} == {
        path.name for path in (home / "cs" / "rulebook").iterdir()
    }


def test_the_commands_write_a_file_and_read_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["export", "--po", "nl"]) == 0
    assert capsys.readouterr().out == f"nl.po: {len(messages_of(tmp_path / 'nl.po'))} texts\n"
    assert main(["import", "nl.po"]) == 0
    assert capsys.readouterr().out == "nl: 0 changes\n"
    with pytest.raises(SystemExit):
        main(["export", "--po", "xx"])
    assert "no such language: xx" in capsys.readouterr().err


def test_what_players_read_most_comes_first(tmp_path: Path) -> None:
    first = FIRST_KEYS.read_text().splitlines()
    assert len(first) == len(set(first)) == KEY_COUNT
    assert set(first) <= catalogue().sentences.keys()
    assert len({*first} & {*most_read_keys(KEY_COUNT)}) > 0.9 * KEY_COUNT, "write the file anew"
    export_texts("de", file := tmp_path / "de.po")
    leading = [context.partition("(")[0] for context in messages_of(file)]
    assert list(dict.fromkeys(leading))[:KEY_COUNT] == first
    assert len(list(entries("de"))) == len(leading)
