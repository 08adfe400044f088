"""Appointments: who proposes and answers them, what replaces or ends them, and when their people are told."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from host import QUIET_HOURS, AppointmentState, ErrorCode, Host, Lobby, Meeting, Preferences, TableRef
from host.admin.retention import APPOINTMENT_RETENTION
from host.appointments import LEAST_AHEAD, MAX_DAYS_AHEAD, MAX_DELAY, NOTICE
from tests.host.people import ADA, BEN, CLEO, STRANGER, SettableClock, click_id, expect_error, open_lobby, start_game
from tests.host.test_challenges import challenge

DAY = timedelta(days=1)
PROPOSED, AGREED, DECLINED, REPLACED, OVER, CLOSED = AppointmentState


@pytest.fixture
def tomorrow(clock: SettableClock) -> datetime:
    """The same time on the next day."""
    return clock.now() + DAY


async def table_of_three(host: Host) -> Lobby:
    """Open a lobby which Ada, Ben and Cleo have joined."""
    lobby = await open_lobby(host)
    for person in (BEN, CLEO):
        lobby = await host.lobbies.join(lobby.id, person, click_id())
    return lobby


async def propose(host: Host, lobby: Lobby, at: datetime, user_id: int = ADA.user_id) -> Meeting:
    """Let somebody, by default Ada, propose a time to the people of a lobby."""
    return (await host.appointments.propose(TableRef(lobby_id=lobby.id), user_id, at, click_id()))[0]


async def accept(host: Host, meeting: Meeting, *user_ids: int) -> Meeting:
    """Let these people accept an appointment."""
    for user_id in user_ids:
        meeting = await host.appointments.answer(meeting.appointment.id, user_id, click_id(), accepts=True)
    return meeting


async def test_a_proposal_pings_nobody_in_quiet_hours(host: Host, tomorrow: datetime) -> None:
    meeting = await propose(host, await table_of_three(host), tomorrow)
    await host.preferences.set(BEN.user_id, Preferences().with_choice(QUIET_HOURS, "11:00-13:00"))
    assert await host.appointments.not_to_ping(meeting) == [BEN.user_id]


async def recipients(host: Host, lobby: Lobby, at: datetime, user_id: int) -> set[int]:
    """Let somebody propose a time, and return whom its message pings."""
    meeting = await propose(host, lobby, at, user_id)
    silent = await host.appointments.not_to_ping(meeting)
    pinged = {person.user_id for person in meeting.unanswered} - {*silent}
    await host.appointments.set_message(meeting, 1, pings=bool(pinged))
    return pinged


@pytest.mark.both_databases
async def test_proposals_ping_each_person_at_most_once_an_hour(
    host: Host, clock: SettableClock, tomorrow: datetime
) -> None:
    """The counter-proposal pings the one who has proposed before, and nobody who has just been pinged."""
    lobby = await table_of_three(host)
    ada, ben, cleo = ADA.user_id, BEN.user_id, CLEO.user_id
    assert await recipients(host, lobby, tomorrow, ada) == {ben, cleo}
    assert await recipients(host, lobby, tomorrow, ada) == set()
    clock.advance(600)
    assert await recipients(host, lobby, tomorrow, ben) == {ada}
    assert await recipients(host, lobby, tomorrow, cleo) == set()
    clock.advance(3000)
    assert await recipients(host, lobby, tomorrow, ada) == {ben}, "Ben's proposal counts for Cleo, too"
    clock.advance(3600)
    assert await recipients(host, lobby, tomorrow, ben) == {ada, cleo}
    other = await challenge(host, CLEO)
    assert await recipients(host, other, tomorrow, ada) == {cleo}, "another table counts for itself"


@pytest.mark.both_databases
async def test_a_time_is_agreed_when_everybody_accepts(host: Host, tomorrow: datetime) -> None:
    lobby = await table_of_three(host)
    meeting = await propose(host, lobby, tomorrow)
    assert (meeting.appointment.state, meeting.unanswered) == (PROPOSED, (BEN, CLEO))
    meeting = await accept(host, meeting, BEN.user_id)
    assert (meeting.appointment.state, meeting.unanswered) == (PROPOSED, (CLEO,))
    assert (await host.lobbies.get(lobby.id)).meets_at is None
    meeting = await accept(host, meeting, CLEO.user_id)
    assert (meeting.appointment.state, meeting.unanswered) == (AGREED, ())
    assert (await host.lobbies.get(lobby.id)).meets_at == tomorrow


async def test_the_players_of_a_game_agree_on_a_time(host: Host, tomorrow: datetime) -> None:
    game = await start_game(host, ADA, BEN)
    meeting, _ = await host.appointments.propose(TableRef(game_id=game.id), BEN.user_id, tomorrow, click_id())
    assert meeting.unanswered == (ADA,)
    assert (await accept(host, meeting, ADA.user_id)).appointment.state is AGREED
    await host.moves.resign(game.id, ADA.user_id, click_id())
    with expect_error(ErrorCode.GAME_OVER):
        await host.appointments.propose(TableRef(game_id=game.id), BEN.user_id, tomorrow, click_id())
    with expect_error(ErrorCode.APPOINTMENT_GONE):
        await accept(host, meeting, ADA.user_id)


async def test_those_who_are_challenged_have_to_accept(host: Host, tomorrow: datetime) -> None:
    meeting = await propose(host, await challenge(host, BEN), tomorrow)
    assert (await accept(host, meeting, BEN.user_id)).appointment.state is AGREED


async def test_another_proposal_replaces_the_first(host: Host, tomorrow: datetime) -> None:
    lobby = await table_of_three(host)
    first = await accept(host, await propose(host, lobby, tomorrow), BEN.user_id, CLEO.user_id)
    table = TableRef(lobby_id=lobby.id)
    second, former = await host.appointments.propose(table, BEN.user_id, tomorrow + DAY, click_id())
    assert former is not None
    assert former.appointment.id == first.appointment.id
    assert (second.appointment.state, second.unanswered) == (PROPOSED, (ADA, CLEO))
    assert (await host.appointments.get(first.appointment.id)).appointment.state is REPLACED
    assert (await host.lobbies.get(lobby.id)).meets_at is None
    with expect_error(ErrorCode.APPOINTMENT_GONE):
        await accept(host, first, BEN.user_id)


async def test_an_agreed_time_is_called_off(host: Host, tomorrow: datetime) -> None:
    lobby = await table_of_three(host)
    meeting = await accept(host, await propose(host, lobby, tomorrow), BEN.user_id, CLEO.user_id)
    meeting = await host.appointments.answer(meeting.appointment.id, CLEO.user_id, click_id(), accepts=False)
    assert meeting.appointment.state is DECLINED
    assert (await host.lobbies.get(lobby.id)).meets_at is None
    assert await host.appointments.current(TableRef(lobby_id=lobby.id)) is None


async def test_strangers_neither_propose_nor_answer(host: Host, tomorrow: datetime) -> None:
    lobby = await table_of_three(host)
    meeting = await propose(host, lobby, tomorrow)
    with expect_error(ErrorCode.NOT_IN_LOBBY):
        await propose(host, lobby, tomorrow, STRANGER.user_id)
    with expect_error(ErrorCode.NOT_IN_LOBBY):
        await accept(host, meeting, STRANGER.user_id)
    game = await start_game(host, ADA, BEN)
    with expect_error(ErrorCode.NOT_A_PLAYER):
        await host.appointments.propose(TableRef(game_id=game.id), CLEO.user_id, tomorrow, click_id())


async def test_a_time_is_neither_too_near_nor_too_far(host: Host, clock: SettableClock) -> None:
    lobby = await table_of_three(host)
    for ahead in (-DAY, LEAST_AHEAD - timedelta(seconds=1), timedelta(days=MAX_DAYS_AHEAD, seconds=1)):
        with expect_error(ErrorCode.BAD_APPOINTMENT, least=5, most=MAX_DAYS_AHEAD):
            await propose(host, lobby, clock.now() + ahead)
    await propose(host, lobby, clock.now() + LEAST_AHEAD)


async def test_nobody_meets_alone(host: Host, tomorrow: datetime) -> None:
    with expect_error(ErrorCode.NOBODY_TO_MEET):
        await propose(host, await open_lobby(host), tomorrow)


async def test_a_repeated_click_proposes_and_answers_once(host: Host, tomorrow: datetime) -> None:
    lobby, click = await table_of_three(host), click_id()
    table = TableRef(lobby_id=lobby.id)
    first, _ = await host.appointments.propose(table, ADA.user_id, tomorrow, click)
    assert await host.appointments.propose(table, ADA.user_id, tomorrow, click) == (first, None)
    click = click_id()
    for _ in range(2):
        meeting = await host.appointments.answer(first.appointment.id, BEN.user_id, click, accepts=True)
        assert meeting.unanswered == (CLEO,)


async def test_everybody_is_told_shortly_before(host: Host, clock: SettableClock, tomorrow: datetime) -> None:
    lobby = await table_of_three(host)
    await propose(host, await table_of_three(host), tomorrow)  # nobody else has accepted this one
    agreed = await accept(host, await propose(host, lobby, tomorrow), BEN.user_id, CLEO.user_id)
    assert await host.appointments.due() == []
    clock.advance((DAY - NOTICE).total_seconds())
    (due,) = await host.appointments.due()
    assert due.appointment.id == agreed.appointment.id
    await host.appointments.end(due)
    assert await host.appointments.due() == []
    assert (await host.appointments.get(agreed.appointment.id)).appointment.state is OVER


async def test_the_game_of_a_lobby_keeps_the_appointment(host: Host, clock: SettableClock, tomorrow: datetime) -> None:
    lobby = await table_of_three(host)
    await accept(host, await propose(host, lobby, tomorrow), BEN.user_id, CLEO.user_id)
    game = await host.lobbies.start(lobby.id, ADA.user_id, click_id())
    current = await host.appointments.current(TableRef(game_id=game.id))
    assert current is not None
    assert current.game == game
    clock.advance(DAY.total_seconds())
    assert [meeting.game for meeting in await host.appointments.due()] == [game]


async def test_nobody_is_told_of_a_closed_table_or_after_a_long_downtime(
    host: Host, clock: SettableClock, tomorrow: datetime
) -> None:
    lobbies = [await table_of_three(host), await table_of_three(host)]
    for lobby, at in zip(lobbies, (tomorrow, tomorrow + 2 * DAY), strict=True):
        await accept(host, await propose(host, lobby, at), BEN.user_id, CLEO.user_id)
    for person in (ADA, BEN, CLEO):
        await host.lobbies.leave(lobbies[0].id, person.user_id, click_id())
    clock.advance(DAY.total_seconds())
    assert await host.appointments.due() == []
    clock.advance((2 * DAY + MAX_DELAY).total_seconds() + 1)
    assert await host.appointments.due() == []


async def obsolete_ids(host: Host) -> list[int]:
    """Return the ids of the appointments whose message or scheduled event is to go."""
    return [meeting.appointment.id for meeting in await host.appointments.obsolete()]


@pytest.mark.both_databases
async def test_an_appointment_ends_with_its_game(host: Host, tomorrow: datetime) -> None:
    proposed_in, agreed_in = await start_game(host, ADA, BEN), await start_game(host, ADA, BEN)
    ids = []
    for game in (proposed_in, agreed_in):
        meeting, _ = await host.appointments.propose(TableRef(game_id=game.id), BEN.user_id, tomorrow, click_id())
        ids.append(meeting.appointment.id)
    await host.appointments.set_scheduled(await accept(host, meeting, ADA.user_id), 77)
    assert await obsolete_ids(host) == []
    for game in (proposed_in, agreed_in):
        await host.moves.resign(game.id, ADA.user_id, click_id())
    obsolete = await host.appointments.obsolete()
    assert [meeting.appointment.id for meeting in obsolete] == ids
    assert [meeting.appointment.scheduled_id for meeting in obsolete] == [None, 77]
    assert {meeting.appointment.state for meeting in obsolete} == {CLOSED}
    for meeting in obsolete:
        await host.appointments.close(meeting)
    assert await obsolete_ids(host) == []
    kept = (await host.appointments.get(ids[1])).appointment
    assert (kept.state, kept.scheduled_id) == (CLOSED, None)


async def test_open_appointments_are_looked_at_in_turns(
    host: Host, tomorrow: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("host.appointments.BATCH_SIZE", 1)
    games = [await start_game(host, ADA, BEN), await start_game(host, ADA, BEN)]
    for game in games:  # at the same time
        last, _ = await host.appointments.propose(TableRef(game_id=game.id), BEN.user_id, tomorrow, click_id())
    await host.moves.resign(games[1].id, ADA.user_id, click_id())
    found = [await obsolete_ids(host) for _ in range(6)]
    assert found == [[], [last.appointment.id], []] * 2


async def test_a_game_that_ends_after_its_time_loses_only_the_scheduled_event(host: Host, tomorrow: datetime) -> None:
    game = await start_game(host, ADA, BEN)
    meeting, _ = await host.appointments.propose(TableRef(game_id=game.id), BEN.user_id, tomorrow, click_id())
    await host.appointments.set_scheduled(await accept(host, meeting, ADA.user_id), 77)
    await host.appointments.end(await host.appointments.get(meeting.appointment.id))
    assert await obsolete_ids(host) == []
    await host.moves.resign(game.id, ADA.user_id, click_id())
    (obsolete,) = await host.appointments.obsolete()
    await host.appointments.close(obsolete)
    assert (await host.appointments.get(meeting.appointment.id)).appointment.state is OVER
    assert await obsolete_ids(host) == []


@pytest.mark.parametrize("deleted", [False, True], ids=["closed", "in a deleted thread"])
async def test_an_appointment_ends_with_its_lobby(host: Host, tomorrow: datetime, *, deleted: bool) -> None:
    lobby = await table_of_three(host)
    meeting = await accept(host, await propose(host, lobby, tomorrow), BEN.user_id, CLEO.user_id)
    await host.appointments.set_scheduled(meeting, 77)
    if deleted:
        await host.appointments.close_in(meeting.appointment.channel_id)
        assert (await host.lobbies.get(lobby.id)).meets_at is None
    else:
        for person in (ADA, BEN, CLEO):
            await host.lobbies.leave(lobby.id, person.user_id, click_id())
    (obsolete,) = await host.appointments.obsolete()
    assert (obsolete.appointment.id, obsolete.appointment.state) == (meeting.appointment.id, CLOSED)
    await host.appointments.close(obsolete)
    assert (await host.lobbies.get(lobby.id)).meets_at is None
    assert await obsolete_ids(host) == []


async def test_a_game_that_was_moved_keeps_its_appointment_when_its_old_place_is_deleted(
    host: Host, tomorrow: datetime
) -> None:
    game = await start_game(host, ADA, BEN)
    await host.appointments.propose(TableRef(game_id=game.id), BEN.user_id, tomorrow, click_id())
    old_place = game.place
    await host.places.set_thread(game.id, 4711)
    await host.appointments.close_in(old_place)
    current = await host.appointments.current(TableRef(game_id=game.id))
    assert current is not None
    assert current.places == (4711, game.channel_id)


async def test_the_scheduled_event_of_a_replaced_time_is_deleted_later(host: Host, tomorrow: datetime) -> None:
    lobby = await table_of_three(host)
    first = await accept(host, await propose(host, lobby, tomorrow), BEN.user_id, CLEO.user_id)
    await host.appointments.set_scheduled(first, 77)  # Discord cannot be reached when this time is replaced
    second = await accept(host, await propose(host, lobby, tomorrow + DAY), BEN.user_id, CLEO.user_id)
    (obsolete,) = await host.appointments.obsolete()
    assert (obsolete.appointment.id, obsolete.appointment.state) == (first.appointment.id, REPLACED)
    await host.appointments.close(obsolete)
    assert await obsolete_ids(host) == []
    assert (await host.lobbies.get(lobby.id)).meets_at == second.appointment.at


async def test_old_appointments_are_deleted(host: Host, clock: SettableClock, tomorrow: datetime) -> None:
    meeting = await propose(host, await table_of_three(host), tomorrow)
    clock.advance((DAY + APPOINTMENT_RETENTION).total_seconds() + 1)
    assert (await host.retention.work())["appointments"] == 1
    with expect_error(ErrorCode.APPOINTMENT_GONE):
        await host.appointments.get(meeting.appointment.id)


async def test_answers_are_exported_and_forgotten(host: Host, tomorrow: datetime) -> None:
    meeting = await accept(host, await propose(host, await table_of_three(host), tomorrow), BEN.user_id)
    assert {"appointments", "appointment_answers"} <= {*await host.erasure.export(ADA.user_id)}
    await host.erasure.erase(ADA.user_id)
    left = (await host.appointments.get(meeting.appointment.id)).appointment
    assert (left.user_id, left.accepted) == (0, (BEN.user_id,))
