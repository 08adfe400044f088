"""Every page of the rules names the options that the table plays.

The rule book records for each rule which option values it assumes, which it needs and which it leaves open; these are
its "ties". An option is "moot" if another option makes it irrelevant. The tests read every page at tables of every
edition, with every expansion, and with every single option value: each deviation of the table has to appear beside
the rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import chain, combinations
from typing import Any

import pytest

from cogs.games.presenters import PRESENTERS
from cogs.panels.rule_book_pages import RuleBookPanels
from cogs.texts import t
from cogs.texts.rule_book import Clause, Rule, Ties, Topic, moot, rulebook
from engine import GAMES
from engine.carcassonne.expansions import REGISTRY
from tests.boxes.words import OPTION_WORDS
from tests.cogs.test_rule_book_pages import words

BOOK, MOOT = rulebook(), moot()
CARCASSONNE, THE_CASTLE = GAMES
BCB, TB, *_ = GAMES[CARCASSONNE].expansions
# Marks beside a rule that a table does not play, plays in a changed form, or plays exactly as written.
NOT_PLAYED, CHANGED, AS_WRITTEN = (t(f"rulebook.{key}") for key in ("not_played", "changed", "just_so"))


@dataclass(frozen=True)
class Table:
    """The rules of a table: game, expansions, options."""

    game: str
    expansions: tuple[str, ...]
    options: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        options = [f"{name}={value}" for name, value in self.options]
        return " ".join([self.game, *self.expansions, *options[:6]])

    @cached_property
    def values(self) -> dict[str, str]:
        """Return the value of every option that matters with these expansions."""
        kinds = GAMES[self.game].options
        chosen = kinds.of(dict(self.options)).mapping()
        return {
            entry.name: str(chosen[entry.name])
            for entry in fields(kinds)
            if set(entry.metadata["needs"]) <= set(self.expansions)
        }

    @property
    def panels(self) -> RuleBookPanels:
        """Return the rule book's panels for this table."""
        game = GAMES[self.game]
        setup = game.new_setup(
            players=2, seed="1", options=game.options.of(dict(self.options)), expansions=self.expansions
        )
        return RuleBookPanels("K7QF", 0, setup, BOOK, PRESENTERS)


def expansion_sets(game: str) -> Iterator[tuple[str, ...]]:
    """Yield no expansions, every combination of up to three, and all expansions of a game."""
    all_expansions = GAMES[game].expansions
    combinations_of_few = chain.from_iterable(
        combinations(all_expansions, count) for count in range(min(4, len(all_expansions)))
    )
    return chain(combinations_of_few, [all_expansions])


def tables_of_every_edition() -> Iterator[Table]:
    """Yield every edition with every combination of expansions, without duplicates."""
    known_keys = set()
    for name, game in GAMES.items():
        for expansions in expansion_sets(name):
            for options in game.presets.values():
                table = Table(name, expansions, tuple(options.differences().items()))
                key = (name, expansions, *table.values.items())
                if key not in known_keys:
                    known_keys.add(key)
                    yield table


def tables_with_single_options() -> Iterator[Table]:
    """Yield every option value, alone and together with all other non-default values."""
    for name, game in GAMES.items():
        standard = game.options().mapping()
        changed = {
            option: [value for value in values if value != standard[option]][-1]
            for option, values in game.options.values().items()
        }
        for option, values in game.options.values().items():
            for value in values:
                if value != standard[option]:
                    yield Table(name, game.expansions, ((option, value),))
        yield Table(name, game.expansions, tuple(changed.items()))
        auction = (
            {"bazaar_mode": "auction", "farmers": True, "castle_auto_choose": False} if name == CARCASSONNE else {}
        )
        yield Table(name, game.expansions, tuple({**changed, **auction}.items()))


EDITIONS = [*tables_of_every_edition()]
"""Tables with the options of each edition."""
TABLES = [*EDITIONS, *tables_with_single_options()]
"""All tables whose pages are read."""
FEW_EXPANSIONS = 1
"""Tables with up to so many expansions are in each run."""


def by_expansions(tables: Iterable[Table]) -> list[Any]:
    """Leave tables with several expansions to `make soak`, except those with all."""
    counts = {*range(FEW_EXPANSIONS + 1), *(len(game.expansions) for game in GAMES.values())}
    return [
        table if len(table.expansions) in counts else pytest.param(table, marks=pytest.mark.soak) for table in tables
    ]


def topics_to_check(table: Table) -> Iterator[Topic]:
    """Yield the topics to check at a table; with a single changed option, those that depend on it."""
    for topic in BOOK.topics_of(table.game):
        tied_options = {name for rule_id in topic.rules for name in BOOK.rules[rule_id].options}
        has_other_changes = len(table.options) != 1 or table.expansions != GAMES[table.game].expansions
        if has_other_changes or table.options[0][0] in tied_options:
            yield topic


def pages_of(panels: RuleBookPanels, topic: Topic) -> Iterator[str]:
    """Yield the text of each page of a topic."""
    number, text = 0, words(panels.pressed(f"{topic.id} 0"))
    while True:
        yield text
        number += 1
        if f"Page {number} of " not in text or f"Page {number} of {number}" in text:
            return
        text = words(panels.pressed(f"{topic.id} {number}"))


def option_text(ties: Ties, name: str, values: Mapping[str, str]) -> str:
    """Return the text beside a rule about an option of the table."""
    return dict(ties.meanings).get(f"{name}={values[name]}") or t(f"option.{name}.{values[name]}")


def is_broken(clause: Clause, values: Mapping[str, str]) -> bool:
    """Return whether a relevant clause allows none of the table's values."""
    return not any(values.get(name) in allowed for name, allowed in clause.values) and any(
        name in values for name in clause.names
    )


def is_relevant(name: str, values: Mapping[str, str]) -> bool:
    """Return whether an option has an effect, given the other options."""
    return name in values and not (name in MOOT and is_broken(MOOT[name], values))


def deviations(ties: Ties, table: Table) -> Iterator[tuple[str, bool]]:
    """Yield the texts of a table's deviations from a rule, each with True if the rule is then not played."""
    values = {name: value for name, value in table.values.items() if is_relevant(name, table.values)}
    for clauses, not_played in ((ties.only, True), (ties.expects, False)):
        for clause in clauses:
            if is_broken(clause, values):
                for name in clause.names:
                    if name in values:
                        yield option_text(ties, name, values), not_played


def assert_deviations_named(ties: Ties, table: Table, beside: str, page: str) -> None:
    """Assert that the text beside a rule names all deviations of the table."""
    if ties.elsewhere or (ties.needed and not set(ties.needed) & set(GAMES[table.game].expansions)):
        return
    if (ties.box and ties.box not in table.expansions) or (ties.needed and not set(ties.needed) & {*table.expansions}):
        assert NOT_PLAYED in beside
        return
    expected = list(deviations(ties, table))
    not_played = [text for text, is_not_played in expected if is_not_played]
    if not_played:
        assert NOT_PLAYED in beside
        assert any(text in page for text in not_played)
        return
    assert NOT_PLAYED not in beside
    assert (CHANGED in beside) == bool(expected)
    for text, _ in expected:
        assert text in beside
    for name in ties.options:
        if is_relevant(name, table.values):
            assert option_text(ties, name, table.values) in beside
    if not expected and any(is_relevant(name, table.values) for name in ties.names):
        assert "At this table" in beside


@pytest.mark.parametrize("table", by_expansions(TABLES), ids=str)
def test_every_page_of_a_topic_names_the_tables_deviations(table: Table) -> None:
    panels = table.panels
    for topic in topics_to_check(table):
        rule_ids = []
        for page in pages_of(panels, topic):
            parts = page.split("\n\n")
            for rule in map(BOOK.rules.__getitem__, topic.rules):
                beside = [part for part in parts if part.startswith(f"**{rule.id} · ")]
                if beside:
                    rule_ids.append(rule.id)
                    assert_deviations_named(rule.ties, table, beside[0].partition(rule.text)[2], page)
            for text, _ in deviations(topic.ties, table):
                assert NOT_PLAYED in parts[1]
                assert text in parts[1]
        assert tuple(rule_ids) == topic.rules


@pytest.mark.parametrize("table", by_expansions(EDITIONS), ids=str)
def test_every_rule_names_the_tables_deviations(table: Table) -> None:
    panels = table.panels
    for rule in BOOK.rules.values():
        if rule.game == table.game and (rule.ties.names or rule.ties.box):
            page = words(panels.pressed(rule.id)).partition(rule.text)[2]
            assert_deviations_named(rule.ties, table, page, page)


@pytest.mark.parametrize("table", by_expansions(TABLES), ids=str)
def test_the_summary_names_the_tables_deviations(table: Table) -> None:
    page = words(table.panels.pressed(""))
    assert "…" not in page
    expected = [text for name in (table.game, *table.expansions) for text, _ in deviations(BOOK.short[name], table)]
    assert (t("rulebook.short_changed") in page) == bool(expected)
    for text in expected:
        assert text in page.partition(t("rulebook.short_changed"))[2]


def test_a_page_without_a_table_names_no_deviations() -> None:
    panels = RuleBookPanels.of(None, PRESENTERS)
    for topic in BOOK.topics.values():
        for page in pages_of(panels, topic):
            assert not [text for text in (NOT_PLAYED, CHANGED, AS_WRITTEN, "At this table:") if text in page]


# -- the data ------------------------------------------------------------------------------------------------------


def test_every_option_of_the_engine_is_tied_to_its_rules() -> None:
    for name, game in GAMES.items():
        for entry in fields(game.options):
            tied_rules = {rule.id for rule in BOOK.rules.values() if rule.game == name and entry.name in rule.options}
            assert tied_rules
            assert set(entry.metadata["rules"]) <= tied_rules


def all_ties() -> Iterator[tuple[str, str, Ties]]:
    """Yield the ties of every text, with its name and its game."""
    yield from ((rule.id, rule.game, rule.ties) for rule in BOOK.rules.values())
    yield from ((topic.id, topic.game, topic.ties) for topic in BOOK.topics.values())
    yield from ((name, name if name in GAMES else CARCASSONNE, ties) for name, ties in BOOK.short.items())


def test_ties_name_options_values_and_boxes_of_their_game() -> None:
    for name, game, ties in all_ties():
        known_values = {
            option: {str(value) for value in values} for option, values in GAMES[game].options.values().items()
        }
        assert set(ties.names) <= known_values.keys(), name
        for option, values in chain.from_iterable(clause.values for clause in (*ties.only, *ties.expects)):
            assert set(values) < known_values[option], name
        for key, text in ties.meanings:
            option, _, value = key.partition("=")
            assert option in ties.names, name
            assert value in known_values[option], name
            assert not text.endswith("."), name
        assert {*ties.needed, *filter(None, [ties.box])} <= REGISTRY.keys(), name
        assert game == CARCASSONNE or not ties.box, name


def test_the_summaries_of_all_games_and_expansions_have_ties() -> None:
    assert BOOK.short.keys() == {*GAMES, *REGISTRY}


def test_a_rule_tied_to_a_moot_option_is_tied_to_the_deciding_one() -> None:
    for rule in BOOK.rules.values():
        for name in set(rule.options) & MOOT.keys():
            assert set(MOOT[name].names) & set(rule.options), (rule.id, name)


def test_the_summary_assumes_the_standard_rules() -> None:
    for name, ties in BOOK.short.items():
        standard = GAMES[name if name in GAMES else CARCASSONNE].options().mapping()
        for option, values in chain.from_iterable(clause.values for clause in ties.expects):
            assert str(standard[option]) in values


@pytest.mark.parametrize("option", OPTION_WORDS)
def test_a_rule_that_mentions_an_options_subject_is_tied_to_it(option: str) -> None:
    pattern, harmless = OPTION_WORDS[option]
    mentioning = {rule.id for rule in BOOK.rules.values() if re.search(pattern, rule.words, re.IGNORECASE)}
    applicable = {rule_id for rule_id in mentioning if not BOOK.rules[rule_id].ties.elsewhere}
    assert applicable >= harmless
    assert not [rule_id for rule_id in applicable - harmless if option not in BOOK.rules[rule_id].options]


def rules_with_options() -> Iterator[tuple[Rule, str]]:
    """Yield each rule that can apply, with each option that it depends on."""
    for rule in BOOK.rules.values():
        needs = {entry.name: set(entry.metadata["needs"]) for entry in fields(GAMES[rule.game].options)}
        for option in rule.options:
            if not rule.ties.elsewhere and needs[option] <= REGISTRY.keys():
                yield rule, option


@pytest.mark.parametrize(("rule", "option"), [*rules_with_options()], ids=lambda value: getattr(value, "id", value))
def test_a_rule_has_a_different_text_for_each_value_of_its_option(rule: Rule, option: str) -> None:
    kinds = GAMES[rule.game].options.values()
    other_clauses = [clause for clause in rule.ties.only if option not in clause.names]
    if option in MOOT:
        other_clauses.append(MOOT[option])
    chosen: dict[str, Any] = {}
    for clause in other_clauses:
        name, allowed = clause.values[0]
        chosen[name] = next(value for value in kinds[name] if str(value) in allowed)
    expansions = tuple(REGISTRY) if rule.game == CARCASSONNE else ()
    texts = {
        words(Table(rule.game, expansions, tuple({**chosen, option: value}.items())).panels.pressed(rule.id))
        for value in kinds[option]
    }
    assert len(texts) == len(kinds[option])


# -- regressions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule_id", "options", "verdict"),
    [
        ("BR-15", {"bridge_timing": "any_time"}, NOT_PLAYED), ("BR-14", {}, NOT_PLAYED),
        ("CA-07", {"castle_conversion_trigger": "own_tile_only"}, NOT_PLAYED),
        ("BZ-21", {"bazaar_bid_limit": "own_score"}, NOT_PLAYED), ("BZ-22", {}, NOT_PLAYED),
        ("CA-02", {"castle_town_shape": "city_ends"}, NOT_PLAYED), ("CA-04", {}, NOT_PLAYED),
        ("BZ-12", {"bazaar_mode": "draft"}, NOT_PLAYED), ("BA-28", {"farmers": False}, NOT_PLAYED),
        ("CA-01", {"castle_conversion_trigger": "own_tile_only"}, CHANGED),
        ("CA-16", {"castle_conversion_trigger": "own_tile_only"}, CHANGED),
        ("CA-40", {"castle_auto_choose": True}, NOT_PLAYED), ("CA-41", {}, NOT_PLAYED),
        ("CA-28a", {"castle_first_score": "same_round"}, CHANGED),
        ("CA-52", {"castle_first_score": "same_round"}, NOT_PLAYED),
        ("BZ-10", {"bazaar_too_few_tiles": "reveal_rest"}, CHANGED),
        ("BZ-27", {"bazaar_too_few_tiles": "reveal_rest"}, CHANGED),
        ("CA-59", {"farm_scoring": "farm3_once_per_city"}, CHANGED),
        ("HV-01", {}, NOT_PLAYED), ("HV-01", {"bazaar_all_zero_fallback": "draft"}, ""),
        ("BZ-30", {"bazaar_mode": "draft"}, CHANGED),
    ],
)  # fmt: skip
def test_a_deviation_is_marked_beside_the_rule(rule_id: str, options: dict[str, Any], verdict: str) -> None:
    rule = BOOK.rules[rule_id]
    page = words(Table(CARCASSONNE, (BCB, TB), tuple(options.items())).panels.pressed(rule_id)).partition(rule.text)[2]
    assert [text for text in (NOT_PLAYED, CHANGED) if text in page] == ([verdict] if verdict else [])
    for name, value in options.items():
        assert option_text(rule.ties, name, {name: str(value)}) in page


@pytest.mark.parametrize(
    ("rule_id", "options", "name"),
    [
        ("HV-01", {"bazaar_mode": "draft"}, "bazaar_all_zero_fallback"),
        ("BA-39", {"farmers": False, "farm_scoring": "city4"}, "farm_scoring"),
        ("ED-14", {"castle_auto_choose": True}, "castle_simultaneous_choice"),
        ("BZ-06", {"bazaar_too_few_tiles": "reveal_rest"}, "bazaar_tile_count_check"),
        ("BA-10", {}, "bridge_timing"),
    ],
)
def test_a_moot_option_is_not_mentioned(rule_id: str, options: dict[str, Any], name: str) -> None:
    expansions = (BCB,) if rule_id != "BA-10" else ()
    page = words(Table(CARCASSONNE, expansions, tuple(options.items())).panels.pressed(rule_id))
    assert not [value for value in GAMES[CARCASSONNE].options.values()[name] if t(f"option.{name}.{value}") in page]


@pytest.mark.parametrize(("rule_id", "value"), [("TC-55", "end_of_turn"), ("HV-06", "per_feature")])
def test_the_replaced_rule_of_the_castle_is_marked_as_not_played(rule_id: str, value: str) -> None:
    page = words(Table(THE_CASTLE, (), (("tc_wall_pickup", value),)).panels.pressed(rule_id))
    assert NOT_PLAYED in page
    assert t(f"option.tc_wall_pickup.{value}") in page


def test_in_a_draft_all_pages_of_the_auction_are_marked() -> None:
    for page in pages_of(Table(CARCASSONNE, (BCB,), (("bazaar_mode", "draft"),)).panels, BOOK.topics["auction"]):
        assert t("option.bazaar_mode.draft") in page.split("\n\n")[1]


def test_a_rule_played_as_written_is_confirmed() -> None:
    page = words(Table(CARCASSONNE, (BCB,)).panels.pressed("castle-points 0"))
    assert f"{BOOK.rules['CA-28'].text}\n{AS_WRITTEN}" in page


@pytest.mark.parametrize(("expansions", "tiles"), [((), 71), ((BCB,), 83), ((TB,), 95), ((BCB, TB), 107)])
def test_the_size_of_the_pile_includes_the_tables_expansions(expansions: tuple[str, ...], tiles: int) -> None:
    panels = Table(CARCASSONNE, expansions).panels
    pile_text = t("rulebook.tells.pile", count=tiles)
    assert pile_text in words(panels.pressed("SU-03"))
    assert pile_text in "".join(pages_of(panels, BOOK.topics["getting-ready"]))
    assert len(panels.setup.pile if panels.setup else ()) == tiles
    assert "83" not in BOOK.rules["SU-03"].text
