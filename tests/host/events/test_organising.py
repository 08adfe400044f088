"""Powers of organisers during an event, and their limits, such as the games that they play themselves.

Organisers correct results, redraw rounds, extend deadlines, replace and disqualify players. A round, stage and table
are addressed by a tuple of numbers: (1, 2, 3) is stage 1, round 2, table 3.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from host import Asker, ErrorCode, GameStatus, Host, HostError, Person, PostKind
from host.events import EventState, TableState
from host.events.organising import MAX_DAILY_REPORTS
from tests.host.conftest import NewHost
from tests.host.events.driver import (
    AS_ORGANISER,
    ORGANISER,
    FakeThreads,
    advance_event,
    announce_event,
    duel_plan,
    end_game,
    open_tables,
    play_round,
    play_until,
    player,
    start_event,
    table_plan,
)
from tests.host.people import GUILD, STRANGER, SettableClock, click_id, expect_error, play_plies
from tournaments.lasting.ratings import Scale
from tournaments.points import Outcome

PLAYING_ORGANISER = Asker(player(0).user_id, GUILD)
"""Player P0, in the tests that make them an organiser of the event."""


async def log_kinds(host: Host, code: str) -> list[str]:
    """Return the kinds of the lines in the event's log."""
    return [line.kind for line in await host.events.reader.audit(code)]


@pytest.mark.both_databases
async def test_a_correction_changes_standings_and_ratings_but_not_the_open_round(
    host: Host, clock: SettableClock
) -> None:
    event = await start_event(host, duel_plan(), 8)
    threads = FakeThreads(host)
    with expect_error(ErrorCode.NO_SUCH_TABLE):
        await host.events.organising.correct(event.code, AS_ORGANISER, (1, 1, 1), Outcome((1, 0)), "")
    await advance_event(host, clock, threads)
    with expect_error(ErrorCode.GAME_UNDECIDED):
        await host.events.organising.correct(event.code, AS_ORGANISER, (1, 1, 1), Outcome((1, 0)), "")
    await play_round(host, clock, threads, event.code)
    await advance_event(host, clock, threads, 10)
    before = [table.seats for table in (await host.events.reader.round(event.code, 1, 2)).tables]
    with expect_error(ErrorCode.BAD_RESULT):
        await host.events.organising.correct(event.code, AS_ORGANISER, (1, 1, 1), Outcome((1, 0, 3)), "")
    first = (await host.events.reader.round(event.code, 1, 1)).tables[0]
    assert first.outcome is not None
    first_won = first.outcome.scores[0] > first.outcome.scores[1]
    outcome = Outcome((0, 90) if first_won else (90, 0))
    for _ in range(2):
        await host.events.organising.correct(event.code, AS_ORGANISER, (1, 1, 1), outcome, "a misread score")
    assert [table.seats for table in (await host.events.reader.round(event.code, 1, 2)).tables] == before
    winner = first.seats[1 if first_won else 0]
    line = next(line for line in await host.events.reader.standings(event.code) if line.number == winner)
    assert dict(line.values)["points"] == 1
    assert await log_kinds(host, event.code) == ["created", "announced", "started", "corrected"]
    moved = await host.events.ratings.profile(0, line.user_id or 0)
    assert moved[0].shown > 1000
    await play_until(host, clock, threads, event.code)
    lists = [await host.events.ratings.profile(0, player(number).user_id) for number in range(8)]
    await host.events.ratings.rebuild()
    assert [await host.events.ratings.profile(0, player(number).user_id) for number in range(8)] == lists
    met = await host.events.ratings.head_to_head(*[person.user_id for person in first.people if person], Scale.DUEL)
    assert met.games == 1


@pytest.mark.repeats_on_postgresql
async def test_ratings_not_rebuilt_after_a_correction_are_rebuilt_at_the_next_start(
    host: Host, new_host: NewHost, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = await start_event(host, duel_plan(), 4)
    await play_round(host, clock, FakeThreads(host), event.code)

    async def fail(_scale: object) -> None:
        """Fail like a lost connection."""
        raise ConnectionError

    monkeypatch.setattr(host.events.ratings, "rebuild", fail)
    first = (await host.events.reader.round(event.code, 1, 1)).tables[0]
    assert first.outcome is not None
    assert first.people[0] is not None
    with pytest.raises(ConnectionError):
        await host.events.organising.correct(
            event.code,
            AS_ORGANISER,
            (1, 1, 1),
            Outcome((50, 3) if first.outcome.scores != (50, 3) else (51, 3)),
            "turned",
        )
    fresh = await new_host()
    await fresh.start()
    assert (await fresh.events.ratings.profile(0, first.people[0].user_id))[0].shown > 1000


async def test_a_deadline_is_extended_once_with_a_reason(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    await advance_event(host, clock, FakeThreads(host))
    before = (await host.events.reader.round(event.code)).deadline
    with expect_error(ErrorCode.BAD_EXTENSION, most=14):
        await host.events.deadlines.extend(event.code, AS_ORGANISER, (1, 1), 4, " ", click_id())
    await host.events.deadlines.extend(event.code, AS_ORGANISER, (1, 1), 4, "holidays", click_id())
    after = await host.events.reader.round(event.code)
    assert before is not None
    assert after.deadline is not None
    assert ((after.deadline - before).days, after.extended) == (4, 4)
    for table in after.tables:
        assert (await host.games.get(table.game_id or 0)).ends_at == table.deadline
    with expect_error(ErrorCode.EXTENDED_ALREADY):
        await host.events.deadlines.extend(event.code, AS_ORGANISER, (1, 1), 4, "again", click_id())


async def test_a_game_is_extended_once_alone_or_with_its_round(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    await advance_event(host, clock, FakeThreads(host))
    first_table, second_table = (await host.events.reader.round(event.code)).tables
    assert first_table.deadline is not None
    later, code, press_id = first_table.deadline + timedelta(days=3, hours=2), first_table.code, click_id()
    for bad_date, reason in (
        (None, "ill"),
        (later, " "),
        (first_table.deadline, "ill"),
        (first_table.deadline + timedelta(days=15), "ill"),
    ):
        with expect_error(ErrorCode.BAD_EXTENSION, most=14):
            await host.end_dates.move(code, AS_ORGANISER, bad_date, reason, click_id())
    for _ in range(2):  # a repeated interaction changes nothing
        assert (await host.end_dates.move(code, AS_ORGANISER, later, " ill ", press_id)).ends_at == later
    with expect_error(ErrorCode.GAME_EXTENDED, code=code):
        await host.end_dates.move(code, AS_ORGANISER, later + timedelta(days=1), "still ill", click_id())
    line = (await host.events.reader.audit(event.code))[-1]
    about = {"stage": 1, "round": 1, "table": first_table.number, "game": code, "hours": 74, "reason": "ill"}
    assert (line.kind, line.user_id, line.details) == ("extended_game", ORGANISER.user_id, about)
    await host.events.deadlines.extend(event.code, AS_ORGANISER, (1, 1), 4, "holidays", click_id())
    after = {table.number: table.deadline for table in (await host.events.reader.round(event.code)).tables}
    assert second_table.deadline is not None
    assert after == {first_table.number: later, second_table.number: second_table.deadline + timedelta(days=4)}
    assert (await host.games.get(first_table.game_id or 0)).ends_at == later
    with expect_error(ErrorCode.GAME_EXTENDED, code=second_table.code):
        await host.end_dates.move(
            second_table.code, AS_ORGANISER, second_table.deadline + timedelta(days=5), "me too", click_id()
        )
    notices = [post for post in await host.outbox.due(100) if post.kind is PostKind.ENDS]
    assert [post.game.code for post in notices] == [code]


@pytest.mark.both_databases
async def test_an_organiser_moves_end_dates_of_an_abandoned_event(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    await advance_event(host, clock, FakeThreads(host))
    game_id = (await open_tables(host, event.code))[0].game_id or 0
    await host.events.organising.close(event.code, AS_ORGANISER, "too few left", click_id())
    for days in (20, 40):
        clock.advance(1)
        end_date = clock.now() + timedelta(days=days)
        assert (await host.end_dates.move(game_id, AS_ORGANISER, end_date)).ends_at == end_date


async def test_a_playing_organiser_cannot_decide_their_own_games(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 8)
    await host.events.plans.add_organiser(event.code, AS_ORGANISER, player(0))
    threads = FakeThreads(host)
    await play_round(host, clock, threads, event.code)
    first = await host.events.reader.round(event.code, 1, 1)
    number = (await host.events.reader.view(event.code)).entry_of(player(0).user_id)
    assert number is not None
    own = next(table for table in first.tables if number.number in table.seats)
    other = next(table for table in first.tables if number.number not in table.seats)
    with expect_error(ErrorCode.OWN_GAME):
        await host.events.organising.correct(event.code, PLAYING_ORGANISER, (1, 1, own.number), Outcome((9, 1)), "mine")
    await host.events.organising.correct(event.code, PLAYING_ORGANISER, (1, 1, other.number), Outcome((9, 1)), "theirs")
    await advance_event(host, clock, threads, 10)
    with expect_error(ErrorCode.OWN_GAME):
        await host.events.organising.redraw(event.code, PLAYING_ORGANISER, "I do not like mine", click_id())
    game = await host.games.get(own.game_id or 0)
    await host.events.reports.send(event.code, player(3), "he was told what to do", click_id(), game)
    assert await host.events.reports.read(event.code, PLAYING_ORGANISER) == ()
    [report] = await host.events.reports.read(event.code, AS_ORGANISER)
    assert (report.game_id, report.ply, report.text) == (game.id, game.ply, "he was told what to do")
    with expect_error(ErrorCode.NOT_EVENT_ORGANISER):
        await host.events.reports.read(event.code, Asker(player(3).user_id, GUILD))


@pytest.mark.sqlite
async def test_members_with_the_organisers_role_organise_the_event(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    role_holder = Asker(321, GUILD, roles=frozenset({77}))
    with expect_error(ErrorCode.NOT_EVENT_ORGANISER):
        await host.events.plans.set_organiser_role(event.code, role_holder, 77)
    await host.events.plans.set_organiser_role(event.code, AS_ORGANISER, 77)  # also while the event is played
    after = await host.events.reader.view(event.code)
    assert after.plan == replace(event.plan, organiser_role=77)
    await host.events.deadlines.pause(event.code, role_holder, 2, click_id())
    with expect_error(ErrorCode.NOT_EVENT_ORGANISER):
        await host.events.deadlines.resume(event.code, Asker(321, GUILD + 1, roles=frozenset({77})), click_id())
    await host.events.plans.set_organiser_role(event.code, AS_ORGANISER, None)
    with expect_error(ErrorCode.NOT_EVENT_ORGANISER):
        await host.events.deadlines.resume(event.code, role_holder, click_id())
    details = [line.details for line in await host.events.reader.audit(event.code) if line.kind == "organiser"]
    assert details == [{"role_added": 77}, {"role_removed": 77}]


async def test_a_player_sends_a_limited_number_of_reports_a_day(host: Host, clock: SettableClock) -> None:
    """Limit reports, as each sends a message to all organisers."""
    event = await announce_event(host, duel_plan(), 2)
    for number in range(MAX_DAILY_REPORTS):
        await host.events.reports.send(event.code, player(1), f"report {number}", click_id())
    with expect_error(ErrorCode.REPORTS_MANY, most=MAX_DAILY_REPORTS):
        await host.events.reports.send(event.code, player(1), "one more", click_id())
    await host.events.reports.send(event.code, player(0), "another player's", click_id())
    clock.advance(86_401)
    await host.events.reports.send(event.code, player(1), "the day after", click_id())
    assert len(await host.events.reports.read(event.code, AS_ORGANISER)) == MAX_DAILY_REPORTS + 2


async def test_a_substitute_takes_over_all_seats(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    threads = FakeThreads(host)
    await advance_event(host, clock, threads)
    zoe = Person(4321, "Zoe")
    with expect_error(ErrorCode.PLAYS_THERE, player="P1"):
        await host.events.organising.replace(event.code, AS_ORGANISER, player(0).user_id, player(1), GUILD, click_id())
    await host.events.organising.replace(event.code, AS_ORGANISER, player(0).user_id, zoe, GUILD, click_id())
    await advance_event(host, clock, threads, 3)
    seated = [person.name for table in await open_tables(host, event.code) for person in table.people if person]
    assert "Zoe" in seated
    assert "P0" not in seated
    for table in await open_tables(host, event.code):
        game = await host.games.get(table.game_id or 0)
        assert list(game.seats) == list(table.people)
    await play_round(host, clock, threads, event.code)
    assert await host.events.ratings.profile(GUILD, zoe.user_id) == ()
    assert await host.events.ratings.profile(GUILD, player(0).user_id) == ()


async def test_a_disqualified_player_ranks_last_and_leaves_all_games(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    threads = FakeThreads(host)
    await play_round(host, clock, threads, event.code)
    await advance_event(host, clock, threads, 10)
    await host.events.organising.disqualify(event.code, AS_ORGANISER, player(1).user_id, "two accounts", click_id())
    await advance_event(host, clock, threads, 5)
    lines = await host.events.reader.standings(event.code)
    assert (lines[-1].name, lines[-1].disqualified) == ("P1", True)
    assert (await host.events.reader.explain(event.code, lines[0].number, lines[-1].number)).name == "disqualified"
    assert player(1).user_id not in [
        person.user_id for table in await open_tables(host, event.code) for person in table.people if person
    ]
    with expect_error(ErrorCode.NOT_ENTERED):
        await host.events.sign_up.join(event.code, player(1), GUILD, click_id())


async def test_a_round_is_redrawn_only_before_its_first_move(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, table_plan(), 8)
    threads = FakeThreads(host)
    await advance_event(host, clock, threads)
    before = await open_tables(host, event.code)
    await host.events.organising.redraw(event.code, AS_ORGANISER, "wrong list", click_id())
    await advance_event(host, clock, threads, 10)
    after = await open_tables(host, event.code)
    assert {table.game_id for table in before}.isdisjoint({table.game_id for table in after})
    assert len(after) == len(before) == 2
    for table in before:
        game = await host.games.get(table.game_id or 0)
        assert (game.status, game.person_to_act) == (GameStatus.FINISHED, None)
        assert await host.timers.put_away_at(game) is not None
    assert {game_id for game_id, kind in threads.kinds if kind is PostKind.CLOSED} == {t.game_id for t in before}
    await play_plies(host, after[0].game_id or 0, 1)
    with expect_error(ErrorCode.ROUND_PLAYED):
        await host.events.organising.redraw(event.code, AS_ORGANISER, "again", click_id())
    while len((await host.events.reader.view(event.code)).event.stages[0].rounds) < 2:  # type: ignore[union-attr]
        await play_round(host, clock, threads, event.code)


@pytest.mark.both_databases
async def test_a_pause_stops_an_event_and_postpones_its_deadlines(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    threads = FakeThreads(host)
    await advance_event(host, clock, threads)
    before = (await host.events.reader.round(event.code)).deadline
    await host.events.deadlines.pause(event.code, AS_ORGANISER, 5, click_id())
    paused = await host.events.reader.view(event.code)
    assert paused.state is EventState.PAUSED
    with expect_error(ErrorCode.EVENT_PAUSED):
        await host.events.deadlines.pause(event.code, AS_ORGANISER, 5, click_id())
    for table in await open_tables(host, event.code):
        await end_game(host, await host.games.get(table.game_id or 0))
    await advance_event(host, clock, threads, 5)
    assert len((await host.events.reader.view(event.code)).event.stages[0].rounds) == 1  # type: ignore[union-attr]
    clock.advance(5 * 24 * 3600)
    await advance_event(host, clock, threads, 10)
    after = await host.events.reader.view(event.code)
    assert after.state is EventState.RUNNING
    assert len(after.event.stages[0].rounds) == 2  # type: ignore[union-attr]
    assert before is not None
    await host.events.deadlines.pause(event.code, AS_ORGANISER, 7, click_id())
    deadline = (await host.events.reader.round(event.code)).deadline
    clock.advance(3600)
    await host.events.deadlines.resume(event.code, AS_ORGANISER, click_id())
    assert deadline is not None
    shortened = (await host.events.reader.round(event.code)).deadline
    assert shortened is not None
    assert (deadline - shortened).days == 6
    with expect_error(ErrorCode.EVENT_NOT_PAUSED):
        await host.events.deadlines.resume(event.code, AS_ORGANISER, click_id())


async def test_an_abandoned_event_accepts_no_further_changes(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    await advance_event(host, clock, FakeThreads(host))
    await host.events.organising.close(event.code, AS_ORGANISER, "too few left", click_id())
    with expect_error(ErrorCode.EVENT_OVER):
        await host.events.organising.close(event.code, AS_ORGANISER, "again", click_id())
    with expect_error(ErrorCode.EVENT_NOT_RUNNING):
        await host.events.deadlines.extend(event.code, AS_ORGANISER, (1, 1), 3, "x", click_id())
    with expect_error(ErrorCode.EVENT_OVER):
        await host.events.sign_up.leave(event.code, player(1).user_id, click_id())


async def test_a_rated_event_allows_no_undo(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    await advance_event(host, clock, FakeThreads(host))
    table = (await open_tables(host, event.code))[0]
    await play_plies(host, table.game_id or 0, 2)
    assert table.people[0] is not None
    with pytest.raises(HostError) as caught:
        await host.undo.request(table.game_id or 0, table.people[0].user_id, None, click_id())
    assert caught.value.code is ErrorCode.RATED_EVENT
    assert table.state is TableState.OPEN


async def test_players_of_an_event_are_replaced_by_the_event_only(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    await host.events.plans.add_organiser(event.code, AS_ORGANISER, player(0))
    await advance_event(host, clock, FakeThreads(host))
    own = next(table for table in await open_tables(host, event.code) if player(0) in table.people)
    opponent = next(person for person in own.people if person and person != player(0))
    with expect_error(ErrorCode.SEATS_OF_EVENT):
        await host.substitutions.request(
            own.game_id or 0, PLAYING_ORGANISER, opponent.user_id, click_id(), substitute=Person(77, "Yan")
        )
    with expect_error(ErrorCode.SEATS_OF_EVENT):
        await host.substitutions.request(
            own.game_id or 0, PLAYING_ORGANISER, opponent.user_id, click_id(), level="quick"
        )
    with expect_error(ErrorCode.OWN_GAME):
        await host.events.organising.disqualify(event.code, PLAYING_ORGANISER, opponent.user_id, "he wins", click_id())
    with expect_error(ErrorCode.OWN_GAME):
        await host.events.organising.replace(
            event.code, PLAYING_ORGANISER, opponent.user_id, Person(77, "Yan"), GUILD, click_id()
        )
    with expect_error(ErrorCode.OWN_GAME):
        await host.events.deadlines.extend(event.code, PLAYING_ORGANISER, (1, 1), 3, "I am slow", click_id())


async def test_the_last_organiser_cannot_be_removed(host: Host) -> None:
    event = await announce_event(host, duel_plan())
    with expect_error(ErrorCode.LAST_ORGANISER, code=event.code):
        await host.events.plans.remove_organiser(event.code, AS_ORGANISER, ORGANISER.user_id)
    await host.events.plans.remove_organiser(
        event.code, AS_ORGANISER, STRANGER.user_id
    )  # not an organiser: removing them changes nothing
    await host.events.plans.add_organiser(event.code, AS_ORGANISER, player(0))
    await host.events.plans.remove_organiser(event.code, AS_ORGANISER, ORGANISER.user_id)
    after = await host.events.reader.view(event.code)
    assert after.organisers == (player(0),)
    with expect_error(ErrorCode.LAST_ORGANISER, code=event.code):
        await host.events.plans.remove_organiser(event.code, Asker(player(0).user_id, GUILD), player(0).user_id)
