"""The texts of the interface use the words of the glossary too: panels, cards, alt texts, settings, tournaments."""

import re
from collections.abc import Iterator

import pytest

from cogs.texts import LANGUAGE, catalogue
from cogs.texts.catalogue import texts_of
from tests.cogs.glossary import BOTH, ENGLISH, LANGUAGES, Term, terms
from tests.cogs.test_glossary import UNRELATED, uses, words

CASTLE = "the-castle"
GAMES = (
    (r"(.*[._])?(tc_|wall|ward_|keeps?(?![^._])|the-castle|castle-cup).*|setting\.castle\..*", CASTLE),
    (r"(alt|headline|panel)\.order(_own)?", CASTLE),
)
"""Texts of one game alone, by their keys; all others may be read in both."""
_FILLED = re.compile(r"\{[^}]*\}|`[^`]*`|</?[^>]*>|The Castle(?! wall)|Bridges, Castles & Bazaars")
"""What is no words of the text: values, commands, names."""
INSTEAD = {"tile": ("wall tile",), "wall": ("wall tile",), "city": ("town",)}
"""English says tile for a wall tile, too, and small city for a town."""
_KEPT = ("command.keep.description", "button.keep", "setting.castle.double.keep", "setting.castle.extra.keep")
OTHERWISE = {
    "turn": {
        "option.bazaar_all_zero_fallback.draft": "in turn",
        "option.bazaar_mode.draft": "in turn",
        "ward_tile.path.corner": "the verb",
        "story.wall_tile_taken": "the verb",
        "setting.towns.title": "the verb",
        "plan.none": "whose turn it is",
    },
    "pass": {"refusal.unfinished_move": "no figure is placed"},
    "builder": {"option.castle_shared_token_display.stack": "whoever builds it"},
    "field": {"event.reason.meetings": "of players", "event.reason.other": "of players"},
    "keep": dict.fromkeys(_KEPT, "the verb"),
}
"""Where English means something else by the word: what."""
PLAIN = {"keep"}
"""Terms of one game that English has as plain words, too: they are looked for in its texts alone."""
ELSEWHERE = {"message"}
"""Terms of boxes that are not here; the texts say message of what Discord posts."""
ALLOWED = {("cs", "pole"): "[Cc]ell|[Ss]pace", ("pl", "pole"): "[Cc]ell|[Ss]pace", ("pl", "zamek"): "The Castle"}
"""Words that are no terms where English says this: cells of the board, the name of a game."""


def said(language: str, key: str) -> str:
    """All forms of a text in small letters, without what is filled in."""
    return " \n ".join(_FILLED.sub(" ", text) for text in texts_of(catalogue(language).sentences[key])).lower()


def game_of(key: str) -> str:
    """The game in which alone a text is read."""
    return next((game for keys, game in GAMES if re.fullmatch(keys, key)), BOTH)


def own_forms(language: str, english: Term) -> tuple[str, ...]:
    """What a language may say for an English word; what is a term of both games apart, by either."""
    names = (english.name, *INSTEAD.get(english.name, ()))
    return tuple(form for term in terms(language) if term.name in names for form in term.forms)


TEXTS = {
    language: {key: said(language, key) for key in catalogue(language).sentences} for language in (LANGUAGE, *LANGUAGES)
}
WITH = {
    term.key: [
        key
        for key, text in TEXTS[LANGUAGE].items()
        if (term.covers(game_of(key)) or (game_of(key) == BOTH and term.name not in PLAIN)) and uses(text, term.forms)
    ]
    for term in ENGLISH
    if term.name not in ELSEWHERE
}
"""The texts that say something with each term."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_english_says_with_a_term_is_said_with_its_word(language: str) -> None:
    for term in ENGLISH:
        own = own_forms(language, term)
        keys = [key for key in WITH.get(term.key, ()) if key not in OTHERWISE.get(term.name, {})]
        assert not [(term.name, key) for key in keys if not uses(TEXTS[language][key], own)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_form_is_missing(language: str) -> None:
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


def avoided(language: str) -> Iterator[tuple[str, str]]:
    """Words that are used for no term, each with the game in which they are not; what one game says, the other may."""
    forms = {form for term in terms(language) for form in term.forms}
    for term in terms(language):
        yield from ((term.game, word) for word in term.never if word and word not in forms)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_other_word_is_used_for_a_term(language: str) -> None:
    never = list(avoided(language))
    assert never
    assert not [
        (word, key)
        for game, word in never
        for key, text in TEXTS[language].items()
        if word in text and game_of(key) in (BOTH, game) and uses(text, (word,))
        if not allowed(language, word, key)
    ]


def allowed(language: str, word: str, key: str) -> bool:
    """Whether a word is no term where it stands: English says something else there."""
    other = ALLOWED.get((language, word))
    return other is not None and any(re.search(other, text) for text in texts_of(catalogue().sentences[key]))


def test_every_exception_is_one() -> None:
    """What is let off says the English word, and not that of the glossary in some language."""
    by_name = {term.name: term for term in ENGLISH}
    for name, keys in OTHERWISE.items():
        own = {language: own_forms(language, by_name[name]) for language in LANGUAGES}
        for key in keys:
            assert uses(TEXTS[LANGUAGE][key], by_name[name].forms), key
            assert any(not uses(TEXTS[language][key], own[language]) for language in LANGUAGES), key
