"""The panel in which the owner of a lobby (a table whose game has not started) chooses the rules.

Each button carries a ``Target``, a page and perhaps a requested change (``Wish``); forged arguments have to be
refused. ``t`` looks up a text by its key.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from cogs.commands.table_options import (
    BOXES,
    EDITIONS,
    HINT,
    OWN,
    PRESET,
    TABLE,
    TIME,
    OptionPanels,
    Target,
    all_pages,
    all_targets,
    pages,
)
from cogs.games.presenters import PRESENTERS
from cogs.presenting.ids import Op, parse_key
from cogs.texts import t
from cogs.words.refusals import RefusedError
from engine import GAMES
from engine.hints import Hint
from host import Lobby, LobbyState, TableSettings
from renderers import THEMES
from tests.cogs.test_lobby import create_lobby
from tests.discord_limits.components import Kind, component_problems, walk

OWNER, GUEST = 100, 101
"""User ids of the owner and of another member."""
BCB = ("bridges-castles-bazaars",)
"""The box Bridges, Castles & Bazaars alone."""


def lobby_of(game: str, **changes: Any) -> Lobby:
    """Return an open lobby of a game with its default rules."""
    expansions = GAMES[game].expansions
    open_lobby = replace(
        create_lobby(2), game=game, options={}, capacity=GAMES[game].players[-1], expansions=expansions
    )
    return replace(open_lobby, **changes)


def panels(table: Lobby, reader: int) -> OptionPanels:
    """Return the panel of a lobby for a reader."""
    return OptionPanels(PRESENTERS[table.game], table, reader)


def enabled_changes(view: Any) -> list[Target]:
    """Return the changes that the enabled buttons of a page make."""
    parts = [part for _, part in walk(view.to_components()) if part["type"] == Kind.BUTTON and not part.get("disabled")]
    keys = [parse_key(part["custom_id"]) for part in parts]
    assert all(key is not None and (key.op, key.ref) == (Op.CHANGE, "7") for key in keys)
    return [Target(*key.argument.split(" ")) for key in keys if key is not None]


@pytest.mark.parametrize("game", GAMES)
def test_every_page_keeps_the_limits_and_requests_valid_changes(game: str) -> None:
    table = lobby_of(game)
    valid_targets = set(all_targets(table))
    for page in all_pages(table):
        for reader in (OWNER, GUEST):
            view = panels(table, reader).page(page)
            assert not list(component_problems(view.to_components(), v2=True))
            assert set(enabled_changes(view)) <= valid_targets
            assert all(Target.parse(str(target), table) == target for target in enabled_changes(view))


@pytest.mark.parametrize("game", GAMES)
def test_every_option_has_a_page_and_every_value_can_be_chosen(game: str) -> None:
    options = GAMES[game].options
    offered = sorted(name for names in pages(lobby_of(game)).values() for name in names)
    irrelevant = {
        entry.name for entry in fields(options) if not set(entry.metadata["needs"]) <= set(GAMES[game].expansions)
    }
    assert offered == sorted(options.values().keys() - irrelevant)
    for page, names in pages(lobby_of(game)).items():
        for name in names:
            table, chosen_values = lobby_of(game), []
            for _ in options.values()[name]:
                target = next(
                    target for target in enabled_changes(panels(table, OWNER).page(page)) if target.setting == name
                )
                table = replace(table, options=target.options(table))
                chosen_values.append(getattr(options.of(table.options), name))
            assert set(chosen_values) == set(options.values()[name])
            assert table.options == {}  # each option is back at its default


@pytest.mark.parametrize("game", GAMES)
def test_presets_equal_those_of_the_engine(game: str) -> None:
    for name, options in GAMES[game].presets.items():
        target = Target.parse(f"{EDITIONS} {PRESET} {name}", lobby_of(game))
        assert GAMES[game].options.of(target.options(lobby_of(game))) == options


def words(view: Any) -> str:
    """Return the text of a page."""
    return "\n".join(part["content"] for _, part in walk(view.to_components()) if part["type"] == Kind.TEXT_DISPLAY)


def with_edition(table: Lobby, name: str) -> tuple[Lobby, str]:
    """Return the lobby after the choice of an edition, and the text of the panel."""
    target = Target.parse(f"{EDITIONS} {PRESET} {name}", table)
    after = replace(table, options=target.options(table))
    view = panels(after, OWNER).page(EDITIONS, target.changed(table))
    assert not list(component_problems(view.to_components(), v2=True))
    return after, words(view)


def test_an_edition_keeps_unrelated_rules_and_reports_it() -> None:
    table, text = with_edition(
        lobby_of("carcassonne", options={"bazaar_mode": "draft", "farmers": False}, expansions=BCB), "c1_zmg"
    )
    assert table.options == GAMES["carcassonne"].presets["c1_zmg"].differences() | {
        "bazaar_mode": "draft",
        "farmers": False,
    }
    kept_rules = text.partition(t("ruling.own", rules=""))[2]
    for phrase in (t("option.bazaar_mode.draft"), t("option.farmers.False")):
        assert t("ruling.rule", words=phrase) in kept_rules.splitlines()
    assert text.count(t("ruling.mark.on")) == 1
    (reset,) = [target for target in enabled_changes(panels(table, OWNER).page(EDITIONS)) if target.setting == OWN]
    assert reset.options(table) == GAMES["carcassonne"].presets["c1_zmg"].differences()
    plain = replace(table, options=reset.options(table))
    assert OWN not in {target.setting for target in enabled_changes(panels(plain, OWNER).page(EDITIONS))}


def test_an_edition_replaces_conflicting_rules_and_reports_it() -> None:
    before = lobby_of("carcassonne", options={"castle_town_shape": "any_two_tiles"}, expansions=BCB)
    table, text = with_edition(before, "c2_hig")
    assert "castle_town_shape" not in table.options
    change = t(
        "ruling.change",
        words=t("option.castle_town_shape.semicircles"),
        before=t("option.castle_town_shape.any_two_tiles"),
    )
    assert change in text.partition(t("ruling.changed"))[2].splitlines()
    again, text = with_edition(table, "c2_hig")
    assert again == table
    assert t("ruling.changed") not in text


@pytest.mark.parametrize("game", GAMES)
def test_exactly_the_changes_of_an_edition_are_reported(game: str) -> None:
    for first in GAMES[game].presets:
        table = with_edition(lobby_of(game), first)[0]
        for name, values in GAMES[game].options.values().items():
            single = replace(table, options=GAMES[game].options.of({**table.options, name: values[-1]}).differences())
            for second in GAMES[game].presets:
                target = Target.parse(f"{EDITIONS} {PRESET} {second}", single)
                old, new = (
                    GAMES[game].options.of(options).mapping() for options in (single.options, target.options(single))
                )
                in_play = {name for names in pages(single).values() for name in names}
                changes = {name: (old[name], new[name]) for name in in_play if old[name] != new[name]}
                assert changes == dict(target.changed(single))


def test_equal_editions_are_not_offered() -> None:
    view = panels(lobby_of("carcassonne", expansions=(), options={"farmers": False}), OWNER).page(EDITIONS)
    assert t("ruling.alike") in words(view)
    assert PRESET not in {target.setting for target in enabled_changes(view)}
    assert t("ruling.rule", words=t("option.farmers.False")) in words(view)


def test_options_of_an_absent_expansion_are_not_offered() -> None:
    assert list(pages(lobby_of("carcassonne", expansions=()))) == ["game"]


def test_only_the_owner_of_an_open_table_can_change_anything() -> None:
    game = next(iter(GAMES))
    for table, reader in (
        (lobby_of(game), GUEST),
        (lobby_of(game, state=LobbyState.STARTED), OWNER),
        (lobby_of(game, state=LobbyState.CLOSED), OWNER),
    ):
        for page in all_pages(table):
            assert not [target for target in enabled_changes(panels(table, reader).page(page)) if target.changes]


def test_hints_are_switched_one_by_one_or_all_together() -> None:
    table = lobby_of(next(iter(GAMES)))
    for hint in Hint:
        target = Target.parse(f"{TABLE} {HINT} {hint}", table)
        without = target.settings(table)
        assert [other for other in Hint if not without.allows(other)] == [hint]
        assert target.settings(replace(table, settings=without)) == TableSettings()
    purist = Target.parse(f"{TABLE} hints all", table).settings(table)
    assert not any(purist.allows(hint) for hint in Hint)


def test_the_theme_of_public_pictures_can_be_chosen() -> None:
    table = lobby_of(next(iter(GAMES)))
    chosen_themes = []
    for _ in THEMES:
        target = next(
            target for target in enabled_changes(panels(table, OWNER).page(TABLE)) if target.setting == "theme"
        )
        table = replace(table, settings=target.settings(table))
        chosen_themes.append(table.settings.theme)
    assert set(chosen_themes) == set(THEMES)


@pytest.mark.parametrize(
    "argument",
    [
        "", " ", "nowhere", "table hint", "table hint sight", "table theme pink", "table  hints all",
        "bazaars bazaar_mode 2", "bazaars bazaar_mode -1", "bazaars bazaar_mode x", "castles bazaar_mode 1",
        "editions preset atlantis", "game __class__ 0", "a b c d",
    ],
)  # fmt: skip
def test_forged_arguments_are_refused(argument: str) -> None:
    with pytest.raises(RefusedError):
        Target.parse(argument, lobby_of("carcassonne"))


@pytest.mark.parametrize("game", GAMES)
def test_expansions_are_chosen_if_a_game_has_any(game: str) -> None:
    boxes = GAMES[game].expansions
    assert (BOXES in all_pages(lobby_of(game))) is bool(boxes)
    for name in boxes:
        target = Target.parse(f"{BOXES} box {name}", lobby_of(game))
        fewer = target.expansions(lobby_of(game))
        assert fewer == tuple(box for box in boxes if box != name)
        assert target.expansions(lobby_of(game, expansions=fewer)) == boxes  # restored to the game's order


def test_the_page_of_expansions_marks_the_chosen_and_offers_all() -> None:
    table = lobby_of("carcassonne", expansions=BCB)
    view = panels(table, OWNER).page(BOXES)
    labels = [part["label"] for _, part in walk(view.to_components()) if part["type"] == Kind.BUTTON]
    for name in GAMES["carcassonne"].expansions:
        mark = t("ruling.sign.on" if name in BCB else "ruling.sign.off")
        assert t("ruling.box", chosen=mark, name=t(f"expansion.{name}")) in labels
    assert t("expansion.base") in words(panels(replace(table, expansions=()), OWNER).page(BOXES))
    guest_changes = enabled_changes(panels(table, GUEST).page(BOXES))
    assert not [target for target in guest_changes if target.changes]


def test_twenty_expansions_fit_on_their_page(monkeypatch: pytest.MonkeyPatch) -> None:
    game = replace(GAMES["carcassonne"], expansions=GAMES["carcassonne"].expansions[:2] * 10)
    monkeypatch.setattr("cogs.commands.table_options.GAMES", {"carcassonne": game})
    view = panels(lobby_of("carcassonne", expansions=BCB), OWNER).page(BOXES)
    problems = [text for text in map(str, component_problems(view.to_components(), v2=True)) if "custom_id" not in text]
    assert problems == []


@pytest.mark.parametrize("argument", ["boxes box atlantis", "boxes box fairy", "boxes box", "boxes preset c1_zmg"])
def test_a_forged_expansion_is_refused(argument: str) -> None:
    with pytest.raises(RefusedError):
        Target.parse(argument, lobby_of("carcassonne"))


def test_boxes_come_first_and_editions_are_behind_more() -> None:
    table = lobby_of("carcassonne")
    pages_linked = [str(target) for target in enabled_changes(panels(table, OWNER).page("")) if not target.changes]
    assert pages_linked == [TABLE, TIME, EDITIONS]
    assert t("expansion.base") in words(panels(replace(table, expansions=()), OWNER).page(""))
    assert str(Target(BOXES)) in map(str, enabled_changes(panels(table, OWNER).page(EDITIONS)))
