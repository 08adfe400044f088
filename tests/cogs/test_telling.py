"""A table told in words alone: it can be rebuilt from them, and they tell no more than they may."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from cogs.commands.in_words import Chosen, suggestions, words_panel
from cogs.games.presenters import PRESENTERS, presenter_of
from cogs.presenting.ids import MAX_CUSTOM_ID_LENGTH, Key, Op
from cogs.texts import t
from cogs.texts.languages import languages, speaking
from cogs.words.refusals import RefusedError
from cogs.words.story import ROOM, aloud, pages, sentence
from cogs.words.telling import AROUND, FEATURES, LASTING, LEFT, PARTS, SINCE, TILES, Telling
from engine import GAMES, Position, begin
from engine.carcassonne.expansions.bridges_castles_bazaars import BidOnLot, still_to_lay
from engine.carcassonne.expansions.fairy import fairy_of
from engine.carcassonne.expansions.traders_builders import goods_of
from engine.selfplay import random_action
from host import LoggedAction, Table, TableSettings
from tests.cogs.listening import Rebuilt, heard_features, seen, seen_features
from tests.cogs.positions import MOMENT, game_of
from tests.engine import carcassonne_games, the_castle_games
from tests.engine.carcassonne_games import SAMPLED

LANGUAGES = tuple(languages())
CASTLE = "the-castle"
SEEDS = 3
SOAKED = 200
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
    """A table in the middle of a lively game, or where something is as it shall be."""
    games = the_castle_games if game == CASTLE else carcassonne_games
    random = Random(seed)
    kind = GAMES[game]
    expansions = () if game == CASTLE else tuple(box for box in SAMPLED if random.random() < 0.7 or seed % 3 == 0)
    chosen = expansions if boxes is None else tuple(boxes)
    setup = kind.new_setup(players=players, seed=str(seed), options=kind.options(), expansions=chosen)
    position: Position = begin(games.crowded(setup) if seed % 2 else setup)  # type: ignore[arg-type]
    log: list[LoggedAction] = []
    for _ in range(random.randint(1, 150)):
        if position.step is None or until(position):
            break
        lively = random.random() < 0.9
        action = games.lively_action(position, random) if lively else random_action(position, random)  # type: ignore[arg-type]
        log.append(LoggedAction(position.ply, position.player, 100 + position.player, action, MOMENT))
        position.apply(action)
    return Table(replace(game_of(position), settings=settings or TableSettings()), position, tuple(log))


def telling_of(table: Table, user_id: int = 100) -> Telling:
    """What is told to somebody at it."""
    return Telling(presenter_of(table.position), table, user_id)


def rebuild(game: str, seed: int, *, boxes: Sequence[str] | None = None) -> None:
    """Do so with a table in the middle of a game."""
    compare(telling_of(table_of(game, seed, players=2 + seed % 4 if game != CASTLE else 2, boxes=boxes)))


def compare(telling: Telling) -> None:
    """Listen to a table, and compare what was heard with what lies there."""
    there = seen(telling)
    rebuilt = Rebuilt(there.game, there.names)
    rebuilt.hear(telling)
    there.supplies = rebuilt.supplies
    assert rebuilt == there
    supply = telling.position.supply
    for seat, name in enumerate(there.names):
        pieces = [counts[seat] for piece, counts in supply.items() if piece in ("follower", "bridge", "castle")]
        assert rebuilt.supplies[name][: len(pieces)] == pieces


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_can_be_rebuilt_from_words(game: str, language: str) -> None:
    with speaking(language):
        for seed in range(SEEDS):
            rebuild(game, seed)


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_features_are_told_with_who_stands_there_where_they_are_open_and_what_they_bring(
    game: str, language: str
) -> None:
    with speaking(language):
        for seed in range(SEEDS):
            telling = telling_of(table_of(game, seed))
            assert heard_features(telling) == seen_features(telling)


def bidding(position: Any) -> bool:
    """Whether somebody has bid, and several may still."""
    step = position.step
    return isinstance(step, BidOnLot) and position.players - len({*step.bazaar.owners} - {-1}) > 2


SCENES = {
    "bids": (("bridges-castles-bazaars",), bidding),
    "goods": (("bridges-castles-bazaars", "traders-builders"), lambda position: sum(map(len, goods_of(position))) > 2),
    "bought": (("bridges-castles-bazaars",), lambda position: len(list(still_to_lay(position))) > 1),
    "fairy": (("bridges-castles-bazaars", "fairy"), lambda position: fairy_of(position) is not None),
}


@pytest.mark.parametrize("scene", SCENES)
def test_what_boxes_bring_can_be_rebuilt_from_words(scene: str) -> None:
    boxes, until = SCENES[scene]
    for number, language in enumerate(LANGUAGES):
        tables = (table_of("carcassonne", seed, 4, boxes=boxes, until=until) for seed in range(number, 99, 5))
        table = next(table for table in tables if until(table.position))
        with speaking(language):
            compare(telling_of(table))


@pytest.mark.soak
@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_many_tables_can_be_rebuilt_from_words(game: str, language: str) -> None:
    """With sample boxes, and every other table with all that are offered."""
    with speaking(language):
        for seed in range(SEEDS, SOAKED):
            rebuild(game, seed, boxes=GAMES[game].expansions if seed % 2 else None)


def texts(table: Table) -> Iterator[str]:
    """Everything that is told of a table."""
    telling = telling_of(table)
    for part in telling.parts:
        yield from telling.entries(part)


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_told_by_signs_and_every_page_ends_with_a_sentence(game: str, language: str) -> None:
    with speaking(language):
        for seed in (1, 2):
            for told in texts(table_of(game, seed, boxes=GAMES[game].expansions)):
                assert told == aloud(told)
                assert told.endswith((".", "!", "?"))
                assert "…" not in told


@every_game
def test_without_aids_words_tell_what_the_picture_tells(game: str) -> None:
    table = table_of(game, 5)
    aided = list(texts(table))
    plain = list(texts(table_of(game, 5, settings=TableSettings(hints=False))))
    worth = [t(key, count=9).partition("9")[0] for key in ("tell.complete", "tell.at_end")]
    assert any(start in told for told in aided for start in worth)
    assert not any(start in told for told in plain for start in worth)
    assert not any(t("tell.goes_nowhere") in told for told in plain)
    assert LEFT in telling_of(table).parts
    assert LEFT not in telling_of(table_of(game, 5, settings=TableSettings(hints=False))).parts


@every_game
def test_first_everything_since_ones_own_last_move(game: str) -> None:
    table = table_of(game, 4)
    telling = telling_of(table, table.log[-1].user_id)
    assert telling.entries(SINCE) == [t("log.empty_since")]
    other = next(entry.user_id for entry in reversed(table.log) if entry.user_id != table.log[-1].user_id)
    since = " ".join(telling_of(table, other).entries(SINCE))
    assert telling.names[table.log[-1].seat] in since
    laid = telling.position.placed()
    *_, last = laid
    whole = " ".join(telling_of(table, 7).entries(SINCE))
    lying = telling.presenter.tile_aloud(last.tile, last.rotation)
    assert t("story.placed", player=telling.names[last.player], cell=last.cell.label, tile=lying) in whole


def test_before_the_first_tile_there_is_nothing_around_a_cell() -> None:
    """The Castle begins with an empty board: a cell could be asked for, and nothing was answered."""
    position = begin(GAMES[CASTLE].new_setup(players=2, seed="1"))
    table = Table(game_of(position), position, ())
    telling = telling_of(table)
    assert AROUND not in telling.parts
    assert [telling.entries(part) for part in telling.parts]
    with pytest.raises(RefusedError):
        words_panel(telling.presenter, table, 100, Chosen(AROUND))


@every_game
def test_around_a_cell_leads_in_four_directions(game: str) -> None:
    telling = telling_of(table_of(game, 2))
    here, *directions = telling.entries(AROUND, telling.last.cell.label)
    assert here.startswith(t("tell.here", cell=telling.last.cell.label))
    assert [told.partition(",")[0] for told in directions] == ["North", "East", "South", "West"]
    far = list(telling.entries(AROUND, "Z99"))
    assert any(t("tell.outside" if game == CASTLE else "tell.empty") in told for told in far)


@every_game
def test_the_panel_goes_from_part_to_part(game: str) -> None:
    table = table_of(game, 3)
    presenter = presenter_of(table.position)
    for part in (*PARTS, *telling_of(table).parts):
        for chosen in (Chosen(part), Chosen(part, page=1), Chosen(part, page=99)):
            payload = words_panel(presenter, table, 100, chosen).to_components()
            frame = payload[0]["components"]  # type: ignore[typeddict-item]
            assert frame[0]["type"] == 10
            assert len(frame[0]["content"]) <= ROOM
            ids = [item["custom_id"] for row in frame[1:] for item in row["components"]]
            assert len(set(ids)) == len(ids)
            assert all(len(found) <= MAX_CUSTOM_ID_LENGTH for found in ids)
            assert str(Key(Op.TELL, "K7QF", table.game.revision, "menu")) in ids


def test_what_is_typed_is_a_part_or_a_cell() -> None:
    table = table_of("carcassonne", 2)
    presenter = presenter_of(table.position)
    assert Chosen.typed("m13") == Chosen(AROUND, cell="M13")
    assert Chosen.typed("tiles 2") == Chosen(TILES, page=2)
    assert dict(suggestions(presenter, table, 100, "open")) == {t("tell.part.features"): FEATURES}
    assert ("Around a Cell: M13", "around M13") in list(suggestions(presenter, table, 100, "m13"))
    assert LASTING in dict(suggestions(presenter, table, 100, "")).values()


def test_pages_are_cut_between_sentences() -> None:
    entries = ["One, two; three", "Four!", "x" * 30 + ", " + "y" * 30]
    assert pages(entries, 40) == ["One, two; three.\nFour!", "x" * 30 + ".", "y" * 30 + "."]
    assert sentence("") == ""
    assert aloud("-# ▲ **Ana 3** · 2 followers ◂ → 5 🎲") == "**Ana 3**, 2 followers: 5"
