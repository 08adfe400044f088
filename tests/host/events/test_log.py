"""The public log of an event: what organisers and players did, when, and for what reason.

`/tourney show page:log` shows it to everyone. Entrants are player 0, 1 and so on; Yan (77) is a second organiser and
Zoe (78) a substitute.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from host import Asker, ErrorCode, Host, Person
from host.events import EventState
from host.events.log import GAME_CREATION_SPACING
from store import events
from tests.host.events.driver import (
    AS_ORGANISER,
    FakeThreads,
    advance_event,
    announce_event,
    duel_plan,
    play_round,
    player,
    start_event,
    table_plan,
)
from tests.host.events.test_teams import announce_teams
from tests.host.people import GUILD, SettableClock, click_id, expect_error
from tournaments.points import Outcome


@pytest.mark.sqlite
async def test_the_log_has_each_action_of_an_organiser_with_its_reason(host: Host, clock: SettableClock) -> None:
    events, threads = host.events, FakeThreads(host)
    event = await announce_event(host, duel_plan(rounds="organiser"), 6)
    await events.starts.begin_check_in(event.code, AS_ORGANISER, click_id())
    for number in range(6):
        await events.sign_up.check_in(event.code, player(number).user_id, click_id())
    await events.plans.add_organiser(event.code, AS_ORGANISER, Person(77, "Yan"))
    await events.starts.start(event.code, AS_ORGANISER, click_id())
    await advance_event(host, clock, threads, 3)
    await events.organising.open_round(event.code, AS_ORGANISER, click_id())
    await advance_event(host, clock, threads, 10)
    await events.organising.redraw(event.code, AS_ORGANISER, "wrong list", click_id())
    await advance_event(host, clock, threads, 3)
    await events.organising.open_round(event.code, AS_ORGANISER, click_id())
    await advance_event(host, clock, threads, 10)
    await events.deadlines.pause(event.code, AS_ORGANISER, 2, click_id())
    await events.deadlines.resume(event.code, AS_ORGANISER, click_id())
    await events.deadlines.extend(event.code, AS_ORGANISER, (1, 1), 3, "holidays", click_id())
    await events.organising.replace(event.code, AS_ORGANISER, player(0).user_id, Person(78, "Zoe"), GUILD, click_id())
    await play_round(host, clock, threads, event.code)
    await events.organising.correct(event.code, AS_ORGANISER, (1, 1, 1), Outcome((90, 1)), "misread")
    await events.organising.disqualify(event.code, AS_ORGANISER, player(1).user_id, "two accounts", click_id())
    await events.organising.close(event.code, AS_ORGANISER, "no time", click_id())
    lines = await events.reader.audit(event.code)  # without permission checks: the log is public
    kinds = "created announced check_in organiser started opened redrawn opened paused resumed extended replaced"
    assert [line.kind for line in lines] == [*kinds.split(), "corrected", "disqualified", "closed"]
    assert {line.user_id for line in lines} == {AS_ORGANISER.user_id}
    reasons = {line.kind: line.details["reason"] for line in lines if "reason" in line.details}
    assert reasons == {
        "redrawn": "wrong list",
        "extended": "holidays",
        "corrected": "misread",
        "disqualified": "two accounts",
        "closed": "no time",
    }


@pytest.mark.sqlite
async def test_two_organisers_open_a_round_once(host: Host, clock: SettableClock) -> None:
    event, threads = await start_event(host, duel_plan(rounds="organiser"), 4), FakeThreads(host)
    await host.events.plans.add_organiser(event.code, AS_ORGANISER, Person(77, "Yan"))
    await advance_event(host, clock, threads, 3)
    for asker in (AS_ORGANISER, Asker(77, GUILD)):
        await host.events.organising.open_round(event.code, asker, click_id())
    await advance_event(host, clock, threads, 10)
    view = await host.events.reader.view(event.code)
    assert view.state is EventState.RUNNING
    assert view.event is not None
    assert len(view.event.stages[0].rounds) == 1
    assert len(threads.opened) == 2
    with expect_error(ErrorCode.NO_ROUND_DUE):
        await host.events.organising.open_round(event.code, AS_ORGANISER, click_id())


@pytest.mark.sqlite
async def test_games_of_a_round_are_created_at_intervals(host: Host) -> None:
    event = await start_event(host, table_plan(), 32)
    await host.events.driver.drive(event.id)
    async with host._store.reading() as tx:
        rows = await events.tables_of(tx, event.id)
    assert len(rows) == 8
    assert {later.due_at - earlier.due_at for earlier, later in pairwise(rows)} == {GAME_CREATION_SPACING}


async def test_departures_and_late_arrivals_are_logged_in_order(host: Host, clock: SettableClock) -> None:
    """Log each with its user, or user 0 for the bot; a disqualification appears once, with its reason."""
    events, threads = host.events, FakeThreads(host)
    event = await start_event(host, duel_plan(), 6)
    leaver, blind, late, cheat = (player(number).user_id for number in (0, 1, 7, 2))
    await advance_event(host, clock, threads, 3)
    await events.sign_up.leave(event.code, leaver, click_id())
    clock.advance(1)
    await events.sign_up.join(event.code, player(7), GUILD, click_id())
    clock.advance(1)
    await events.sign_up.join(event.code, player(0), GUILD, click_id())
    clock.advance(1)
    await events.organising.disqualify(event.code, AS_ORGANISER, cheat, "two accounts", click_id())

    async def can_see(_guild: int, _channel: int, user_id: int) -> bool:
        return user_id != blind

    events.access.sees = can_see
    await play_round(host, clock, threads, event.code)
    await advance_event(host, clock, threads, 3)
    lines = (await events.reader.audit(event.code))[3:]
    assert [(line.kind, line.user_id, dict(line.details)) for line in lines] == [
        ("left", leaver, {}),
        ("came_late", late, {}),
        ("came_back", leaver, {}),
        ("disqualified", AS_ORGANISER.user_id, {"user": cheat, "reason": "two accounts"}),
        ("lost_access", 0, {"user": blind}),
    ]
    assert [line.number for line in lines] == [4, 5, 6, 7, 8]
    assert [line.at for line in lines] == sorted(line.at for line in lines)


@pytest.mark.sqlite
async def test_the_log_names_a_team_that_left(host: Host) -> None:
    event = await announce_teams(host, 2, 2, 2)
    await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    await host.events.driver.drive(event.id)
    captain = player(10).user_id
    await host.events.sign_up.leave(event.code, captain, click_id())
    line = (await host.events.reader.audit(event.code))[-1]
    assert (line.kind, line.user_id, line.details) == ("left", captain, {"team": "Team 1"})


@pytest.mark.sqlite
async def test_the_log_names_the_substitute_who_lost_access(host: Host, clock: SettableClock) -> None:
    """Name the player who had replaced an entrant, not the entrant."""
    events, threads = host.events, FakeThreads(host)
    event = await start_event(host, duel_plan(), 4)
    await advance_event(host, clock, threads, 3)
    await events.organising.replace(event.code, AS_ORGANISER, player(0).user_id, Person(78, "Zoe"), GUILD, click_id())

    async def can_see(_guild: int, _channel: int, user_id: int) -> bool:
        return user_id != 78

    events.access.sees = can_see
    await play_round(host, clock, threads, event.code)
    await advance_event(host, clock, threads, 3)
    assert [line.details for line in await events.reader.audit(event.code) if line.kind == "lost_access"] == [
        {"user": 78}
    ]
