"""Games that are nearly over, played at random and written to the database before the bot starts.

Their boards are large, so that pictures of them cost the most. A *ply* is a number of actions from the start. Each game
waits for a player to place a tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from random import Random

from simcord.backend.models import Channel

from engine import DEFAULT_GAME, GAMES, Action, Position, begin, state_digest
from engine.carcassonne.expansions import BCB
from engine.carcassonne.steps import PlaceTile
from engine.selfplay import random_action
from host import computers_named
from host.games.move import COMPUTER_USER_ID
from host.games.outbox import move_post
from store import ActionRecord, Advance, GameStatus, NewGame, Person, Player, PostKind, Stamp, Store, games, outbox
from tests.loopback import LoopbackDiscord

PLAYER_COUNT = 4
TILES_LEFT = range(12, 32)
"""Tiles face down when the bot takes over: few enough for big boards, enough for ten moves in each game."""
GAMES_PER_MEMBER = 10
"""Number of games that a member plays at the same time."""


@dataclass(frozen=True, slots=True)
class LateGame:
    """A game that waits for a person to place a tile: its code and the thread with its cards."""

    code: str
    thread_id: int
    has_computers: bool = False


@dataclass(frozen=True, slots=True)
class ComputerSeats:
    """The first of the games have computers, whose turns follow on that of the person who has to place a tile."""

    games: int = 0
    """The number of games with computers."""
    seats: int = 2
    """The number of computers in each of them."""
    level: str = "standard"


NO_COMPUTERS = ComputerSeats()


def _play(seed: int, tiles_left: Sequence[int]) -> tuple[Position, list[Action], list[int], int]:
    """Play a random game until a tile has been drawn; return position, log, deciding seats and ply of the last turn."""
    random = Random(seed)
    game = GAMES[DEFAULT_GAME]
    setup = game.new_setup(
        players=PLAYER_COUNT,
        seed=sha256(str(seed).encode()).hexdigest()[:32],
        options=game.options(),
        expansions=(BCB,),
    )
    position, log, seats = begin(setup), list[Action](), list[int]()
    left = random.choice(tiles_left)
    turn_start = 0
    while True:
        if isinstance(position.step, PlaceTile) and position.step.drawn:
            if position.pile_left <= left:
                return position, log, seats, turn_start
            turn_start = position.ply
        seats.append(position.player)
        log.append(random_action(position, random))
        position.apply(log[-1])


def _code(number: int) -> str:
    """Return the code of the game with a number: Z and three consonants, which no other game has."""
    signs = "BCDFGHJKLMNPQRSTVWXZ"
    return "Z" + "".join(signs[number // 20**place % 20] for place in (2, 1, 0))


async def prepare(
    server: LoopbackDiscord,
    database: str,
    count: int,
    *,
    shards: int = 1,
    tiles_left: Sequence[int] = TILES_LEFT,
    computers: ComputerSeats = NO_COMPUTERS,
) -> list[LateGame]:
    """Write games into a new database, and create their players and threads; their cards wait to be posted.

    The games are spread over Discord servers, one for each shard.
    """
    channels = [server.channel, *_channels_on_other_shards(server, shards)]
    players = [
        server.add_member(f"member-{number}")
        for number in range(max(PLAYER_COUNT, count * PLAYER_COUNT // GAMES_PER_MEMBER))
    ]
    for channel in channels[1:]:
        for player in players:
            server.world.add_member(channel.guild_id, player.id, announce=False)
    store = await Store.open(database)
    prepared: list[LateGame] = []
    for number in range(count):
        channel = channels[number % len(channels)]
        thread = server.world.create_thread(channel.id, f"Game {number}", server.bot.id)
        seats = [players[(number * PLAYER_COUNT + seat) % len(players)] for seat in range(PLAYER_COUNT)]
        seated: list[Player] = [Person(user.id, user.name) for user in seats]
        played = _play(number, tiles_left)
        has_computers = number < computers.games
        if has_computers:
            for index, computer in enumerate(computers_named([computers.level] * computers.seats), start=1):
                seated[(played[0].player + index) % PLAYER_COUNT] = computer
        await _write(store, number, seated, (channel.guild_id, channel.id, thread.id), played)
        prepared.append(LateGame(_code(number), thread.id, has_computers))
    await store.close()
    return prepared


def _channels_on_other_shards(server: LoopbackDiscord, shards: int) -> Iterator[Channel]:
    """Create servers until there is one on each shard; yield a channel of each new one."""
    wanted = set(range(shards)) - {_shard(server.guild.id, shards)}
    while wanted:
        guild = server.world.create_guild(f"Loopback {len(wanted)}")
        if _shard(guild.id, shards) in wanted:
            wanted.remove(_shard(guild.id, shards))
            yield server.world.create_channel(guild.id, "tables")


def _shard(guild_id: int, shards: int) -> int:
    """Return the number of the shard to which Discord assigns a server."""
    return (guild_id >> 22) % shards


async def _write(
    store: Store,
    number: int,
    players: Sequence[Player],
    where: tuple[int, int, int],
    played: tuple[Position, list[Action], list[int], int],
) -> None:
    """Write a game with its log into the database, and its newest card into the outbox."""
    position, log, seats, turn_start = played
    guild_id, channel_id, thread_id = where
    now = datetime.now(UTC).replace(microsecond=0)
    first = begin(position.setup)
    new = NewGame(
        code=_code(number),
        name=f"Late Game {number}",
        guild_id=guild_id,
        channel_id=channel_id,
        seats=tuple(players),
        setup=position.setup.to_json(),
        digest=state_digest(first),
        seat_to_act=first.player,
        thread_id=thread_id,
    )
    records = tuple(_records(players, log, seats, now))
    async with store.writing() as tx:
        game_id = await games.add(tx, new, now)
        moved = Advance(records, state_digest(position), position.player, GameStatus.RUNNING)
        await games.advance(tx, game_id, Stamp(0), moved, now)
        await outbox.add(tx, move_post(await games.get(tx, game_id), turn_start, position.ply, PostKind.CARD), now)


def _records(
    players: Sequence[Player], log: Sequence[Action], seats: Sequence[int], now: datetime
) -> Iterator[ActionRecord]:
    """Yield the actions of a log as the database stores them."""
    for ply, (action, seat) in enumerate(zip(log, seats, strict=True)):
        user_id = players[seat].user_id
        yield ActionRecord(ply, seat, COMPUTER_USER_ID if user_id is None else user_id, str(action), now)
