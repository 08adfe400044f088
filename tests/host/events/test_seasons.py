"""Seasons of a league: the previous season must be a league of the same server.

A season is one event of a league: it starts with the divisions in which the previous one, `season_of`, has left its
players.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from host import Asker, ErrorCode, Host
from host.events import REFUSAL_DETAIL, EventPost, EventPostKind, EventState
from store import events
from tests.host.events.driver import AS_ORGANISER, EVENT_CHANNEL, ORGANISER, announce_event, duel_plan, player
from tests.host.people import GUILD, SettableClock, click_id, expect_error

LEAGUE = duel_plan(format="duel-league")
"""The plan of a season."""


async def all_posts(host: Host) -> AsyncIterator[EventPost]:
    """Send all posts of events and yield them, in order."""
    while posts := await host.events.posts.due():
        for post in posts:
            await host.events.posts.record_sent(post.id, 1)
            yield post


@pytest.mark.sqlite
async def test_the_previous_season_must_be_of_the_same_server(host: Host, clock: SettableClock) -> None:
    """Refuse a season of another server like one that does not exist, when planning and when starting."""
    manager = Asker(ORGANISER.user_id, GUILD + 1, manages=True)
    elsewhere = await host.events.plans.create("Elsewhere", LEAGUE, ORGANISER, manager, EVENT_CHANNEL, click_id())
    planned = await announce_event(host, LEAGUE, 4)
    for code in (elsewhere.code, "NOWHERE", planned.code):
        with expect_error(ErrorCode.UNKNOWN_SEASON, season=code):
            await host.events.plans.set_plan(planned.code, AS_ORGANISER, replace(LEAGUE, season_of=code), click_id())
    with expect_error(ErrorCode.UNKNOWN_SEASON, season="NOWHERE"):
        after = replace(LEAGUE, season_of="NOWHERE")
        await host.events.plans.create("Another", after, ORGANISER, AS_ORGANISER, EVENT_CHANNEL, click_id())
    assert not (await host.events.reader.view(planned.code)).plan.season_of
    async with host._store.writing() as tx:  # as an older version accepted it
        starts_at = clock.now() + timedelta(hours=1)
        stored = replace(LEAGUE, season_of=elsewhere.code, starts_at=starts_at)
        await events.update_event(tx, planned.id, {"plan": stored.to_data(), "look_at": starts_at})
    with expect_error(ErrorCode.UNKNOWN_SEASON, season=elsewhere.code):
        await host.events.starts.start(planned.code, AS_ORGANISER, click_id())
    clock.advance(3600)
    await host.events.driver.work()
    posts = [post async for post in all_posts(host)]
    assert [(post.kind, dict(post.details)) for post in posts if post.kind is EventPostKind.TOO_FEW] == [
        (EventPostKind.TOO_FEW, {REFUSAL_DETAIL: "unknown_season", "season": elsewhere.code})
    ]
    assert (await host.events.reader.view(planned.code)).state is EventState.OPEN
    await host.events.plans.set_plan(planned.code, AS_ORGANISER, LEAGUE, click_id())
    started = await host.events.starts.start(planned.code, AS_ORGANISER, click_id())
    assert {entry.person for entry in started.entries} == {player(number) for number in range(4)}


@pytest.mark.sqlite
async def test_only_a_league_has_seasons(host: Host) -> None:
    league, cup = await announce_event(host, LEAGUE, 4), await announce_event(host, duel_plan(), 4)
    with expect_error(ErrorCode.BAD_PLAN, reason="no-seasons", code=league.code):
        await host.events.plans.set_plan(cup.code, AS_ORGANISER, duel_plan(season_of=league.code), click_id())
    with expect_error(ErrorCode.BAD_PLAN, reason="no-season", code=cup.code):
        await host.events.plans.set_plan(league.code, AS_ORGANISER, replace(LEAGUE, season_of=cup.code), click_id())
