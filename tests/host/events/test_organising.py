"""Powers of organisers while an event is played, and their limits."""

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

HELPER = Asker(player(0).user_id, GUILD)


async def kinds(host: Host, code: str) -> list[str]:
    return [line.kind for line in await host.events.reader.audit(code)]


async def test_a_correction_changes_standings_and_ratings_but_no_round_that_is_open(
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
    lead = first.outcome.scores[0] > first.outcome.scores[1]
    outcome = Outcome((0, 90) if lead else (90, 0))
    for _ in range(2):
        await host.events.organising.correct(event.code, AS_ORGANISER, (1, 1, 1), outcome, "a misread score")
    assert [table.seats for table in (await host.events.reader.round(event.code, 1, 2)).tables] == before
    winner = first.seats[1 if lead else 0]
    line = next(line for line in await host.events.reader.standings(event.code) if line.number == winner)
    assert dict(line.values)["points"] == 1
    assert await kinds(host, event.code) == ["created", "announced", "started", "corrected"]
    moved = await host.events.ratings.profile(0, line.user_id or 0)
    assert moved[0].shown > 1000
    await play_until(host, clock, threads, event.code)
    lists = [await host.events.ratings.profile(0, player(number).user_id) for number in range(8)]
    await host.events.ratings.rebuild()
    assert [await host.events.ratings.profile(0, player(number).user_id) for number in range(8)] == lists
    met = await host.events.ratings.head_to_head(*[person.user_id for person in first.people if person], Scale.DUEL)
    assert met.games == 1


@pytest.mark.repeats_on_postgresql
async def test_ratings_that_nobody_worked_out_after_a_correction_are_at_the_next_start(
    host: Host, new_host: NewHost, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = await start_event(host, duel_plan(), 4)
    await play_round(host, clock, FakeThreads(host), event.code)

    async def dies(_scale: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(host.events.ratings, "rebuild", dies)
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


async def test_a_deadline_is_moved_once_and_with_a_reason(host: Host, clock: SettableClock) -> None:
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


@pytest.mark.repeats_on_postgresql
async def test_one_game_is_given_more_time_once_be_it_with_its_round(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    await advance_event(host, clock, FakeThreads(host))
    one, other = (await host.events.reader.round(event.code)).tables
    assert one.deadline is not None
    later, code, press = one.deadline + timedelta(days=3, hours=2), one.code, click_id()
    for bad, why in ((None, "ill"), (later, " "), (one.deadline, "ill"), (one.deadline + timedelta(days=15), "ill")):
        with expect_error(ErrorCode.BAD_EXTENSION, most=14):
            await host.end_dates.move(code, AS_ORGANISER, bad, why, click_id())
    for _ in range(2):  # the same interaction does it once
        assert (await host.end_dates.move(code, AS_ORGANISER, later, " ill ", press)).ends_at == later
    with expect_error(ErrorCode.GAME_EXTENDED, code=code):
        await host.end_dates.move(code, AS_ORGANISER, later + timedelta(days=1), "still ill", click_id())
    line = (await host.events.reader.audit(event.code))[-1]
    about = {"stage": 1, "round": 1, "table": one.number, "game": code, "hours": 74, "reason": "ill"}
    assert (line.kind, line.user_id, line.details) == ("extended_game", ORGANISER.user_id, about)
    await host.events.deadlines.extend(event.code, AS_ORGANISER, (1, 1), 4, "holidays", click_id())
    after = {table.number: table.deadline for table in (await host.events.reader.round(event.code)).tables}
    assert other.deadline is not None
    assert after == {one.number: later, other.number: other.deadline + timedelta(days=4)}
    assert (await host.games.get(one.game_id or 0)).ends_at == later
    with expect_error(ErrorCode.GAME_EXTENDED, code=other.code):
        await host.end_dates.move(other.code, AS_ORGANISER, other.deadline + timedelta(days=5), "me too", click_id())
    told = [post for post in await host.outbox.due(100) if post.kind is PostKind.ENDS]
    assert [post.game.code for post in told] == [code]


async def test_games_of_an_event_that_was_given_up_end_when_its_organiser_says(
    host: Host, clock: SettableClock
) -> None:
    event = await start_event(host, duel_plan(), 4)
    await advance_event(host, clock, FakeThreads(host))
    game_id = (await open_tables(host, event.code))[0].game_id or 0
    await host.events.organising.close(event.code, AS_ORGANISER, "too few left", click_id())
    for days in (20, 40):
        clock.advance(1)
        end_date = clock.now() + timedelta(days=days)
        assert (await host.end_dates.move(game_id, AS_ORGANISER, end_date)).ends_at == end_date


@pytest.mark.repeats_on_postgresql
async def test_an_organiser_who_plays_touches_nothing_of_his_own(host: Host, clock: SettableClock) -> None:
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
        await host.events.organising.correct(event.code, HELPER, (1, 1, own.number), Outcome((9, 1)), "mine")
    await host.events.organising.correct(event.code, HELPER, (1, 1, other.number), Outcome((9, 1)), "theirs")
    await advance_event(host, clock, threads, 10)
    with expect_error(ErrorCode.OWN_GAME):
        await host.events.organising.redraw(event.code, HELPER, "I do not like mine", click_id())
    game = await host.games.get(own.game_id or 0)
    await host.events.reports.send(event.code, player(3), "he was told what to do", click_id(), game)
    assert await host.events.reports.read(event.code, HELPER) == ()
    [told] = await host.events.reports.read(event.code, AS_ORGANISER)
    assert (told.game_id, told.ply, told.text) == (game.id, game.ply, "he was told what to do")
    with expect_error(ErrorCode.NOT_EVENT_ORGANISER):
        await host.events.reports.read(event.code, Asker(player(3).user_id, GUILD))


@pytest.mark.sqlite
async def test_who_has_the_organisers_role_organises_as_long_as_it_is_theirs(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    crew = Asker(321, GUILD, roles=frozenset({77}))
    with expect_error(ErrorCode.NOT_EVENT_ORGANISER):
        await host.events.plans.set_organiser_role(event.code, crew, 77)
    after = await host.events.plans.set_organiser_role(event.code, AS_ORGANISER, 77)  # also while it is played
    assert after.plan == replace(event.plan, organiser_role=77)
    await host.events.deadlines.pause(event.code, crew, 2, click_id())
    with expect_error(ErrorCode.NOT_EVENT_ORGANISER):
        await host.events.deadlines.resume(event.code, Asker(321, GUILD + 1, roles=frozenset({77})), click_id())
    await host.events.plans.set_organiser_role(event.code, AS_ORGANISER, None)
    with expect_error(ErrorCode.NOT_EVENT_ORGANISER):
        await host.events.deadlines.resume(event.code, crew, click_id())
    found = [line.details for line in await host.events.reader.audit(event.code) if line.kind == "organiser"]
    assert found == [{"role_added": 77}, {"role_removed": 77}]


async def test_nobody_floods_the_organisers(host: Host, clock: SettableClock) -> None:
    """Each report writes to all of them."""
    event = await announce_event(host, duel_plan(), 2)
    for number in range(MAX_DAILY_REPORTS):
        await host.events.reports.send(event.code, player(1), f"report {number}", click_id())
    with expect_error(ErrorCode.REPORTS_MANY, most=MAX_DAILY_REPORTS):
        await host.events.reports.send(event.code, player(1), "one more", click_id())
    await host.events.reports.send(event.code, player(0), "somebody else's", click_id())
    clock.advance(86_401)
    await host.events.reports.send(event.code, player(1), "the day after", click_id())
    assert len(await host.events.reports.read(event.code, AS_ORGANISER)) == MAX_DAILY_REPORTS + 2


@pytest.mark.repeats_on_postgresql
async def test_a_substitute_plays_on_in_the_same_seats(host: Host, clock: SettableClock) -> None:
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


@pytest.mark.repeats_on_postgresql
async def test_who_is_disqualified_is_last_and_leaves_all_games(host: Host, clock: SettableClock) -> None:
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


@pytest.mark.repeats_on_postgresql
async def test_a_round_is_drawn_anew_until_its_first_move(host: Host, clock: SettableClock) -> None:
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


async def test_an_event_rests_and_so_do_its_clocks(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    threads = FakeThreads(host)
    await advance_event(host, clock, threads)
    before = (await host.events.reader.round(event.code)).deadline
    rests = await host.events.deadlines.pause(event.code, AS_ORGANISER, 5, click_id())
    assert rests.state is EventState.PAUSED
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


async def test_an_event_is_given_up(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    await advance_event(host, clock, FakeThreads(host))
    await host.events.organising.close(event.code, AS_ORGANISER, "too few left", click_id())
    with expect_error(ErrorCode.EVENT_OVER):
        await host.events.organising.close(event.code, AS_ORGANISER, "again", click_id())
    with expect_error(ErrorCode.EVENT_NOT_RUNNING):
        await host.events.deadlines.extend(event.code, AS_ORGANISER, (1, 1), 3, "x", click_id())
    with expect_error(ErrorCode.EVENT_OVER):
        await host.events.sign_up.leave(event.code, player(1).user_id, click_id())


async def test_in_a_rated_event_nothing_is_undone(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    await advance_event(host, clock, FakeThreads(host))
    table = (await open_tables(host, event.code))[0]
    await play_plies(host, table.game_id or 0, 2)
    assert table.people[0] is not None
    with pytest.raises(HostError) as caught:
        await host.undo.request(table.game_id or 0, table.people[0].user_id, None, click_id())
    assert caught.value.code is ErrorCode.RATED_EVENT
    assert table.state is TableState.OPEN


async def test_who_sits_there_is_the_event_s_affair(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, duel_plan(), 4)
    await host.events.plans.add_organiser(event.code, AS_ORGANISER, player(0))
    await advance_event(host, clock, FakeThreads(host))
    own = next(table for table in await open_tables(host, event.code) if player(0) in table.people)
    opponent = next(person for person in own.people if person and person != player(0))
    with expect_error(ErrorCode.SEATS_OF_EVENT):
        await host.substitutions.request(
            own.game_id or 0, HELPER, opponent.user_id, click_id(), substitute=Person(77, "Yan")
        )
    with expect_error(ErrorCode.OWN_GAME):
        await host.events.organising.disqualify(event.code, HELPER, opponent.user_id, "he wins", click_id())
    with expect_error(ErrorCode.OWN_GAME):
        await host.events.organising.replace(event.code, HELPER, opponent.user_id, Person(77, "Yan"), GUILD, click_id())
    with expect_error(ErrorCode.OWN_GAME):
        await host.events.deadlines.extend(event.code, HELPER, (1, 1), 3, "I am slow", click_id())


async def test_the_last_organiser_names_another_one_first(host: Host) -> None:
    event = await announce_event(host, duel_plan())
    with expect_error(ErrorCode.LAST_ORGANISER, code=event.code):
        await host.events.plans.remove_organiser(event.code, AS_ORGANISER, ORGANISER.user_id)
    await host.events.plans.remove_organiser(event.code, AS_ORGANISER, STRANGER.user_id)  # who organises nothing here
    await host.events.plans.add_organiser(event.code, AS_ORGANISER, player(0))
    after = await host.events.plans.remove_organiser(event.code, AS_ORGANISER, ORGANISER.user_id)
    assert after.organisers == (player(0),)
    with expect_error(ErrorCode.LAST_ORGANISER, code=event.code):
        await host.events.plans.remove_organiser(event.code, Asker(player(0).user_id, GUILD), player(0).user_id)
