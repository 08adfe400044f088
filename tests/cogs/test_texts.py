"""The English catalogue of texts: none missing, none unused, none too long.

The lookups of texts are found in the source code of the cogs, as calls of ``t``, ``has_text`` and ``RefusedError``.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import engine
from cogs.games.carcassonne.words import tile_words
from cogs.texts import LANGUAGE, PLURAL_CATEGORIES, catalogue, has_text, listed, t
from cogs.texts.catalogue import texts_of, values_of
from cogs.texts.languages import offered_languages, speaking
from engine.carcassonne import PRESETS, FeatureKind, Options, tile, tile_set
from engine.carcassonne.expansions import OFFERED_TILE_SETS, OTHER_TILE_SETS, REGISTRY
from engine.carcassonne.tiles import BASE_SET
from host import ErrorCode, PostKind
from tests.cogs.box_texts import strings_at_argument

COGS = Path(__file__).parents[2] / "cogs"
MAX_BUTTON_LENGTH = 34
"""Maximal length of a label that fits on a phone."""
SENTENCES = catalogue().sentences
ENGINE_TERMS = ("tiles", "pennants", "cities", "castles", "city", "road", "monastery", "castle")
"""Terms whose keys are computed, so that no call contains them."""


@dataclass(frozen=True)
class Call:
    """A lookup of a text: its key or key prefix, and the names of the provided values."""

    location: str
    key: str
    is_whole_key: bool
    values: frozenset[str]
    has_unknown_values: bool
    """True if values are passed by ``**``."""


def text_lookups() -> Iterator[Call]:
    """Yield every lookup of a text in the cogs."""
    for path in COGS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"t", "has_text", "RefusedError"}:
                prefix = "refusal." if node.func.id == "RefusedError" else ""  # type: ignore[attr-defined]
                for key, is_whole_key in _keys(node.args[0]):
                    values = frozenset(keyword.arg for keyword in node.keywords if keyword.arg)
                    has_unknown_values = any(keyword.arg is None for keyword in node.keywords)
                    yield Call(f"{path.name}:{node.lineno}", prefix + key, is_whole_key, values, has_unknown_values)


def _keys(node: ast.expr) -> Iterator[tuple[str, bool]]:
    """Yield the possible keys of an argument, each with True if it is whole, or False if it is a prefix."""
    match node:
        case ast.Constant(value=str(text)):
            yield text, True
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
            yield text, False
        case ast.IfExp(body=body, orelse=orelse):
            yield from _keys(body)
            yield from _keys(orelse)
        case _:
            pass  # computed elsewhere


def string_constants() -> set[str]:
    """Return every string constant of the cogs."""
    return {
        node.value
        for path in COGS.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def terms_in_engine() -> set[str]:
    """Return the names of all score terms, such as tiles and pennants, that the engine creates in any game."""
    names = [module_info.name for module_info in walk_packages(engine.__path__, "engine.")]
    modules = [import_module(name) for name in names if not name.endswith("__main__")]
    return {term for module in modules for term in strings_at_argument(module, "Term", 0)}


def placeholders(key: str) -> set[str]:
    """Return the placeholders of a text."""
    return set(values_of(SENTENCES[key]))


def test_every_looked_up_text_exists_with_its_values() -> None:
    problems = []
    for call in text_lookups():
        if not call.is_whole_key:
            if not any(key.startswith(call.key) for key in SENTENCES):
                problems.append(f"{call.location}: nothing begins with {call.key}")
        elif call.key not in SENTENCES:
            problems.append(f"{call.location}: no {call.key}")
        elif not call.has_unknown_values and not placeholders(call.key) <= call.values:
            problems.append(f"{call.location}: {call.key} lacks {placeholders(call.key) - call.values}")
    assert not problems


def test_every_text_is_used() -> None:
    prefixes = tuple(call.key for call in text_lookups() if not call.is_whole_key)
    used = string_constants() | {call.key for call in text_lookups()}
    assert not [key for key in SENTENCES if key not in used and not key.startswith(prefixes)]


def test_every_error_of_the_host_has_a_text() -> None:
    assert not [code for code in ErrorCode if not has_text(f"error.{code}")]


def test_every_option_and_preset_has_a_text() -> None:
    options = [f"option.{name}.{value}" for name, values in Options.values().items() for value in values]
    assert not [key for key in (*options, *(f"preset.{name}" for name in PRESETS)) if not has_text(key)]


def test_every_expansion_has_a_name_and_a_summary() -> None:
    names = [key for name in (*REGISTRY, BASE_SET) for key in (f"expansion.{name}", f"rules.{name}")]
    assert not [key for key in names if not has_text(key)]


def test_every_feature_term_and_notice_has_a_text() -> None:
    assert {"spaces", "wells", "tiles", "pennants"} <= terms_in_engine()
    features = [f"feature.{kind}" for kind in (*FeatureKind, "castle")]
    terms = [f"term.{name}" for name in {*ENGINE_TERMS, *terms_in_engine()}]
    notices = [f"card.{kind}" for kind in (PostKind.FROZEN, PostKind.THAWED, PostKind.WENT_BACK)]
    assert not [key for key in (*features, *terms, *notices) if not has_text(key)]


@pytest.mark.parametrize("tile_set_name", [*OFFERED_TILE_SETS, *OTHER_TILE_SETS])
def test_every_tile_has_a_description(tile_set_name: str) -> None:
    assert all(tile_words(kind) for kind in tile_set(tile_set_name).values())


def test_tiles_are_described_completely() -> None:
    tiles = tile_set("base")
    assert tile_words(tiles["base/B"]) == "monastery"
    assert tile_words(tiles["base/O"]) == "city corner with a pennant, road bend"
    assert tile_words(tiles["base/W"]) == "3 roads that end here"


def test_inns_and_cathedrals_are_described_with_their_features() -> None:
    words = {name: tile_words(tile(name)) for name in ("ic/CCCC-b", "ic/CRRC", "ic/FRRR", "ic/CRCR", "bcb/RFRF-b")}
    assert words["ic/CCCC-b"] == "city on all sides with a cathedral"
    assert words["ic/CRRC"] == "city corner with a pennant, road bend with an inn"
    assert words["ic/FRRR"] == "end of a road with an inn, 2 roads that end here"
    assert words["ic/CRCR"] == "2 separate city edges, 2 roads that end here"
    assert words["bcb/RFRF-b"] == "end of a road, end of a road with an inn, bazaar"


def test_buttons_are_short() -> None:
    forms = [form for key, sentence in SENTENCES.items() if key.startswith("button.") for form in texts_of(sentence)]
    assert not [form for form in forms if len(re.sub(r"\{\w+\}", "12", form)) > MAX_BUTTON_LENGTH]


def test_descriptions_of_commands_fit() -> None:
    assert not [key for key, text in SENTENCES.items() if key.startswith("command.") and not 1 <= len(str(text)) <= 100]


def test_plural_forms_are_chosen_by_count() -> None:
    assert t("headline.pile", count=1) == "1 tile face down"
    assert t("headline.pile", count=0) == "0 tiles face down"
    assert t("headline.pile", count=-1) == "\N{MINUS SIGN}1 tile face down"


def test_a_negative_number_has_a_typographic_minus() -> None:
    assert t("category.bazaar", points=-12) == "bazaars \N{MINUS SIGN}12"
    assert t("category.bazaar", points=12) == "bazaars 12"
    assert t("turn.turned", degrees="-90") == "turned -90°", "strings are unchanged"


def test_plural_forms_are_those_of_the_language() -> None:
    forms = {category for sentence in SENTENCES.values() if isinstance(sentence, dict) for category in sentence}
    assert forms == {"one", "other"}
    assert forms < PLURAL_CATEGORIES


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        catalogue().filled("headline.pile", {})
    with pytest.raises(KeyError):
        catalogue().filled("no.such.sentence", {})
    with pytest.raises(FileNotFoundError):
        catalogue("tlh")


def test_a_language_is_read_once() -> None:
    assert catalogue() is catalogue(LANGUAGE)


def test_a_list_is_joined_with_a_conjunction() -> None:
    assert listed(["Ana"]) == "Ana"
    assert listed(["Ana", "Ben"]) == "Ana and Ben"


MAX_ROW_LETTERS = 27
"""Letters of four buttons that a phone shows in one row."""
MAX_LIST_LETTERS = 37
"""Letters that a phone shows of the chosen entry of a list."""


@pytest.mark.parametrize("language", [language.code for language in offered_languages()])
def test_steps_fit_one_row_of_a_phone_and_planned_bids_one_line(language: str) -> None:
    """Else [End] stands alone below the other steps, and the amount of a plan is cut off."""
    with speaking(language):
        steps = [t(f"button.step_{step}") for step in ("first", "back", "on", "last")]
        planned = [t("plan.list_buy_nothing"), t("plan.list_limit_nothing", lot=6), t("plan.list_open_draft", lot=6)]
        planned += [t(f"plan.list_{kind}", lot=6, count=15) for kind in ("buy", "limit", "open")]
    assert sum(map(len, steps)) <= MAX_ROW_LETTERS
    assert [text for text in planned if len(text) > MAX_LIST_LETTERS] == []
