"""Games that are played forward without Discord, so that a test or a benchmark can begin late in a game.

The actions are applied by the engine and stored in one transaction; `spread_tiles` lays tiles so that as many cells
as possible stay open.
"""

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from engine import DEFAULT_GAME, Action, Cell, Place, state_digest
from engine.carcassonne import DeployFollower, Position
from engine.carcassonne.expansions import BCB
from engine.options import Value
from host import Game, Host, NewLobby, Person
from store import ActionRecord, Advance, GameStatus, games
from tests.e2e.table import Table

Chooser = Callable[[Position], Action]
"""A player: a function that chooses an action in a position."""
_interaction_ids = itertools.count(1)
_NEIGHBOUR_OFFSETS = ((1, 0), (-1, 0), (0, 1), (0, -1))
"""Steps from a cell to the four cells beside it."""


async def create_game(
    table: Table,
    players: int,
    expansions: tuple[str, ...] = (BCB,),
    options: Mapping[str, Value] = MappingProxyType({}),
) -> Game:
    """Create a game of the first members, in the channel itself; its first card counts as posted."""
    host = table.bot.host
    people = [Person(actor.id, table.name_of(actor)) for actor in table.actors[:players]]
    guild = table.channel.guild
    assert guild is not None
    new = NewLobby(
        guild_id=guild.id,
        channel_id=table.channel.id,
        owner=people[0],
        game=DEFAULT_GAME,
        capacity=players,
        expansions=expansions,
        options=options,
    )
    lobby = await host.lobbies.open(new, next(_interaction_ids))
    for person in people[1:]:
        await host.lobbies.join(lobby.id, person, next(_interaction_ids))
    game = await host.lobbies.start(lobby.id, people[0].user_id, next(_interaction_ids))
    await mark_posts_sent(host)
    table.place = table.channel
    return game


async def fast_forward(table: Table, game: Game, choose: Chooser, until: Callable[[Position], bool]) -> Game:
    """Play until the position satisfies ``until``: store all decisions but the last at once, make the last by the host.

    The host would queue a card for each decision; only the last one is queued, and it counts as posted.
    """
    host = table.bot.host
    position = before = (await host.games.table(game.id)).position
    now = host._clock.now()
    ahead: list[ActionRecord] = []
    seat, actions = 0, list[Action]()
    while not until(position):
        ahead += _records(before.ply, game.seats[seat].user_id, seat, actions, now)
        before = position.copy()
        seat, actions = play_decision(position, choose)
    if ahead:
        step = Advance(tuple(ahead), state_digest(before), before.player, GameStatus.RUNNING)
        async with host._store.writing(game=game.id) as tx:
            await games.advance(tx, game.id, game.stamp, step, now)
    if actions:
        await host.moves.act(game.id, game.seats[seat].user_id, before.ply, actions, next(_interaction_ids))
        await mark_posts_sent(host)
    return await host.games.get(game.id)


def _records(ply: int, user_id: int, seat: int, actions: Sequence[Action], now: datetime) -> list[ActionRecord]:
    """Return the log entries of some actions."""
    return [ActionRecord(number, seat, user_id, str(action), now) for number, action in enumerate(actions, ply)]


def play_decision(position: Position, choose: Chooser) -> tuple[int, list[Action]]:
    """Apply one decision, a whole turn as the composer makes it; return its seat and its actions."""
    seat = position.player
    actions = [choose(position)]
    position.apply(actions[0])
    while isinstance(position.step, DeployFollower):
        actions.append(choose(position))
        position.apply(actions[-1])
    return seat, actions


async def mark_posts_sent(host: Host) -> None:
    """Record all due posts as sent, without Discord."""
    for post in await host.outbox.due():
        await host.outbox.lease(post.id)
        await host.outbox.record_sent(post.id, 0)


def spread_tiles(otherwise: Chooser) -> Chooser:
    """Return a chooser that places tiles so that the most cells open up, and leaves all else to `otherwise`."""

    def choose(position: Position) -> Action:
        """Choose the placement that opens the most cells."""
        if position.hand is None:
            return otherwise(position)
        places = [action for action in position.legal_actions if isinstance(action, Place)]
        open_cells = set(position.open_cells())
        return max(places, key=lambda place: _opened(position, place.cell, open_cells))

    return choose


def _opened(position: Position, cell: Cell, open_cells: Collection[Cell]) -> int:
    """Count the empty neighbours of a cell that are not open yet."""
    around = [Cell(cell.x + x, cell.y + y) for x, y in _NEIGHBOUR_OFFSETS]
    return sum(neighbour not in open_cells and position.tile_at(neighbour) is None for neighbour in around)


def placeable_cells(position: Position) -> Sequence[Cell]:
    """Return the cells on which the tile in hand may be placed, with a bridge or without."""
    places = [action for action in position.legal_actions if isinstance(action, Place)]
    return list(dict.fromkeys(place.cell for place in places))
