"""Games of events: the event's organisers act instead of the server's managers, and rated games have no undo vote.

An event is a tournament. `put_in_event` makes the host believe that its games belong to the event CUP; `Asker` is the
sender of a request with their rights, and `MANAGER` manages the server but does not organise the event.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from host import Asker, ErrorCode, EventGame, Game, Host, RequestState
from tests.host.people import ADA, GUILD, STRANGER, SettableClock, click_id, expect_error, start_game
from tests.host.votes.test_undoing import take_turns, undo_by_consent

EVENT_ORGANISER = Asker(777, 12)
"""Organises the event, and asks from another server."""
MANAGER = Asker(STRANGER.user_id, GUILD, manages=True)
"""A member who manages the server, but does not organise the event."""


@pytest.fixture
async def game(host: Host, clock: SettableClock) -> Game:
    """A game of a rated event in which eight decisions have been made."""
    game = await start_game(host)
    await take_turns(host, game, clock, 8)
    put_in_event(host, rated=True)
    return await host.games.get(game.id)


def put_in_event(host: Host, *, rated: bool) -> None:
    """Let every game of the host belong to the event CUP."""

    async def event_of(_game: Game) -> EventGame | None:
        return EventGame(
            "CUP", rated=rated, going=False, organises=lambda asker: asker.user_id == EVENT_ORGANISER.user_id
        )

    host.organisers.event_of = event_of


async def test_players_of_a_rated_event_cannot_request_an_undo(host: Host, game: Game) -> None:
    with expect_error(ErrorCode.RATED_EVENT, code=game.code):
        await host.undo.request(game.id, ADA.user_id, None, click_id())
    with expect_error(ErrorCode.RATED_EVENT, code=game.code):
        await host.undo.draft(game.id, ADA.user_id)
    put_in_event(host, rated=False)
    assert (await undo_by_consent(host, game, ADA.user_id)).ply < game.ply


async def test_an_organiser_undoes_the_last_decision_at_once(host: Host, game: Game) -> None:
    table, press_id = await host.games.table(game.id), click_id()
    decider = table.log[-1].user_id
    undone = await host.undo.order(game.id, EVENT_ORGANISER, game.revision, press_id)
    back = await host.games.get(game.id)
    assert (undone.user_id, undone.state) == (decider, RequestState.GRANTED)
    assert back.ply == undone.to_ply < game.ply
    assert back.revision > game.revision
    await host.undo.order(game.id, EVENT_ORGANISER, game.revision, press_id)
    assert (await host.games.get(game.id)).revision == back.revision, "a repeated interaction undoes nothing more"
    with expect_error(ErrorCode.STALE):
        await host.undo.order(game.id, EVENT_ORGANISER, game.revision, click_id())


async def test_only_an_organiser_undoes_decisions(host: Host, game: Game) -> None:
    for asker in (MANAGER, Asker(ADA.user_id, GUILD, manages=True), Asker(5, GUILD)):
        with expect_error(ErrorCode.ONLY_ORGANISER, code=game.code):
            await host.undo.order(game.id, asker, game.revision, click_id())

    async def none(_game: Game) -> EventGame | None:
        """Return None: the game belongs to no event."""
        return None

    host.organisers.event_of = none
    with expect_error(ErrorCode.ONLY_ORGANISER, code=game.code):
        await host.undo.order(game.id, MANAGER, game.revision, click_id())
    assert (await host.games.get(game.id)).revision == game.revision


async def test_an_organiser_cannot_undo_in_their_own_game(host: Host, game: Game) -> None:
    async def event_of(_game: Game) -> EventGame | None:
        return EventGame("CUP", rated=True, going=False, organises=lambda _: True)

    host.organisers.event_of = event_of
    with expect_error(ErrorCode.ONLY_ORGANISER, code=game.code):
        await host.undo.order(game.id, Asker(ADA.user_id, GUILD), game.revision, click_id())


async def test_an_organiser_moves_the_end_date_and_a_manager_does_not(
    host: Host, game: Game, clock: SettableClock
) -> None:
    end = clock.now() + timedelta(days=9)
    with expect_error(ErrorCode.ONLY_ORGANISER, code=game.code):
        await host.end_dates.move(game.id, MANAGER, end)
    assert (await host.end_dates.move(game.id, EVENT_ORGANISER, end)).ends_at == end
