"""The organisers' hand in a running event: preview of a round, seats exchanged, penalties, warnings, no-shows.

The event's rounds are opened by its organiser, who does not play.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from unittest.mock import Mock

import pytest

from host import Asker, ErrorCode, Host, HostError
from host.events import EventView
from tests.host.events.driver import (
    AS_ORGANISER,
    FakeThreads,
    advance_event,
    duel_plan,
    open_tables,
    play_round,
    player,
    start_event,
)
from tests.host.events.test_teams import TEAM_PLAN, announce_teams
from tests.host.people import GUILD, STRANGER, SettableClock, click_id, expect_error, play_plies
from tournaments.organising import due_round
from tournaments.specification import Parameters

PLAYING_ORGANISER = Asker(player(0).user_id, GUILD)
"""Player P0, in the tests that make them an organiser of the event."""


async def waiting_event(host: Host, clock: SettableClock, threads: FakeThreads, players: int = 8) -> EventView:
    """Return an event whose second round waits for an organiser."""
    event = await start_event(host, duel_plan(rounds="organiser"), players)
    await advance_event(host, clock, threads, 5)
    await host.events.organising.open_round(event.code, AS_ORGANISER, click_id())
    await play_round(host, clock, threads, event.code)
    await advance_event(host, clock, threads, 5)
    return await host.events.reader.view(event.code)


def pairs_of(tables: object) -> set[frozenset[int]]:
    """Return the pairs of a round."""
    return {frozenset(table.seats) for table in tables}  # type: ignore[attr-defined]


async def log_lines(host: Host, code: str) -> dict[str, dict[str, object]]:
    """Return the details of the event's log by kind, of each kind the last."""
    return {line.kind: dict(line.details) for line in await host.events.reader.audit(code)}


async def post_kinds(host: Host) -> list[str]:
    """Send all posts of events, and return their kinds."""
    kinds: list[str] = []
    while posts := await host.events.posts.due():
        for post in posts:
            assert await host.events.posts.lease(post.id)
            await host.events.posts.record_sent(post.id, 1)
            kinds.append(post.kind)
    return kinds


async def test_the_preview_is_the_round_that_opens_and_leaves_no_trace(host: Host, clock: SettableClock) -> None:
    threads = FakeThreads(host)
    event = await waiting_event(host, clock, threads)
    with expect_error(ErrorCode.NOT_EVENT_ORGANISER):
        await host.events.organising.preview(event.code, Asker(STRANGER.user_id, GUILD))
    coming, preview = await host.events.organising.preview(event.code, AS_ORGANISER)
    assert (preview.stage, preview.number) == (1, 2)
    assert coming.event is not None
    assert (await host.events.reader.view(event.code)).facts == event.facts
    assert not await open_tables(host, event.code)
    await host.events.organising.open_round(event.code, AS_ORGANISER, click_id())
    await advance_event(host, clock, threads)
    assert pairs_of((await host.events.reader.round(event.code)).tables) == pairs_of(preview.tables)
    with expect_error(ErrorCode.NO_ROUND_DUE):
        await host.events.organising.preview(event.code, AS_ORGANISER)


async def test_two_players_change_places_before_a_round_opens(host: Host, clock: SettableClock) -> None:
    threads = FakeThreads(host)
    event = await waiting_event(host, clock, threads)
    _, before = await host.events.organising.preview(event.code, AS_ORGANISER)
    exchanged, refused = None, set()
    first = before.tables[0].seats[0]
    for table in before.tables[1:]:
        for other in table.seats:
            users, click = (event_person(event, first), event_person(event, other)), click_id()
            error = await refusal_of(host, event, users, click)
            if error is None:
                exchanged = other
                assert await refusal_of(host, event, users, click) is None
                break
            refused.add(error.values["reason"])
            assert all(str(error.values[name]).startswith("P") for name in ("player", "other"))
        if exchanged is not None:
            break
    assert exchanged is not None
    assert refused <= {"pairs-repeat"}
    _, after = await host.events.organising.preview(event.code, AS_ORGANISER)
    swap = {first: exchanged, exchanged: first}
    expected = {frozenset(swap.get(player, player) for player in pair) for pair in pairs_of(before.tables)}
    assert pairs_of(after.tables) == expected
    line = (await log_lines(host, event.code))["exchanged"]
    assert (line["user"], line["by"], line["reason"]) == (
        event_person(event, first),
        event_person(event, exchanged),
        "friends",
    )
    await host.events.organising.open_round(event.code, AS_ORGANISER, click_id())
    await advance_event(host, clock, threads)
    assert pairs_of((await host.events.reader.round(event.code)).tables) == expected


async def refusal_of(
    host: Host, event: EventView, users: tuple[int, int], click: int, asker: Asker = AS_ORGANISER
) -> HostError | None:
    """Let two users change places; return the refusal, or None if they do."""
    try:
        await host.events.organising.exchange(event.code, asker, users, "friends", click)
    except HostError as error:
        return error
    return None


def event_person(event: EventView, number: int) -> int:
    """Return the user id of a player by number."""
    return next(entry.person.user_id for entry in event.entries if entry.number == number)


async def test_an_organiser_who_plays_exchanges_nobody_at_their_own_table(host: Host, clock: SettableClock) -> None:
    threads = FakeThreads(host)
    event = await waiting_event(host, clock, threads)
    await host.events.plans.add_organiser(event.code, AS_ORGANISER, player(0))
    _, before = await host.events.organising.preview(event.code, PLAYING_ORGANISER)
    own = next(entry.number for entry in event.entries if entry.person.user_id == player(0).user_id)
    table = next(table for table in before.tables if own in table.seats)
    opponent = next(seat for seat in table.seats if seat != own)
    codes = set()
    for other in {seat for each in before.tables for seat in each.seats} - set(table.seats):
        users = event_person(event, opponent), event_person(event, other)
        error = await refusal_of(host, event, users, click_id(), PLAYING_ORGANISER)
        assert error is not None
        codes.add(error.code)
    assert ErrorCode.OWN_GAME in codes
    assert codes <= {ErrorCode.OWN_GAME, ErrorCode.BAD_PLAN}


async def test_the_panel_weighs_an_exchange_first_and_notices_that_the_round_has_changed(
    host: Host, clock: SettableClock
) -> None:
    """Players are named by their numbers there, and the organiser has looked at the round before."""
    event, organising = await waiting_event(host, clock, FakeThreads(host)), host.events.organising
    coming, before = await organising.preview(event.code, AS_ORGANISER)
    first = before.tables[0].seats[0]
    weighed = None
    for other in (seat for table in before.tables[1:] for seat in table.seats):
        with suppress(HostError):  # the two would meet again
            weighed = await organising.weigh_exchange(event.code, AS_ORGANISER, (first, other), coming.facts)
    assert weighed is not None
    assert (await organising.preview(event.code, AS_ORGANISER))[1].state == before.state
    assert pairs_of(weighed.before.tables) == pairs_of(before.tables) != pairs_of(weighed.after.tables)
    assert not weighed.repeats
    values = event.code, AS_ORGANISER, weighed.players, coming.facts, "friends"
    with expect_error(ErrorCode.NOT_EVENT_ORGANISER):
        await organising.weigh_exchange(event.code, Asker(STRANGER.user_id, GUILD), weighed.players, coming.facts)
    with expect_error(ErrorCode.NOT_EVENT_ORGANISER):
        await organising.exchange_entries(event.code, Asker(STRANGER.user_id, GUILD), *values[2:], click_id())
    with expect_error(ErrorCode.NOT_ENTERED):
        await organising.weigh_exchange(event.code, AS_ORGANISER, (first, 999), coming.facts)
    await organising.exchange_entries(*values, click_id())
    assert (await organising.preview(event.code, AS_ORGANISER))[1].state == weighed.after.state
    users = {name: event_person(event, number) for name, number in zip(("user", "by"), weighed.players, strict=True)}
    details = {**users, "stage": 1, "round": 2, "reason": "friends"}
    assert (await log_lines(host, event.code))["exchanged"] == details
    with expect_error(ErrorCode.ROUND_CHANGED):
        await organising.exchange_entries(*values, click_id())
    with expect_error(ErrorCode.ROUND_CHANGED):
        await organising.weigh_exchange(event.code, AS_ORGANISER, weighed.players, coming.facts)
    assert (await organising.preview(event.code, AS_ORGANISER))[1].state == weighed.after.state


async def test_a_round_is_drawn_once_for_all_looks_at_it(
    host: Host, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a large field the draw takes long; what happens in the event draws it anew."""
    event, organising = await waiting_event(host, clock, FakeThreads(host)), host.events.organising
    draws = Mock(side_effect=due_round)
    monkeypatch.setattr("host.events.organising.due_round", draws)
    for _ in range(2):
        coming, before = await organising.preview(event.code, AS_ORGANISER)
    pair = before.tables[0].seats
    weighed = await organising.weigh_exchange(event.code, AS_ORGANISER, pair, coming.facts)  # type: ignore[arg-type]
    await organising.exchange_entries(event.code, AS_ORGANISER, pair, coming.facts, "seats", click_id())  # type: ignore[arg-type]
    assert (await organising.preview(event.code, AS_ORGANISER))[1].state == weighed.after.state
    assert draws.call_count == 1
    assert weighed.after.state.tables[0].seats == pair[::-1]
    await host.events.sign_up.leave(event.code, event_person(event, pair[0]), click_id())
    _, anew = await organising.preview(event.code, AS_ORGANISER)
    assert draws.call_count == 2
    assert pair[0] not in {seat for table in anew.tables for seat in table.seats}


async def test_exchanged_teams_are_logged_by_their_names(host: Host, clock: SettableClock) -> None:
    plan = replace(TEAM_PLAN, format="team-knockout", rounds="organiser")
    event = await announce_teams(host, 2, 2, 2, 2, plan=plan)
    await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    await advance_event(host, clock, FakeThreads(host), 5)
    organising = host.events.organising
    coming, before = await organising.preview(event.code, AS_ORGANISER)
    first, other = before.state.slots[0], before.state.slots[2]
    await organising.exchange_entries(event.code, AS_ORGANISER, (first, other), coming.facts, "derby", click_id())
    line = (await log_lines(host, event.code))["exchanged"]
    names = {"team": coming.name_of(first), "other": coming.name_of(other)}
    assert line == {**names, "stage": 1, "round": 1, "reason": "derby"}
    assert all(name.startswith("Team ") for name in names.values())


@pytest.mark.both_databases
async def test_a_penalty_is_told_logged_and_counts(host: Host, clock: SettableClock) -> None:
    threads = FakeThreads(host)
    event = await waiting_event(host, clock, threads)
    leader = (await host.events.reader.standings(event.code))[0]
    assert leader.user_id is not None
    click = click_id()
    for _ in range(2):
        await host.events.organising.penalise(event.code, AS_ORGANISER, leader.user_id, "1.5", " talking ", click)
    line = next(line for line in await host.events.reader.standings(event.code) if line.number == leader.number)
    assert (line.penalty, dict(line.values)["points"]) == (Fraction(3, 2), Fraction(-1, 2))
    assert line.rank > 4
    details = (await log_lines(host, event.code))["penalised"]
    assert details == {"user": leader.user_id, "points": "3/2", "reason": "talking"}
    assert (await post_kinds(host)).count("penalised") == 1
    with expect_error(ErrorCode.BAD_PLAN, reason="bad-penalty"):
        await host.events.organising.penalise(event.code, AS_ORGANISER, leader.user_id, "0.3", "", click_id())
    with expect_error(ErrorCode.NOT_ENTERED):
        await host.events.organising.penalise(event.code, AS_ORGANISER, STRANGER.user_id, "1", "", click_id())


async def test_a_warning_is_told_and_changes_no_rank(host: Host, clock: SettableClock) -> None:
    threads = FakeThreads(host)
    event = await waiting_event(host, clock, threads)
    before = await host.events.reader.standings(event.code)
    user_id = before[2].user_id or 0
    await host.events.organising.warn(event.code, AS_ORGANISER, user_id, "language", click_id())
    after = await host.events.reader.standings(event.code)
    assert [line.number for line in after] == [line.number for line in before]
    assert [line.warnings for line in after] == [0, 0, 1, *[0] * 5]
    assert (await log_lines(host, event.code))["warned"] == {"user": user_id, "reason": "language"}
    assert "warned" in await post_kinds(host)


async def test_an_organiser_who_plays_punishes_no_opponent(host: Host, clock: SettableClock) -> None:
    threads = FakeThreads(host)
    event = await start_event(host, duel_plan(), 4)
    await host.events.plans.add_organiser(event.code, AS_ORGANISER, player(0))
    await advance_event(host, clock, threads)
    for table in await open_tables(host, event.code):
        users = [person.user_id for person in table.people if person]
        if player(0).user_id in users:
            opponent = next(user for user in users if user != player(0).user_id)
            with expect_error(ErrorCode.OWN_GAME):
                await host.events.organising.penalise(event.code, PLAYING_ORGANISER, opponent, "1", "", click_id())
            with expect_error(ErrorCode.OWN_GAME):
                await host.events.organising.warn(event.code, PLAYING_ORGANISER, opponent, "", click_id())


@pytest.mark.sqlite
async def test_a_player_who_never_moves_is_a_no_show_and_one_who_resigns_is_not(
    host: Host, clock: SettableClock
) -> None:
    plan = duel_plan()
    plan = replace(plan, parameters=Parameters(pace="live", rounds=1))
    event, threads = await start_event(host, plan, 8), FakeThreads(host)
    await advance_event(host, clock, threads)
    tables = await open_tables(host, event.code)
    silent, resigning, moving, _ = (table.game_id or 0 for table in tables)
    game = await host.games.get(resigning)
    await host.moves.resign(resigning, game.seats[0].user_id, click_id())
    await play_plies(host, moving, 2)
    for _ in range(20):
        await advance_event(host, clock, threads, 60)
        await host.gateway_monitor.beat()
    outcomes = {table.game_id: table.outcome for table in (await host.events.reader.round(event.code)).tables}
    first = (await host.games.table(silent)).log[0].seat
    assert outcomes[silent].absent == outcomes[silent].out == (first,)  # type: ignore[union-attr]
    assert outcomes[resigning].absent == ()  # type: ignore[union-attr]
    assert len(outcomes[moving].out) == 1  # type: ignore[union-attr]
    moved = {entry.seat for entry in (await host.games.table(moving)).log if entry.user_id > 0}
    assert set(outcomes[moving].absent) == set(outcomes[moving].out) - moved  # type: ignore[union-attr]
    csv_text = await host.events.exports.games_csv(event.code)
    assert "no-show" in csv_text
