"""The texts of the interface use the terms of the glossary: panels, cards, alt texts, settings, tournaments.

The check is by words: if an English text contains a form of an English term, its translation has to contain a form of
the translated term. ``test_glossary.py`` checks the rule book in the same way.
"""

import re
from collections.abc import Iterator

import pytest

from cogs.texts import LANGUAGE, catalogue
from cogs.texts.catalogue import texts_of
from tests.cogs.glossary import BOTH_GAMES, ENGLISH_TERMS, LANGUAGES, Term, terms
from tests.cogs.test_glossary import UNRELATED, uses, words

CASTLE = "the-castle"
GAMES = (
    (r"(.*[._])?(tc_|wall|ward_|keeps?(?![^._])|the-castle|castle-cup).*|setting\.castle\..*", CASTLE),
    (r"(alt|headline|panel)\.order(_own)?", CASTLE),
)
"""Patterns of the keys of texts that belong to one game; all others belong to both."""
_NO_WORDS = re.compile(r"\{[^}]*\}|`[^`]*`|</?[^>]*>|The Castle(?! wall)|Bridges, Castles & Bazaars")
"""Parts of a text that are not its words: placeholders, commands, names."""
ALTERNATIVES = {"tile": ("wall tile",), "wall": ("wall tile",), "city": ("town",)}
"""Terms that English abbreviates: tile for wall tile, small city for town."""
_VERB_KEEP = ("command.keep.description", "button.keep", "setting.castle.double.keep", "setting.castle.extra.keep")
"""Texts in which "keep" is a verb and no part of a castle."""
NO_TERM = {
    "turn": {
        "option.bazaar_all_zero_fallback.draft": "in turn",
        "option.bazaar_mode.draft": "in turn",
        "ward_tile.path.corner": "the verb",
        "story.wall_tile_taken": "the verb",
        "turn.right": "a rotation",
        "turn.half": "a rotation",
        "turn.left": "a rotation",
        "plan.none": "whose turn it is",
    },
    "pass": {"refusal.unfinished_move": "no figure is placed"},
    "builder": {"option.castle_shared_token_display.stack": "whoever builds it"},
    "keep": dict.fromkeys(_VERB_KEEP, "the verb"),
}
"""Texts in which the English word has another meaning."""
ORDINARY_WORDS = {"keep"}
"""Terms of one game that are ordinary English words: they are checked in its texts alone."""
UNUSED_TERMS = {"message"}
"""Terms of expansions that are not offered; here "message" means a Discord message."""
ALLOWED_SYNONYMS = {
    ("cs", "pole"): "[Cc]ell|[Ss]pace",
    ("pl", "pole"): "[Cc]ell|[Ss]pace",
    ("pl", "zamek"): "The Castle",
}
"""Words with another meaning if the English text matches: cells of the board, the name of a game."""


def lower_text(language: str, key: str) -> str:
    """Return all forms of a text in lower case, without placeholders."""
    return " \n ".join(_NO_WORDS.sub(" ", text) for text in texts_of(catalogue(language).sentences[key])).lower()


def game_of_key(key: str) -> str:
    """Return the game that a text belongs to."""
    return next((game for keys, game in GAMES if re.fullmatch(keys, key)), BOTH_GAMES)


def own_forms(language: str, english: Term) -> tuple[str, ...]:
    """Return the forms by which a language may translate an English term, including alternatives."""
    names = (english.name, *ALTERNATIVES.get(english.name, ()))
    return tuple(form for term in terms(language) if term.name in names for form in term.forms)


TEXTS = {
    language: {key: lower_text(language, key) for key in catalogue(language).sentences}
    for language in (LANGUAGE, *LANGUAGES)
}
"""All texts in lower case, by language and key."""
GAME_OF_KEY = {key: game_of_key(key) for key in TEXTS[LANGUAGE]}
"""The game that a text is about, by key."""
TEXTS_WITH_TERM = {
    term.key: [
        key
        for key, game in GAME_OF_KEY.items()
        if (term.covers(game) or (game == BOTH_GAMES and term.name not in ORDINARY_WORDS))
        and uses(TEXTS[LANGUAGE][key], term.forms)
    ]
    for term in ENGLISH_TERMS
    if term.name not in UNUSED_TERMS
}
"""The texts that contain each term."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_term_of_english_is_translated_by_its_term(language: str) -> None:
    for term in ENGLISH_TERMS:
        own = own_forms(language, term)
        keys = {*TEXTS_WITH_TERM.get(term.key, ())} - NO_TERM.get(term.name, {}).keys()
        translated = keys & TEXTS[language].keys() if own else set()
        assert not [(term.name, key) for key in sorted(translated) if not uses(TEXTS[language][key], own)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_used_form_is_listed(language: str) -> None:
    own = list(terms(language))
    listed = {word for term in own for form in term.forms for word in words(form)} | UNRELATED[language]
    stems = tuple({term.stem for term in own if term.stem})
    missing = {
        (word, key)
        for key, text in TEXTS[language].items()
        for word in words(text)
        if word.startswith(stems) and word not in listed
    }
    assert not missing


def synonyms_to_avoid(language: str) -> Iterator[tuple[str, str]]:
    """Yield the synonyms to avoid, with their game; a form of another game's term is allowed."""
    forms = {form for term in terms(language) for form in term.forms}
    for term in terms(language):
        yield from ((term.game, word) for word in term.never if word and word not in forms)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_synonym_is_used_for_a_term(language: str) -> None:
    synonyms = list(synonyms_to_avoid(language))
    assert synonyms
    assert not [
        (word, key)
        for game, word in synonyms
        for key, text in TEXTS[language].items()
        if word in text and game_of_key(key) in (BOTH_GAMES, game) and uses(text, (word,))
        if not has_other_meaning(language, word, key)
    ]


def has_other_meaning(language: str, word: str, key: str) -> bool:
    """Return whether a word has another meaning in this text, according to the English text."""
    english_pattern = ALLOWED_SYNONYMS.get((language, word))
    return english_pattern is not None and any(
        re.search(english_pattern, text) for text in texts_of(catalogue().sentences[key])
    )


def test_every_exception_is_needed() -> None:
    """An exception contains the English word, and lacks the glossary's term in some language."""
    by_name = {term.name: term for term in ENGLISH_TERMS}
    for name, keys in NO_TERM.items():
        own = {language: own_forms(language, by_name[name]) for language in LANGUAGES}
        for key in keys:
            assert uses(TEXTS[LANGUAGE][key], by_name[name].forms), key
            assert any(not uses(TEXTS[language][key], own[language]) for language in LANGUAGES), key
