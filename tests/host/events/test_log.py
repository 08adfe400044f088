"""Organisers' actions stand in a log that everybody may read; games of a round are created one after the other."""

from __future__ import annotations

from itertools import pairwise

import pytest

from host import Asker, ErrorCode, Host, Person
from host.events import EventState
from host.events.log import PACED
from store import events
from tests.host.events.field import BOSS_ASKS, Threads, announced, drive, duels, play_round, player, started, tables
from tests.host.events.test_teams import two_teams
from tests.host.people import GUILD, SettableClock, click, refused
from tournaments.points import Outcome


@pytest.mark.sqlite
async def test_each_act_of_an_organiser_is_in_the_log_with_its_reason(host: Host, clock: SettableClock) -> None:
    events, threads = host.events, Threads(host)
    event = await announced(host, duels(rounds="organiser"), 6)
    await events.starts.begin_check_in(event.code, BOSS_ASKS, click())
    for number in range(6):
        await events.sign_up.check_in(event.code, player(number).user_id, click())
    await events.plans.add_organiser(event.code, BOSS_ASKS, Person(77, "Yan"))
    await events.starts.start(event.code, BOSS_ASKS, click())
    await drive(host, clock, threads, 3)
    await events.organising.open_round(event.code, BOSS_ASKS, click())
    await drive(host, clock, threads, 10)
    await events.organising.redraw(event.code, BOSS_ASKS, "wrong list", click())
    await drive(host, clock, threads, 3)
    await events.organising.open_round(event.code, BOSS_ASKS, click())
    await drive(host, clock, threads, 10)
    await events.deadlines.pause(event.code, BOSS_ASKS, 2, click())
    await events.deadlines.resume(event.code, BOSS_ASKS, click())
    await events.deadlines.extend(event.code, BOSS_ASKS, (1, 1), 3, "holidays", click())
    await events.organising.replace(event.code, BOSS_ASKS, player(0).user_id, Person(78, "Zoe"), GUILD, click())
    await play_round(host, clock, threads, event.code)
    await events.organising.correct(event.code, BOSS_ASKS, (1, 1, 1), Outcome((90, 1)), "misread")
    await events.organising.disqualify(event.code, BOSS_ASKS, player(1).user_id, "two accounts", click())
    await events.organising.close(event.code, BOSS_ASKS, "no time", click())
    lines = await events.reader.audit(event.code)  # whoever asks
    acts = "created announced check_in organiser started opened redrawn opened paused resumed extended replaced"
    assert [line.kind for line in lines] == [*acts.split(), "corrected", "disqualified", "closed"]
    assert {line.user_id for line in lines} == {BOSS_ASKS.user_id}
    reasons = {line.kind: line.details["reason"] for line in lines if "reason" in line.details}
    assert reasons == {
        "redrawn": "wrong list",
        "extended": "holidays",
        "corrected": "misread",
        "disqualified": "two accounts",
        "closed": "no time",
    }


@pytest.mark.sqlite
async def test_two_organisers_who_open_a_round_at_once_open_one(host: Host, clock: SettableClock) -> None:
    event, threads = await started(host, duels(rounds="organiser"), 4), Threads(host)
    await host.events.plans.add_organiser(event.code, BOSS_ASKS, Person(77, "Yan"))
    await drive(host, clock, threads, 3)
    for asker in (BOSS_ASKS, Asker(77, GUILD)):
        await host.events.organising.open_round(event.code, asker, click())
    await drive(host, clock, threads, 10)
    view = await host.events.reader.view(event.code)
    assert view.state is EventState.RUNNING
    assert view.event is not None
    assert len(view.event.stages[0].rounds) == 1
    assert len(threads.opened) == 2
    with refused(ErrorCode.NO_ROUND_DUE):
        await host.events.organising.open_round(event.code, BOSS_ASKS, click())


@pytest.mark.sqlite
async def test_games_of_a_round_are_due_one_after_the_other(host: Host) -> None:
    event = await started(host, tables(), 32)
    await host.events.driver.drive(event.id)
    async with host._store.reading() as tx:
        rows = await events.tables_of(tx, event.id)
    assert len(rows) == 8
    assert {later.due_at - earlier.due_at for earlier, later in pairwise(rows)} == {PACED}


@pytest.mark.repeats_on_postgresql
async def test_whoever_left_or_came_late_is_named_at_the_time_at_which_they_did(
    host: Host, clock: SettableClock
) -> None:
    """By themselves or by nobody; who was disqualified stands there once, with the reason."""
    events, threads = host.events, Threads(host)
    event = await started(host, duels(), 6)
    left, blind, late, cheat = (player(number).user_id for number in (0, 1, 7, 2))
    await drive(host, clock, threads, 3)
    await events.sign_up.leave(event.code, left, click())
    clock.advance(1)
    await events.sign_up.join(event.code, player(7), GUILD, click())
    clock.advance(1)
    await events.sign_up.join(event.code, player(0), GUILD, click())
    clock.advance(1)
    await events.organising.disqualify(event.code, BOSS_ASKS, cheat, "two accounts", click())

    async def sees(_guild: int, _channel: int, user_id: int) -> bool:
        return user_id != blind

    events.access.sees = sees
    await play_round(host, clock, threads, event.code)
    await drive(host, clock, threads, 3)
    lines = (await events.reader.audit(event.code))[3:]
    assert [(line.kind, line.user_id, dict(line.details)) for line in lines] == [
        ("left", left, {}),
        ("came_late", late, {}),
        ("came_back", left, {}),
        ("disqualified", BOSS_ASKS.user_id, {"user": cheat, "reason": "two accounts"}),
        ("lost_access", 0, {"user": blind}),
    ]
    assert [line.number for line in lines] == [4, 5, 6, 7, 8]
    assert [line.at for line in lines] == sorted(line.at for line in lines)


@pytest.mark.sqlite
async def test_a_team_that_left_is_named_in_the_log(host: Host) -> None:
    event = await two_teams(host, 2, 2, 2)
    await host.events.starts.start(event.code, BOSS_ASKS, click())
    await host.events.driver.drive(event.id)
    captain = player(10).user_id
    await host.events.sign_up.leave(event.code, captain, click())
    line = (await host.events.reader.audit(event.code))[-1]
    assert (line.kind, line.user_id, line.details) == ("left", captain, {"team": "Team 1"})


@pytest.mark.sqlite
async def test_the_log_names_who_played_for_an_entry_when_it_was_left_out(host: Host, clock: SettableClock) -> None:
    """Whoever played on for somebody, not the one who had entered."""
    events, threads = host.events, Threads(host)
    event = await started(host, duels(), 4)
    await drive(host, clock, threads, 3)
    await events.organising.replace(event.code, BOSS_ASKS, player(0).user_id, Person(78, "Zoe"), GUILD, click())

    async def sees(_guild: int, _channel: int, user_id: int) -> bool:
        return user_id != 78

    events.access.sees = sees
    await play_round(host, clock, threads, event.code)
    await drive(host, clock, threads, 3)
    assert [line.details for line in await events.reader.audit(event.code) if line.kind == "lost_access"] == [
        {"user": 78}
    ]
