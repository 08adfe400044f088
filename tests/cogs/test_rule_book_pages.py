"""The panels of the rule book: limits, valid buttons, texts about the table, and forged arguments.

``named`` opens a panel by a typed text, ``pressed`` by the argument of a button. Panels at a table name its options
and expansions; without a table they describe all options.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.games.presenters import PRESENTERS
from cogs.panels.rule_book_pages import (
    MAX_MENU_ENTRIES,
    MAX_QUOTED_LENGTH,
    MENU,
    MORE,
    NO_TABLE,
    RULES_PER_PAGE,
    SHORT,
    RuleBookPanels,
)
from cogs.presenting.ids import MAX_CUSTOM_ID_LENGTH, Key, Op, parse_key
from cogs.texts import t
from cogs.texts.rule_book import RuleBookEntry, Topic, rulebook
from cogs.words.refusals import RefusedError
from engine import the_castle
from engine.carcassonne import Options, Position, new_setup
from engine.carcassonne.expansions import OFFERED
from tests.cogs.positions import LONG_NAMES, game_of
from tests.discord_limits.components import Kind, component_problems, walk

BOOK = rulebook()
ENTRIES: tuple[RuleBookEntry, ...] = (*BOOK.topics.values(), *BOOK.rules.values())
"""All topics and rules."""
MAX_BUTTON_LENGTH = 34
"""Maximal length of a label that fits on a phone."""
CHANGED_OPTIONS = Options(bridge_timing="any_time", small_city_points=2)
"""Options of a table with two deviations."""


def panels_at_table(options: Options = CHANGED_OPTIONS) -> RuleBookPanels:
    """Return the rule book's panels at a table."""
    return RuleBookPanels.of(game_of(Position(new_setup(players=2, seed="1", options=options)), LONG_NAMES), PRESENTERS)


def test_the_rules_of_a_castle_say_whose_design_its_tiles_are() -> None:
    """The first card does not, since the lobby has said so; it says so of tiles that the operator has loaded."""
    setup = the_castle.new_setup(seed="1")
    panels = RuleBookPanels.of(game_of(the_castle.Position(setup)), PRESENTERS)
    assert t("lobby.designed_here") in words(panels.named(""))
    assert not list(PRESENTERS["the-castle"].opening_remarks(setup))
    loaded = replace(setup, tiles=replace(setup.tiles, name="loaded"))
    assert list(PRESENTERS["the-castle"].opening_remarks(loaded)) == [t("lobby.loaded_here")]


WITHOUT_TABLE = RuleBookPanels.of(None, PRESENTERS)
"""The panels outside of any game."""


def parts(view: Any) -> Iterator[dict[str, Any]]:
    """Yield the components of a panel, which have to keep the limits."""
    payload = view.to_components()
    assert not list(component_problems(payload, v2=True))
    for _, part in walk(payload):
        yield part


def words(view: Any) -> str:
    """Return the text of a panel."""
    return "\n".join(part["content"] for part in parts(view) if part["type"] == Kind.TEXT_DISPLAY)


def button_arguments(view: Any) -> list[str]:
    """Return the arguments of the buttons."""
    keys = [parse_key(part["custom_id"]) for part in parts(view) if part["type"] == Kind.BUTTON]
    assert all(key is not None and key.op is Op.RULE for key in keys)
    return [key.argument for key in keys if key is not None]


def menu_values(view: Any) -> list[str]:
    """Return the values of the menu."""
    (menu,) = [part for part in parts(view) if part["type"] == Kind.STRING_SELECT]
    key = parse_key(menu["custom_id"])
    assert key is not None
    assert key.argument == MENU
    return [option["value"] for option in menu["options"]]


def topics_in(panels: RuleBookPanels, view: Any) -> list[str]:
    """Return the topics in the menu and on its further pages."""
    topics: list[str] = []
    while not topics or menu_values(view)[0] != topics[0]:
        offered = menu_values(view)
        assert len(offered) <= MAX_MENU_ENTRIES
        topics += [choice for choice in offered if not choice.startswith(MORE)]
        if topics == offered:
            break
        view = panels.pressed(offered[-1])
    return topics


# -- the summary of many expansions ---------------------------------------------------------------------------------


def test_the_summary_of_many_expansions_is_complete_over_its_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cogs.panels.rule_book_pages.MAX_SHORT_PAGE_LENGTH", 2000)
    setup = new_setup(players=2, seed="1", expansions=OFFERED, options=Options(small_city_points=2))
    panels = RuleBookPanels.of(game_of(Position(setup), LONG_NAMES), PRESENTERS)
    view = panels.pressed("")
    pages = [words(view)]
    while next_pages := [
        argument for argument in button_arguments(view) if argument == f"short carcassonne {len(pages)}"
    ]:
        view = panels.pressed(next_pages[0])
        pages.append(words(view))
    assert len(pages) > 1
    assert all(len(page) <= 4000 and "…" not in page for page in pages)
    assert t("option.small_city_points.2") in pages[0]
    for name in ("base", *OFFERED):
        assert sum(t(f"rules.{name}") in page for page in pages) == 1
    for number in range(1, len(pages)):
        assert f"short carcassonne {number - 1}" in button_arguments(panels.pressed(f"short carcassonne {number}"))


@pytest.mark.parametrize("argument", ["short carcassonne 9", "short chess 0", "more carcassonne 9", "more  0", "short"])
def test_a_nonexistent_page_is_refused(argument: str) -> None:
    with pytest.raises(RefusedError):
        panels_at_table().pressed(argument)


# -- every panel ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("panels", [WITHOUT_TABLE, panels_at_table()], ids=["no table", "table"])
def test_every_panel_keeps_the_limits_and_has_valid_buttons(panels: RuleBookPanels) -> None:
    words_of = cache(lambda argument: words(panels.pressed(argument)))
    for entry in ENTRIES:
        view = panels.pressed(entry.id)
        labels = [part["label"] for part in parts(view) if part["type"] == Kind.BUTTON]
        assert all(len(label) <= MAX_BUTTON_LENGTH for label in labels), entry.id
        assert words(view) == words(panels.named(entry.id)), entry.id
        assert topics_in(panels, view) == [topic.id for topic in BOOK.topics_of(entry.game)], entry.id
        for argument in button_arguments(view):
            assert words_of(argument) != words(view), entry.id


@pytest.mark.parametrize("topic", [entry for entry in ENTRIES if isinstance(entry, Topic)], ids=lambda topic: topic.id)
def test_the_pages_of_a_topic_contain_all_its_rules(topic: Topic) -> None:
    rule_ids: list[str] = []
    argument: str | None = topic.id
    while argument is not None:
        view = WITHOUT_TABLE.pressed(argument)
        rules_on_page = [name for name in button_arguments(view) if name in BOOK.rules]
        assert 0 < len(rules_on_page) <= RULES_PER_PAGE
        assert all(BOOK.rules[name].text in words(view) for name in rules_on_page)
        rule_ids += rules_on_page
        page = int(argument.partition(" ")[2] or 0)
        argument = next((name for name in button_arguments(view) if name == f"{topic.id} {page + 1}"), None)
    assert tuple(rule_ids) == topic.rules


def test_the_pages_of_a_topic_lead_back() -> None:
    assert button_arguments(WITHOUT_TABLE.pressed("auction 1"))[-2:] == ["auction 0", "carcassonne"]
    assert "Page 2 of 2" in words(WITHOUT_TABLE.pressed("auction 1"))
    assert words(WITHOUT_TABLE.pressed("auction 0")) == words(WITHOUT_TABLE.pressed("auction"))


def test_every_rule_names_its_sources_and_related_rules() -> None:
    for rule in BOOK.rules.values():
        view = WITHOUT_TABLE.pressed(rule.id)
        assert rule.text in words(view), rule.id
        assert all(BOOK.documents[source.document] in words(view) for source in rule.sources), rule.id
        assert all(edition in words(view) for edition in rule.editions), rule.id
        assert rule.certainty in words(view), rule.id
        assert {*rule.related, *rule.topics} <= set(button_arguments(view)), rule.id


def test_footnotes_are_cited() -> None:
    assert "footnotes 13 and 15" in words(WITHOUT_TABLE.named("BR-08"))
    assert "footnote 5" in words(WITHOUT_TABLE.named("CA-02"))


def test_the_longest_id_fits() -> None:
    longest = max((*BOOK.topics, *BOOK.rules), key=len)
    assert len(str(Key(Op.RULE, "K" * 12, 999_999, f"{longest} 999"))) <= MAX_CUSTOM_ID_LENGTH


# -- what depends on the table -------------------------------------------------------------------------------------


def test_the_value_of_an_option_at_the_table_is_named() -> None:
    chosen, other = t("option.bridge_timing.any_time"), t("option.bridge_timing.after_tile")
    at_table, without_table = words(panels_at_table().named("BR-15")), words(WITHOUT_TABLE.named("BR-15"))
    assert t("rulebook.here", words=chosen) in at_table
    assert other not in at_table
    assert chosen in without_table
    assert other in without_table


def test_several_options_of_a_rule_are_one_list() -> None:
    at_table, without_table = words(panels_at_table().named("CA-56")), words(WITHOUT_TABLE.named("CA-56"))
    farmers = t("rulebook.choice", words=t("option.farm_scoring.farm3"))
    castles = t("rulebook.choice", words=t("option.castle_farm_needs_completed.False"))
    assert at_table.count(t("rulebook.here_all")) == 1
    assert f"{t('rulebook.here_all')}\n" in at_table
    assert farmers in at_table.splitlines()
    assert castles in at_table.splitlines()
    assert without_table.count(t("rulebook.choices")) == 1
    assert t("rulebook.choice", words=t("option.farm_scoring.city4")) in without_table.splitlines()


def test_an_option_in_the_text_of_a_rule_is_not_repeated() -> None:
    assert t("option.bridge_timing.any_time") in words(panels_at_table().named("ED-09"))
    assert t("option.bridge_timing.after_tile") in words(panels_at_table(Options()).named("ED-09"))


def test_a_table_of_the_second_game_names_its_own_options_only() -> None:
    setup = the_castle.new_setup(players=2, seed="1", options=the_castle.Options(tc_wall_pickup="end_of_turn"))
    panels = RuleBookPanels("K7QF", 0, setup, BOOK, PRESENTERS)
    assert t("rulebook.here", words=t("option.tc_wall_pickup.end_of_turn")) in words(panels.named("tc55"))
    assert t("rulebook.choices") in words(panels.named("br15"))
    assert t("rules.the-castle") in words(panels.named(""))
    assert t("option.tc_wall_pickup.end_of_turn") in words(panels.named(""))


def test_a_rule_without_options_does_not_mention_the_table() -> None:
    assert words(panels_at_table().named("BA-36")) == words(WITHOUT_TABLE.named("BA-36"))


def test_a_rule_of_an_unavailable_expansion_says_so() -> None:
    rule = BOOK.rules["IX-18"]
    assert t("rulebook.needs_missing", needs="The Tower") in words(WITHOUT_TABLE.named(rule.id))
    assert t("rulebook.only", needs="The Tower") in words(WITHOUT_TABLE.pressed("other-expansions 1"))


@pytest.mark.parametrize("rule_id", ["IX-06", "BZ-41", "CA-57"])
def test_a_rule_of_an_available_expansion_does_not_say_so(rule_id: str) -> None:
    needs = BOOK.rules[rule_id].needs
    assert "Traders & Builders" in needs
    text = words(WITHOUT_TABLE.named(rule_id))
    assert t("rulebook.needs", needs=needs) in text
    assert t("rulebook.needs_missing", needs=needs) not in text


def test_the_summary_names_the_deviations_of_the_table() -> None:
    short = words(panels_at_table().named(""))
    assert t("rules.base") in short
    assert t("rules.bridges-castles-bazaars") in short
    assert t("option.small_city_points.2") in short
    assert t("rules.difference", words="") not in words(WITHOUT_TABLE.named("")).splitlines()
    assert words(panels_at_table().pressed("")) == short == words(panels_at_table().pressed("carcassonne"))


@pytest.mark.parametrize("game", PRESENTERS)
def test_the_summary_of_every_game_is_available_but_a_table_offers_no_other_game(game: str) -> None:
    for panels in (WITHOUT_TABLE, panels_at_table()):
        assert topics_in(panels, panels.pressed(game)) == [topic.id for topic in BOOK.topics_of(game)]
        arguments = {argument for argument in button_arguments(panels.pressed(game)) if not argument.startswith(SHORT)}
        assert arguments == (set() if panels.setup and panels.setup.game == game else PRESENTERS.keys() - {game})


# -- unknown texts -------------------------------------------------------------------------------------------------


def test_an_unknown_text_gets_suggestions() -> None:
    view = WITHOUT_TABLE.named("brige over a citty")
    assert "brige over a citty" in words(view)
    assert t("rulebook.closest") in words(view)
    assert 0 < len(button_arguments(view)) <= 5
    assert all(BOOK.find(argument) for argument in button_arguments(view))


def test_an_unknown_text_without_suggestions_still_offers_the_topics() -> None:
    view = WITHOUT_TABLE.named("xyzzyxyzzy")
    assert t("rulebook.closest") not in words(view)
    assert button_arguments(view) == []
    assert menu_values(view)


def test_an_unknown_text_is_escaped() -> None:
    text = words(WITHOUT_TABLE.named("@everyone **bold** <@1> [x](y) # " + "w" * 5000))
    assert "@everyone" not in text
    assert "**bold" not in text
    assert "<@1>" not in text
    assert "w" * MAX_QUOTED_LENGTH not in text


@pytest.mark.parametrize(
    "argument",
    ["?", "nothing", "BR-99", "br-09", "BR-09 x", "auction -1", "auction ²", "auction 1 2", "menu", "chess", " ",
     "carcassonne 1", "auction  1", "auction 1000", "BR-09 1", "BR-09\n", "auction\u00a01"],
)  # fmt: skip
def test_a_forged_argument_is_refused(argument: str) -> None:
    with pytest.raises(RefusedError):
        WITHOUT_TABLE.pressed(argument)


def test_a_page_number_beyond_the_end_shows_the_last_page() -> None:
    for page in ("1", "77", "999"):
        assert words(WITHOUT_TABLE.pressed(f"auction {page}")) == words(WITHOUT_TABLE.pressed("auction 1"))


@given(st.text(max_size=200))
def test_any_argument_and_any_text_is_answered(text: str) -> None:
    assert words(WITHOUT_TABLE.named(text))
    try:
        view = WITHOUT_TABLE.pressed(text)
    except RefusedError:
        return
    assert words(view)


def test_without_a_table_no_game_code_is_named() -> None:
    assert {
        parse_key(part["custom_id"]).ref
        for part in parts(WITHOUT_TABLE.named("roads"))
        if part["type"] in {Kind.BUTTON, Kind.STRING_SELECT}
    } == {  # type: ignore[union-attr]
        NO_TABLE
    }
