"""*In Words*, the description of a table as text: the table can be reconstructed from it, in every language.

The tables come from random games; the players have the user ids 100, 101 and so on.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from cogs.commands.board import ChosenPart, description_panel, suggestions
from cogs.games.presenters import PRESENTERS, presenter_of
from cogs.presenting.ids import MAX_CUSTOM_ID_LENGTH, Key, Op
from cogs.texts import t
from cogs.texts.languages import languages, speaking
from cogs.words.refusals import RefusedError
from cogs.words.story import SPEECH_LIMIT, aloud, as_sentence, pages
from cogs.words.telling import AROUND, FEATURES, LASTING, PARTS, PILE, SINCE, TILES, TableDescription
from engine import GAMES, Position, begin
from engine.carcassonne.expansions.bridges_castles_bazaars import BidOnLot, still_to_lay
from engine.carcassonne.expansions.fairy import fairy_of
from engine.carcassonne.expansions.king_robber import Marker, holding_of
from engine.carcassonne.expansions.traders_builders import goods_of
from engine.selfplay import random_action
from host import LoggedAction, Table, TableSettings
from tests.cogs.description_parser import (
    RebuiltTable,
    features_from_description,
    features_from_engine,
    table_from_engine,
)
from tests.cogs.positions import NOW, game_of
from tests.discord_limits.components import Kind
from tests.engine import carcassonne_games, the_castle_games
from tests.engine.carcassonne_games import SAMPLE_EXPANSIONS

LANGUAGES = tuple(languages())
CASTLE = "the-castle"
SEED_COUNT = 3
"""Random games in each run."""
SOAK_SEED_COUNT = 200
"""Random games with `make soak`."""
every_game = pytest.mark.parametrize("game", PRESENTERS)


def table_of(
    game: str,
    seed: int,
    players: int = 2,
    *,
    settings: TableSettings | None = None,
    boxes: Sequence[str] | None = None,
    until: Callable[[Any], bool] = lambda _: False,
) -> Table:
    """Return a table in the middle of a random game, or at a position that satisfies a condition."""
    games = the_castle_games if game == CASTLE else carcassonne_games
    rng = Random(seed)
    kind = GAMES[game]
    expansions = (
        () if game == CASTLE else tuple(box for box in SAMPLE_EXPANSIONS if rng.random() < 0.7 or seed % 3 == 0)
    )
    chosen = expansions if boxes is None else tuple(boxes)
    setup = kind.new_setup(players=players, seed=str(seed), options=kind.options(), expansions=chosen)
    position: Position = begin(games.crowded(setup) if seed % 2 else setup)  # type: ignore[arg-type]
    log: list[LoggedAction] = []
    for _ in range(rng.randint(1, 150)):
        if position.step is None or until(position):
            break
        lively = rng.random() < 0.9  # lively actions complete features; random ones reach the rest
        action = games.lively_action(position, rng) if lively else random_action(position, rng)  # type: ignore[arg-type]
        log.append(LoggedAction(position.ply, position.player, 100 + position.player, action, NOW))
        position.apply(action)
    return Table(replace(game_of(position), settings=settings or TableSettings()), position, tuple(log))


def telling_of(table: Table, user_id: int = 100) -> TableDescription:
    """Return the description of a table for a user."""
    return TableDescription(presenter_of(table.position), table, user_id)


def check_game(game: str, seed: int, *, boxes: Sequence[str] | None = None) -> None:
    """Check the reconstruction of a table in the middle of a game."""
    check_reconstruction(telling_of(table_of(game, seed, players=2 + seed % 4 if game != CASTLE else 2, boxes=boxes)))


def check_reconstruction(telling: TableDescription) -> None:
    """Assert that the table reconstructed from a description equals the real one."""
    expected = table_from_engine(telling)
    rebuilt = RebuiltTable(expected.game, expected.names)
    rebuilt.read(telling)
    expected.supplies = rebuilt.supplies  # compared below: the text has further pieces, in another order
    assert rebuilt == expected
    supply = telling.position.supply
    for seat, name in enumerate(expected.names):
        pieces = [counts[seat] for piece, counts in supply.items() if piece in ("follower", "bridge", "castle")]
        assert rebuilt.supplies[name][: len(pieces)] == pieces


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_can_be_reconstructed_from_its_description(game: str, language: str) -> None:
    with speaking(language):
        for seed in range(SEED_COUNT):
            check_game(game, seed)


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_features_are_described_with_figures_open_sides_and_points(game: str, language: str) -> None:
    with speaking(language):
        for seed in range(SEED_COUNT):
            telling = telling_of(table_of(game, seed))
            assert features_from_description(telling) == features_from_engine(telling)


def has_running_auction(position: Any) -> bool:
    """Return whether an auction is running and several players may still bid."""
    step = position.step
    return isinstance(step, BidOnLot) and position.players - len({*step.bazaar.owners} - {-1}) > 2


SCENES = {
    "bids": (("bridges-castles-bazaars",), has_running_auction),
    "goods": (("bridges-castles-bazaars", "traders-builders"), lambda position: sum(map(len, goods_of(position))) > 2),
    "bought": (("bridges-castles-bazaars",), lambda position: len(list(still_to_lay(position))) > 1),
    "markers": (("king-robber",), lambda position: all(holding_of(position, marker) for marker in Marker)),
    "fairy": (("bridges-castles-bazaars", "fairy"), lambda position: fairy_of(position) is not None),
}
"""Situations that a random game has to reach: expansions and a condition."""


@pytest.mark.parametrize("scene", SCENES)
def test_elements_of_expansions_can_be_reconstructed(scene: str) -> None:
    boxes, until = SCENES[scene]
    for number, language in enumerate(LANGUAGES):
        tables = (table_of("carcassonne", seed, 4, boxes=boxes, until=until) for seed in range(number, 99, 5))
        table = next(table for table in tables if until(table.position))
        with speaking(language):
            check_reconstruction(telling_of(table))


@pytest.mark.soak
@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_many_tables_can_be_reconstructed(game: str, language: str) -> None:
    """The tables use sample expansions, and every other one all that are offered."""
    with speaking(language):
        for seed in range(SEED_COUNT, SOAK_SEED_COUNT):
            check_game(game, seed, boxes=GAMES[game].expansions if seed % 2 else None)


def all_texts(table: Table) -> Iterator[str]:
    """Yield all texts about a table."""
    telling = telling_of(table)
    for part in telling.parts:
        yield from telling.entries(part)


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_descriptions_have_no_signs_and_end_with_a_sentence(game: str, language: str) -> None:
    with speaking(language):
        for seed in (1, 2):
            for text in all_texts(table_of(game, seed, boxes=GAMES[game].expansions)):
                assert text == aloud(text)
                assert text.endswith((".", "!", "?"))
                assert "…" not in text


@every_game
def test_without_hints_the_description_reveals_no_more_than_the_picture(game: str) -> None:
    table = table_of(game, 5)
    texts_with_hints = list(all_texts(table))
    texts_without_hints = list(all_texts(table_of(game, 5, settings=TableSettings(hints=False))))
    points_prefixes = [t(key, count=9).partition("9")[0] for key in ("tell.complete", "tell.at_end")]
    assert any(prefix in text for text in texts_with_hints for prefix in points_prefixes)
    assert not any(prefix in text for text in texts_without_hints for prefix in points_prefixes)
    assert not any(t("tell.goes_nowhere") in text for text in texts_without_hints)
    assert PILE in telling_of(table).parts
    assert PILE not in telling_of(table_of(game, 5, settings=TableSettings(hints=False))).parts


@every_game
def test_the_first_part_covers_the_events_since_the_last_own_move(game: str) -> None:
    table = table_of(game, 4)
    telling = telling_of(table, table.log[-1].user_id)
    assert telling.entries(SINCE) == [t("log.empty_since")]
    other_user = next(entry.user_id for entry in reversed(table.log) if entry.user_id != table.log[-1].user_id)
    recent = " ".join(telling_of(table, other_user).entries(SINCE))
    assert telling.names[table.log[-1].seat] in recent
    placed_tiles = telling.position.placed()
    *_, last = placed_tiles
    all_events = " ".join(telling_of(table, 7).entries(SINCE))
    tile_description = telling.presenter.tile_aloud(last.tile, last.rotation)
    assert (
        t("story.placed", player=telling.names[last.player], cell=last.cell.label, tile=tile_description) in all_events
    )


def test_an_empty_board_has_no_part_around_a_cell() -> None:
    """Regression: on the empty board of The Castle, a request for a cell had no answer."""
    position = begin(GAMES[CASTLE].new_setup(players=2, seed="1"))
    table = Table(game_of(position), position, ())
    telling = telling_of(table)
    assert AROUND not in telling.parts
    assert [telling.entries(part) for part in telling.parts]
    with pytest.raises(RefusedError):
        description_panel(telling.presenter, table, 100, ChosenPart(AROUND))


@every_game
def test_the_part_around_a_cell_has_four_directions(game: str) -> None:
    telling = telling_of(table_of(game, 2))
    cell_itself, *directions = telling.entries(AROUND, telling.last.cell.label)
    assert cell_itself.startswith(t("tell.here", cell=telling.last.cell.label))
    assert [text.partition(",")[0] for text in directions] == ["North", "East", "South", "West"]
    distant = list(telling.entries(AROUND, "Z99"))
    assert any(t("tell.outside" if game == CASTLE else "tell.empty") in text for text in distant)


@every_game
def test_the_panel_leads_from_part_to_part(game: str) -> None:
    table = table_of(game, 3)
    presenter = presenter_of(table.position)
    for part in (*PARTS, *telling_of(table).parts):
        for chosen in (ChosenPart(part), ChosenPart(part, page=1), ChosenPart(part, page=99)):
            payload = description_panel(presenter, table, 100, chosen).to_components()
            frame = payload[0]["components"]  # type: ignore[typeddict-item]
            assert frame[0]["type"] == Kind.TEXT_DISPLAY
            assert len(frame[0]["content"]) <= SPEECH_LIMIT
            ids = [item["custom_id"] for row in frame[1:] for item in row["components"]]
            assert len(set(ids)) == len(ids)
            assert all(len(custom_id) <= MAX_CUSTOM_ID_LENGTH for custom_id in ids)
            assert str(Key(Op.TELL, "K7QF", table.game.revision, "menu")) in ids


def test_a_part_or_a_cell_can_be_typed() -> None:
    table = table_of("carcassonne", 2)
    presenter = presenter_of(table.position)
    assert ChosenPart.typed("m13") == ChosenPart(AROUND, cell="M13")
    assert ChosenPart.typed("tiles 2") == ChosenPart(TILES, page=2)
    assert dict(suggestions(presenter, table, 100, "open")) == {t("tell.part.features"): FEATURES}
    assert ("Around a Cell: M13", "around M13") in list(suggestions(presenter, table, 100, "m13"))
    assert LASTING in dict(suggestions(presenter, table, 100, "")).values()


def test_pages_break_between_sentences() -> None:
    entries = ["One, two; three", "Four!", "x" * 30 + ", " + "y" * 30]
    assert pages(entries, 40) == ["One, two; three.\nFour!", "x" * 30 + ".", "y" * 30 + "."]
    assert as_sentence("") == ""
    assert aloud("-# ▲ **Ana 3** · 2 followers ◂ → 5 🎲") == "**Ana 3**, 2 followers: 5"
