"""Games of events: their organisers decide what elsewhere managers do; where they are rated nothing is undone."""

from __future__ import annotations

from datetime import timedelta

import pytest

from host import Asker, ErrorCode, EventGame, Game, Host, RequestState
from tests.host.people import ADA, GUILD, STRANGER, SettableClock, click, refused, start_game
from tests.host.votes.test_undoing import turns, undo

TINA = Asker(777, 12)
"""Organises the event, from another server."""
MANAGER = Asker(STRANGER.user_id, GUILD, manages=True)


@pytest.fixture
async def game(host: Host, clock: SettableClock) -> Game:
    """A game of a rated event in which something has been decided."""
    game = await start_game(host)
    await turns(host, game, clock, 8)
    belongs(host, rated=True)
    return await host.games.get(game.id)


def belongs(host: Host, *, rated: bool) -> None:
    async def event_of(_game: Game) -> EventGame | None:
        return EventGame("CUP", rated=rated, going=False, organises=lambda asker: asker.user_id == TINA.user_id)

    host.organisers.event_of = event_of


async def test_in_a_rated_event_nobody_asks_for_an_undo(host: Host, game: Game) -> None:
    with refused(ErrorCode.RATED_EVENT, code=game.code):
        await host.undo.request(game.id, ADA.user_id, None, click())
    with refused(ErrorCode.RATED_EVENT, code=game.code):
        await host.undo.draft(game.id, ADA.user_id)
    belongs(host, rated=False)
    assert (await undo(host, game, ADA.user_id)).ply < game.ply


async def test_its_organiser_undoes_the_last_decision_at_once(host: Host, game: Game) -> None:
    table, press = await host.games.table(game.id), click()
    decider = table.log[-1].user_id
    done = await host.undo.order(game.id, TINA, game.revision, press)
    back = await host.games.get(game.id)
    assert (done.user_id, done.state) == (decider, RequestState.GRANTED)
    assert back.ply == done.to_ply < game.ply
    assert back.revision > game.revision
    await host.undo.order(game.id, TINA, game.revision, press)
    assert (await host.games.get(game.id)).revision == back.revision, "the same interaction does it once"
    with refused(ErrorCode.STALE):
        await host.undo.order(game.id, TINA, game.revision, click())


async def test_nobody_else_does(host: Host, game: Game) -> None:
    for asker in (MANAGER, Asker(ADA.user_id, GUILD, manages=True), Asker(5, GUILD)):
        with refused(ErrorCode.ONLY_ORGANISER, code=game.code):
            await host.undo.order(game.id, asker, game.revision, click())

    async def none(_game: Game) -> EventGame | None:
        return None

    host.organisers.event_of = none
    with refused(ErrorCode.ONLY_ORGANISER, code=game.code):
        await host.undo.order(game.id, MANAGER, game.revision, click())
    assert (await host.games.get(game.id)).revision == game.revision


async def test_an_organiser_who_plays_organises_nothing(host: Host, game: Game) -> None:
    async def event_of(_game: Game) -> EventGame | None:
        return EventGame("CUP", rated=True, going=False, organises=lambda _: True)

    host.organisers.event_of = event_of
    with refused(ErrorCode.ONLY_ORGANISER, code=game.code):
        await host.undo.order(game.id, Asker(ADA.user_id, GUILD), game.revision, click())


async def test_the_end_date_is_moved_by_them_and_not_by_who_manages_the_server(
    host: Host, game: Game, clock: SettableClock
) -> None:
    end = clock.now() + timedelta(days=9)
    with refused(ErrorCode.ONLY_ORGANISER, code=game.code):
        await host.end_dates.move(game.id, MANAGER, end)
    assert (await host.end_dates.move(game.id, TINA, end)).ends_at == end
