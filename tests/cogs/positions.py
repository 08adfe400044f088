"""Positions and stored games of Carcassonne for the tests of the presentation.

A position is the state of a game in the engine, a stored game its record in the database: code, name, players and
settings. No database is involved; the ids are arbitrary.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random

from engine import Action, Cell, Place
from engine.carcassonne import Options, PlaceTile, Position, new_setup
from engine.events import Event
from gallery.built_positions import arrange
from host import Game, GameStatus, LoggedAction, Moment, Person, Table

LONG_NAMES = tuple(f"*_`~|>#[x](y)-<@1>@everyone{seat}".ljust(32, "W") for seat in range(6))
"""Names of the maximal length, full of Discord's markup."""
NOW = datetime(2026, 1, 1, tzinfo=UTC)
"""The creation time of all games."""


def game_of(position: Position, names: tuple[str, ...] = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn")) -> Game:
    """Return a stored game at this position."""
    seats = tuple(Person(100 + seat, name) for seat, name in enumerate(names[: position.players]))
    return Game(
        id=1,
        code="K7QF",
        name="Amber Gate",
        guild_id=1,
        channel_id=2,
        thread_id=3,
        seats=seats,
        ply=position.ply,
        seat_to_act=None if position.player < 0 else position.player,
        status=GameStatus.FINISHED if position.is_over else GameStatus.RUNNING,
        created_at=NOW,
        updated_at=NOW,
        setup_text=position.setup.to_json(),
    )


def random_game(
    players: int, seed: int, options: Options | None = None
) -> Iterator[tuple[Position, Action, tuple[Event, ...]]]:
    """Play a random game; yield the position after each action, the action and its events."""
    rng = Random(seed)
    position = Position(new_setup(players=players, seed=str(seed), options=options))
    while position.step is not None:
        action = rng.choice(position.legal_actions)
        events = position.apply(action)
        yield position, action, events


def finished_game(players: int, seed: int, names: tuple[str, ...] = LONG_NAMES) -> tuple[Table, Moment]:
    """Return a finished random game, as a table and as a moment that covers all its events."""
    setup = new_setup(players=players, seed=str(seed))
    before, log, events = Position(setup), [], []
    position = before
    for after, action, action_events in random_game(players, seed):
        log.append(LoggedAction(after.ply - 1, 0, 100, action, NOW))
        events += action_events
        position = after
    game = game_of(position, names)
    return Table(game, position, tuple(log)), Moment(game, before, position, tuple(log), tuple(events))


def position_with_many_spots() -> Position:
    """Return a board on which the tile in hand fits in more than 70 places: monasteries in the shape of a comb."""
    teeth = [f"base/B {x},{y} 0" for x in range(0, 24, 2) for y in range(1, 4)]
    back = [f"base/B {x},0 0" for x in range(1, 24)]
    position = arrange(players=6, tiles=["base/B 0,0 0", *back, *teeth], player=0, hand="base/B", pile=["base/V"] * 9)
    assert isinstance(position.step, PlaceTile)
    return position


def placement_cells(position: Position) -> set[Cell]:
    """Return the cells on which the tile in hand may be placed."""
    return {action.cell for action in position.legal_actions if isinstance(action, Place)}
