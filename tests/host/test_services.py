"""Services of the host, each built alone on a real store with no more collaborators than its constructor names.

A service is one class of the host, such as the one that applies moves. A function `…_on(store, clock)` builds it; no
complete `Host` exists, except for the one that has started the game.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Iterator
from random import Random
from typing import Final

import pytest

from engine.selfplay import random_action
from host import Asker, ErrorCode, Host, HostSettings
from host.admin.checks import GameChecks
from host.events.events import Events
from host.events.log import EventLog
from host.events.planning import Plans
from host.events.reader import ChannelAccess, EventReader
from host.games.lists import GameLists
from host.games.moves import Moves
from host.games.outbox import Outbox
from host.games.pending import PendingMoves
from host.games.reader import GameReader
from host.observability import UnreadableRows
from host.rights import EventGame, GameLimits, Organisers
from host.votes.endings import Endings
from host.votes.pauses import Pauses
from host.votes.seats import Seats
from host.votes.undo import Undo
from host.votes.votes import Votes
from store import Game, Person, RequestState, Store
from tests.host.people import ADA, BEN, CLEO, GUILD, SettableClock, click_id, expect_error, start_game

MANAGER: Final = Asker(ADA.user_id, GUILD, manages=True)
"""The player Ada, who also manages the server."""


@pytest.fixture
async def store(location: str) -> AsyncIterator[Store]:
    """An open store."""
    opened = await Store.open(location)
    yield opened
    await opened.close()


@pytest.fixture
async def game(store: Store, clock: SettableClock) -> Game:
    """A game that another host has started."""
    return await start_game(Host(store, clock=clock))


def outbox_on(store: Store, clock: SettableClock) -> Outbox:
    """Build an outbox."""
    return Outbox(store, clock, HostSettings(), UnreadableRows())


def games_on(store: Store, clock: SettableClock) -> GameReader:
    """Build a reader of games."""
    return GameReader(store, clock, HostSettings(), outbox_on(store, clock), UnreadableRows())


def moves_on(store: Store, clock: SettableClock, games: GameReader) -> Moves:
    """Build the service that applies moves."""
    return Moves(store, clock, HostSettings(), outbox_on(store, clock), games)


async def make_move(moves: Moves, games: GameReader, game: Game) -> Game:
    """Apply one random action of the player to move."""
    table = await games.table(game.code)
    mover = table.game.person_to_act
    assert mover is not None
    action = random_action(table.position, Random(1))
    return (await moves.act(game.id, mover.user_id, table.game.revision, [action], click_id())).game


async def test_games_are_read(store: Store, clock: SettableClock, game: Game) -> None:
    games = games_on(store, clock)
    assert (await games.table(game.code)).position.ply == 0
    assert (await games.snapshot(game.code, ADA.user_id)).played is not None, "it is cached now"
    with expect_error(ErrorCode.UNKNOWN_GAME):
        await games.get_in(GUILD + 1, game.code)


async def test_games_are_listed_and_checked(store: Store, clock: SettableClock, game: Game) -> None:
    listed = await GameLists(store, clock, UnreadableRows()).of_user(ADA.user_id)
    assert [entry.code for entry in listed] == [game.code]
    report = await GameChecks(store, games_on(store, clock), UnreadableRows()).check_all()
    assert report.verified == (game.code,)


async def test_moves_are_made_and_retracted(store: Store, clock: SettableClock, game: Game) -> None:
    games = games_on(store, clock)
    moves = moves_on(store, clock, games)
    assert (await make_move(moves, games, game)).ply == 1
    waiting = PendingMoves(store, clock, HostSettings(), games, moves)
    assert await waiting.find(game.id, ADA.user_id) is None
    with expect_error(ErrorCode.NOTHING_WAITS):
        await waiting.retract(game.id, ADA.user_id, 1, click_id())


async def test_an_undo_is_put_to_the_vote(store: Store, clock: SettableClock, game: Game) -> None:
    async def no_event(_game: Game) -> EventGame | None:
        return None

    games = games_on(store, clock)
    moves, outbox, organisers = moves_on(store, clock, games), outbox_on(store, clock), Organisers(store, no_event)
    votes = Votes(store, clock, HostSettings(), outbox, games, moves)
    undo = Undo(store, HostSettings(), games, organisers, votes)
    mover = game.person_to_act
    assert mover is not None
    await make_move(moves, games, game)
    request = await undo.request(game.id, mover.user_id, None, click_id())
    for voter in request.voters:
        answered = await votes.answer(game.id, request.id, voter, click_id(), agrees=True)
    assert answered.request.state is RequestState.GRANTED
    assert (await games.table(game.id)).log == ()
    pauses = Pauses(store, clock, outbox, games, organisers, votes)
    with expect_error(ErrorCode.NO_CLOCKS):
        await pauses.request(game.id, Asker(ADA.user_id, GUILD), 3, click_id())


async def test_a_seat_changes_hands_and_the_game_ends(store: Store, clock: SettableClock, game: Game) -> None:
    games = games_on(store, clock)
    moves, outbox = moves_on(store, clock, games), outbox_on(store, clock)
    seats = Seats(store, clock, outbox, games, moves, GameLimits(store, HostSettings()))
    await seats.take_over(game.id, BEN.user_id, Person(99, "Dora"))
    assert {person.user_id for person in (await games.get(game.id)).seats} == {ADA.user_id, CLEO.user_id, 99}
    outcome = await Endings(store, clock, outbox, games, moves).adjudicate(game.id)
    assert outcome.game.seat_to_act is None


async def test_an_event_is_planned(store: Store, clock: SettableClock) -> None:
    log = EventLog(store, clock)
    plans = Plans(store, clock, HostSettings(), log)
    planned = await plans.create("Cup", "multiplayer-cup", ADA, MANAGER, 1, click_id())
    assert (await EventReader(store, log, ChannelAccess()).view(planned.code)).name == "Cup"


def services() -> Iterator[type]:
    """Yield every class whose instances a host or its events create."""
    for owner in (Host, Events):
        module_names = owner.__init__.__globals__
        yield from (
            kind for name in owner.__init__.__code__.co_names if inspect.isclass(kind := module_names.get(name))
        )


def test_no_service_inherits_from_several_others() -> None:
    """Keep services composed: one that inherits from several others can be neither built nor read alone."""
    bases_of = {
        service.__name__: [base.__name__ for base in service.__mro__[1:] if base.__module__.startswith("host.")]
        for service in {*services(), Host, Events}
    }
    assert len(bases_of) > 40
    assert {name: bases for name, bases in bases_of.items() if len(bases) > 1} == {}
