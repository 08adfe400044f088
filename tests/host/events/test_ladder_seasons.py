"""Seasons of the ladder: games of its queue and of matches are entered, followed and, at the end, decided by time.

Most tests call the driver itself, so that clocks of games do not run out while weeks pass.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from host import Asker, ErrorCode, Game, Host, TableSettings
from host.events import EventState, EventView
from host.events.seasons import SEASON_CHECK_SPACING
from tests.host.events.driver import (
    AS_ORGANISER,
    EVENT_CHANNEL,
    FakeThreads,
    advance_event,
    duel_plan,
    end_game,
    player,
    start_event,
)
from tests.host.events.test_seasons import all_posts
from tests.host.people import GUILD, SettableClock, click_id, expect_error, new_lobby, play_plies
from tournaments.facts import Correction, Result
from tournaments.lasting.ratings import Scale
from tournaments.points import Outcome
from tournaments.specification import Parameters

WEEK = timedelta(weeks=1).total_seconds()


async def begin_season(host: Host, players: int = 6, **parameters: Any) -> EventView:
    """Start a season of two divisions of three, seated by lot."""
    rules = Parameters(**{"pool": 3, "season_weeks": 6, "meetings": 2, **parameters})
    season = await start_event(host, duel_plan(format="duel-season", parameters=rules), players)
    await host.events.driver.work()
    return await host.events.reader.view(season.code)


def user_ids(season: EventView, division: int = 0) -> list[int]:
    """Return the players of a division."""
    assert season.event is not None
    return [int(season.event.entries[number].key) for number in season.event.stages[0].pools()[division]]


async def begin_match(host: Host, clock: SettableClock, first: int, second: int, **changes: Any) -> list[Game]:
    """Let two users play a rated match of one game, and return its games."""
    challenger, challenged = player(first - 1000), player(second - 1000)
    settings = {"best_of": 1, "rated": True, "settings": TableSettings(pace="standard"), "expansions": ()}
    lobby = await host.lobbies.open(
        new_lobby(owner=challenger, challenged=(challenged,), capacity=2, **settings | changes), click_id()
    )
    await host.lobbies.join(lobby.id, challenged, click_id())
    event = await host.matches.begin(lobby.id, first, click_id())
    await host.events.driver.work()
    for _ in range(2):
        await host.events.openings.open_tables()
        clock.advance(2)
    tables = (await host.events.reader.round(event.code)).tables
    await FakeThreads(host).send_due_posts()
    return [await host.games.get(table.game_id) for table in tables if table.game_id is not None]


async def look(host: Host, clock: SettableClock, season: EventView) -> EventView:
    """Let the season look for games, and return it."""
    clock.advance(SEASON_CHECK_SPACING.total_seconds() + 1)
    await host.events.driver.work()
    return await host.events.reader.view(season.code)


def season_games(season: EventView) -> list[tuple[set[int], Outcome | None]]:
    """Return the users and the result of each game of a season."""
    assert season.event is not None
    drawn = season.event.round(1, 1)
    keys = [entry.key for entry in season.event.entries]
    pairs = zip(drawn.tables, drawn.outcomes, strict=True)
    return [({int(keys[number]) for number in table.seats}, outcome) for table, outcome in pairs]


@pytest.mark.both_databases
async def test_a_match_of_a_division_counts_from_its_beginning_to_its_result(host: Host, clock: SettableClock) -> None:
    season = await begin_season(host)
    first, second, _ = user_ids(season)
    (game,) = await begin_match(host, clock, first, second)
    season = await look(host, clock, season)
    assert season_games(season) == [({first, second}, None)]
    (table,) = (await host.events.reader.round(season.code)).tables
    assert (table.game_id, table.code, table.outcome) == (game.id, game.code, None)
    await end_game(host, game)
    await host.timer_dispatcher.work()
    season = await look(host, clock, season)
    ((_, outcome),) = season_games(season)
    assert outcome is not None
    match = await host.events.reader.event_of(game)
    assert match is not None
    assert (await host.events.reader.round(match.code)).tables[0].outcome == outcome
    best = (await host.events.reader.standings(season.code))[0]
    assert best.user_id in {first, second}
    assert dict(best.values)["points"] == 1


async def test_games_that_do_not_count(host: Host, clock: SettableClock) -> None:
    """Leave out games across divisions, with strangers, unrated ones, and those above the limit."""
    season = await begin_season(host)
    (first, second, _), (lower, *_) = user_ids(season), user_ids(season, 1)
    await begin_match(host, clock, first, lower)
    await begin_match(host, clock, first, 1077)
    await begin_match(host, clock, first, second, rated=False, best_of=3)
    await begin_match(host, clock, first, second, best_of=3)
    assert season_games(await look(host, clock, season)) == [({first, second}, None)] * 2
    await begin_match(host, clock, second, first)
    assert len(season_games(await look(host, clock, season))) == 2


async def test_a_game_of_the_queue_counts(host: Host, clock: SettableClock) -> None:
    season = await begin_season(host)
    threads, (first, second, _) = FakeThreads(host), user_ids(season)
    for user_id in (first, second):
        await host.events.ladder.enter(player(user_id - 1000), GUILD, EVENT_CHANNEL, Scale.DUEL)
    for _ in range(3):
        clock.advance(15 * 60)
        await advance_event(host, clock, threads, 3)
    (game_id,) = threads.opened
    season = await look(host, clock, season)
    assert season_games(season) == [({first, second}, None)]
    await end_game(host, await host.games.get(game_id))
    ((_, outcome),) = season_games(await look(host, clock, season))
    assert outcome is not None


async def test_what_is_open_at_the_end_is_lost_by_who_used_more_time(host: Host, clock: SettableClock) -> None:
    season = await begin_season(host)
    first, second, third = user_ids(season)
    clock.advance(3.9 * WEEK)
    (game,) = await begin_match(host, clock, first, second)
    await play_plies(host, game.id, 3)
    await FakeThreads(host).send_due_posts()
    season = await look(host, clock, season)
    clock.advance(WEEK)
    assert await begin_match(host, clock, first, third)
    assert len(season_games(await look(host, clock, season))) == 1, "games that begin in the last weeks do not count"
    clock.advance(WEEK)
    waiting = (await host.games.get(game.id)).person_to_act
    season = await look(host, clock, season)
    assert season.state is EventState.RUNNING
    clock.advance(WEEK)
    season = await look(host, clock, season)
    ((_, outcome),) = season_games(season)
    assert season.state is EventState.FINISHED
    assert outcome is not None
    assert outcome.how == "adjudicated"
    assert waiting == game.seats[outcome.stalled]
    kinds = [post.kind async for post in all_posts(host) if post.event.code == season.code]
    assert kinds == ["announced", "started", "closing", "inherited", "stage", "finished"]


async def test_who_leaves_loses_open_games_and_newcomers_play_below(host: Host, clock: SettableClock) -> None:
    season = await begin_season(host)
    first, second, _ = user_ids(season)
    await begin_match(host, clock, first, second)
    season = await look(host, clock, season)
    await host.events.sign_up.leave(season.code, first, click_id())
    newcomer, lower = player(90), user_ids(season, 1)[0]
    (before,) = await begin_match(host, clock, newcomer.user_id, lower)
    clock.advance(60)
    await host.events.sign_up.join(season.code, newcomer, GUILD, click_id())
    await begin_match(host, clock, newcomer.user_id, lower)
    season = await look(host, clock, season)
    (open_game, lost), (pair, undecided) = season_games(season)
    assert open_game == {first, second}
    assert lost is not None
    assert lost.how == "forfeited"
    assert (pair, undecided) == ({newcomer.user_id, lower}, None), before.code


async def test_a_correction_of_a_match_reaches_the_season_unless_an_organiser_decided(
    host: Host, clock: SettableClock
) -> None:
    season = await begin_season(host)
    first, second, _ = user_ids(season)
    (game,) = await begin_match(host, clock, first, second)
    await look(host, clock, season)
    await end_game(host, game)
    await host.timer_dispatcher.work()
    await look(host, clock, season)
    match = await host.events.reader.event_of(game)
    assert match is not None
    for scores in ((90, 10), (10, 90)):
        clock.advance(8 * 24 * 3600)
        await host.events.organising.correct(match.code, AS_ORGANISER, (1, 1, 1), Outcome(scores), "wrong")
        ((_, outcome),) = season_games(await look(host, clock, season))
        assert outcome == Outcome(scores)
    await host.events.organising.correct(season.code, AS_ORGANISER, (1, 1, 1), Outcome((5, 4)), "agreed")
    clock.advance(8 * 24 * 3600)
    await host.events.organising.correct(match.code, AS_ORGANISER, (1, 1, 1), Outcome((7, 6)), "again")
    season = await look(host, clock, season)
    assert season_games(season)[0][1] == Outcome((5, 4))
    assert season.event is not None
    kinds = [type(fact) for fact in season.event.facts if isinstance(fact, Result | Correction)]
    assert kinds == [Result, *[Correction] * 3]


async def test_a_season_cannot_be_paused_and_its_players_do_not_move_its_end(host: Host, clock: SettableClock) -> None:
    season = await begin_season(host)
    first, second, _ = user_ids(season)
    with expect_error(ErrorCode.BAD_PLAN, reason="season-goes-on"):
        await host.events.deadlines.pause(season.code, AS_ORGANISER, 3, click_id())
    with expect_error(ErrorCode.ROUND_PLAYED):
        await host.events.organising.redraw(season.code, AS_ORGANISER, "again", click_id())
    await host.events.plans.add_organiser(season.code, AS_ORGANISER, player(first - 1000))
    await begin_match(host, clock, first, second)
    await look(host, clock, season)
    playing = Asker(first, GUILD)
    with expect_error(ErrorCode.OWN_GAME):
        await host.events.deadlines.extend(season.code, playing, (1, 1), 7, "holiday", click_id())
    with expect_error(ErrorCode.OWN_GAME):
        await host.events.organising.disqualify(season.code, playing, second, "rude", click_id())
    before = (await host.events.reader.round(season.code)).deadline
    await host.events.deadlines.extend(season.code, AS_ORGANISER, (1, 1), 7, "holiday", click_id())
    after = (await host.events.reader.round(season.code)).deadline
    assert before is not None
    assert after == before + timedelta(days=7)


async def test_the_next_season_promotes_and_adds_to_the_table_of_all_time(host: Host, clock: SettableClock) -> None:
    season = await begin_season(host)
    (first, second, _), (low, lower, _) = user_ids(season), user_ids(season, 1)
    for pair in ((first, second), (low, lower)):
        (game,) = await begin_match(host, clock, *pair)
        await end_game(host, game)
        await host.timer_dispatcher.work()
    season = await look(host, clock, season)
    winners = [line.user_id for line in await host.events.reader.standings(season.code) if dict(line.values)["points"]]
    clock.advance(7 * WEEK)
    season = await look(host, clock, season)
    assert season.state is EventState.FINISHED
    plan = duel_plan(format="duel-season", season_of=season.code, moving=1, parameters=Parameters(pool=3))
    following = await start_event(host, plan, 6)
    await host.events.driver.work()
    following = await host.events.reader.view(following.code)
    assert winners[1] in user_ids(following)
    assert {first, second} - {winners[0]} <= {*user_ids(following), *user_ids(following, 1)}
    lines = await host.events.reader.all_time(following.code)
    assert [(view.rank, view.line.points, view.line.titles, view.line.seasons) for view in lines][:3] == [
        (1, 1, 1, 2),
        (2, 1, 0, 2),
        (3, 0, 0, 2),
    ]
    assert lines[0].line.key == str(winners[0])
    assert lines[2].rank == lines[3].rank, "equal lines share a rank"
