"""Practice events: tournaments in which computers have places of their own, are never rated, and meet people first."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from host import ErrorCode, Host
from host.events import EventPlan, EventView, RoundView
from host.events.stored import ENDED_STATES
from host.events.views import read_plan
from host.naming import computers_named
from host.settings import WorkerLimits
from store import Computer, GameStatus, Person
from tests.host.computers.thinker import FakeThinker
from tests.host.conftest import NewHost
from tests.host.events.driver import (
    AS_ORGANISER,
    FakeThreads,
    advance_event,
    announce_event,
    duel_plan,
    player,
    start_event,
    table_plan,
)
from tests.host.people import GUILD, SettableClock, click_id, expect_error
from tournaments.formats import FORMATS, SEASON_FORMAT
from tournaments.specification import Parameters


def practice_plan(levels: Sequence[str] = ("quick", "quick"), **parameters: int) -> EventPlan:
    """Return the plan of a Swiss event of single duels with computers of these levels."""
    return duel_plan(
        computers=computers_named(levels),
        parameters=Parameters(pace="fast", **{"best_of": 1, "rounds": 3, **parameters}),
    )


async def play_on(host: Host, clock: SettableClock, threads: FakeThreads, seconds: int = 30) -> None:
    """Let everything happen that needs no person: games open, computers decide, rounds end."""
    for _ in range(seconds // 5):
        await advance_event(host, clock, threads, 5)
        await host.computers.idle()


async def resign_all(host: Host, code: str) -> int:
    """Let the first person of each running game resign, and return the number of games."""
    count = 0
    for table in (await host.events.reader.round(code)).tables:
        game = await host.games.get(table.game_id or 0)
        if game.players and game.status is GameStatus.RUNNING:
            await host.moves.resign(game.id, game.players[0].user_id, click_id())
            count += 1
    return count


def names_at(view: EventView, drawn: RoundView) -> list[list[str]]:
    """Return the names of the players at each table."""
    return [sorted(view.name_of(number) for number in table.seats) for table in drawn.tables]


@pytest.mark.long
@pytest.mark.repeats_on_postgresql
@pytest.mark.usefixtures("game_length")
async def test_people_and_computers_play_to_the_podium_and_no_game_is_rated(
    host: Host, clock: SettableClock, new_host: NewHost
) -> None:
    """In the last of three rounds two computers have to meet: they play it out, also after a restart."""
    event = await start_event(host, practice_plan(), 2)
    threads = FakeThreads(host)
    for number in (1, 2):
        await play_on(host, clock, threads)
        view, drawn = await host.events.reader.view(event.code), await host.events.reader.round(event.code)
        assert drawn.number == number
        assert drawn.state.reasons == ()
        assert all(len({"Adela", "Bertram"} & {*names}) == 1 for names in names_at(view, drawn))
        assert await resign_all(host, event.code) == 2
    await play_on(host, clock, threads, 10)
    drawn = await host.events.reader.round(event.code)
    assert drawn.state.reasons == ("computers-meet",)
    await host.computers.close()

    host = await new_host(thinker=FakeThinker())
    await host.computers.take_over()
    threads.host = host
    await play_on(host, clock, threads)
    assert await resign_all(host, event.code) == 1
    await play_on(host, clock, threads, 600)
    view = await host.events.reader.view(event.code)
    assert view.state in ENDED_STATES
    played = next(table for table in (await host.events.reader.round(event.code)).tables if table.people == (None,) * 2)
    assert played.outcome is not None
    assert played.outcome.how == "played"
    assert (await host.games.get(played.game_id or 0)).computers
    podium = await host.events.reader.standings(event.code)
    assert {line.name for line in podium[:2]} == {"Adela", "Bertram"}
    assert [line.user_id for line in podium[:2]] == [None, None]
    assert not any([await host.events.ratings.profile(GUILD, player(number).user_id) for number in range(2)])
    data = json.loads(await host.events.exports.as_json(event.code))
    computers = {entry["name"]: entry["computer"] for entry in data["entries"] if entry["user"] is None}
    assert computers == {"Adela": "quick", "Bertram": "quick"}
    rows = (await host.events.exports.games_csv(event.code)).splitlines()
    assert sum(",Adela," in row for row in rows) == 3


async def test_a_table_seats_people_with_computers_and_ends_when_they_leave(host: Host, clock: SettableClock) -> None:
    plan = replace(table_plan(), parameters=Parameters(pace="fast", rounds=1, final="none"))
    event = await start_event(host, replace(plan, computers=computers_named(["quick", "strong"])), 2)
    threads = FakeThreads(host)
    await play_on(host, clock, threads)
    (table,) = (await host.events.reader.round(event.code)).tables
    game = await host.games.get(table.game_id or 0)
    assert {(computer.name, computer.level) for computer in game.computers} == {
        ("Adela", "quick"),
        ("Bertram", "strong"),
    }
    assert len(game.players) == 2
    assert sorted(filter(None, (person and person.user_id for person in table.people))) == [1000, 1001]
    for person in game.players:
        await host.moves.resign(game.id, person.user_id, click_id())
    await play_on(host, clock, threads)
    assert (await host.events.reader.view(event.code)).state in ENDED_STATES
    podium = await host.events.reader.standings(event.code)
    assert {line.name for line in podium[:2]} == {"Adela", "Bertram"}


@pytest.mark.parametrize(
    "name", [name for name, event_format in FORMATS.items() if not event_format.teams and name != SEASON_FORMAT]
)
async def test_computers_start_in_every_format_of_single_players(host: Host, clock: SettableClock, name: str) -> None:
    """Eleven entries, so that somebody has a bye or a table of three in most of them."""
    plan = EventPlan(format=name, parameters=Parameters(pace="fast"), computers=computers_named(["quick"] * 3))
    event = await start_event(host, plan, 8)
    await host.timer_dispatcher.work()
    view, drawn = await host.events.reader.view(event.code), await host.events.reader.round(event.code)
    assert sorted(computer.name for computer in view.computers.values()) == ["Adela", "Bertram", "Clemence"]
    assert drawn.tables
    assert view.event is not None
    assert not view.event.specification.parameters.rated


async def test_a_practice_event_needs_a_person(host: Host) -> None:
    event = await announce_event(host, practice_plan(["quick"] * 4))
    with expect_error(ErrorCode.BAD_PLAN, reason="computers-alone"):
        await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    await host.events.sign_up.join(event.code, player(0), GUILD, click_id())
    assert (await host.events.starts.start(event.code, AS_ORGANISER, click_id())).size == 5


async def test_people_keep_a_place_and_computers_play_in_no_team_and_no_season(host: Host) -> None:
    with expect_error(ErrorCode.BAD_PLAN, reason="computers-places"):
        await announce_event(host, replace(practice_plan(["quick"] * 4), most=4))
    with expect_error(ErrorCode.BAD_PLAN, reason="computers-in-teams"):
        await announce_event(host, replace(practice_plan(), format="team-swiss"))
    with expect_error(ErrorCode.BAD_PLAN, reason="computers-in-seasons"):
        await announce_event(host, replace(practice_plan(), format=SEASON_FORMAT))


async def test_a_bot_without_computers_plans_no_practice_event(new_host: NewHost) -> None:
    host = await new_host(workers=WorkerLimits(workers=0))
    event = await announce_event(host, duel_plan())
    with expect_error(ErrorCode.NO_COMPUTERS):
        await host.events.plans.set_plan(event.code, AS_ORGANISER, practice_plan(), click_id())
    with expect_error(ErrorCode.NO_COMPUTERS):
        await announce_event(host, practice_plan())


async def test_computers_take_places_of_the_event(host: Host) -> None:
    event = await announce_event(host, replace(practice_plan(), most=4), players=3)
    assert [entry.waiting for entry in event.entries] == [False, False, True]
    assert event.size == 4
    assert [summary.entries for summary in await host.events.reader.unfinished(GUILD)] == [5]
    view = await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    assert {view.name_of(number) for number in range(view.size)} == {"P0", "P1", "Adela", "Bertram"}


async def test_the_event_ends_when_all_people_have_left(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, practice_plan(), 2)
    threads = FakeThreads(host)
    await play_on(host, clock, threads)
    for number in range(2):
        await host.events.sign_up.leave(event.code, player(number).user_id, click_id())
    await play_on(host, clock, threads)
    assert (await host.events.reader.view(event.code)).state in ENDED_STATES
    left = [line.user_id for line in await host.events.reader.audit(event.code) if line.kind == "left"]
    assert left == [1000, 1001]


@pytest.mark.repeats_on_postgresql
async def test_a_disqualified_computer_leaves_its_games_and_ranks_last(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, practice_plan(), 2)
    threads = FakeThreads(host)
    await play_on(host, clock, threads)
    organising, click = host.events.organising, click_id()
    for _ in range(2):  # Discord delivers the command twice
        await organising.disqualify(event.code, AS_ORGANISER, "computer:Adela", " a defect ", click)
    await play_on(host, clock, threads)
    drawn = await host.events.reader.round(event.code)
    view = await host.events.reader.view(event.code)
    (adela,) = [number for number, computer in view.computers.items() if computer.name == "Adela"]
    (table,) = [table for table in drawn.tables if adela in table.seats]
    assert table.outcome is not None
    assert table.outcome.out == (table.seats.index(adela),)
    assert (await host.games.get(table.game_id or 0)).status is GameStatus.FINISHED
    last = (await host.events.reader.standings(event.code))[-1]
    assert (last.name, last.disqualified) == ("Adela", True)
    details = [line.details for line in await host.events.reader.audit(event.code) if line.kind == "disqualified"]
    assert details == [{"user": "computer:Adela", "reason": "a defect"}]


async def test_a_disqualified_computer_leaves_its_seat_empty_at_a_table_of_four(
    host: Host, clock: SettableClock
) -> None:
    plan = replace(table_plan(), parameters=Parameters(pace="fast", rounds=1, final="none"))
    event = await start_event(host, replace(plan, computers=computers_named(["quick", "strong"])), 2)
    threads = FakeThreads(host)
    await play_on(host, clock, threads)
    (table,) = (await host.events.reader.round(event.code)).tables
    await host.events.organising.disqualify(event.code, AS_ORGANISER, "computer:Bertram", "a defect", click_id())
    await play_on(host, clock, threads)
    game = await host.games.get(table.game_id or 0)
    assert game.status is GameStatus.RUNNING
    withdrawn = [player.name for player, left in zip(game.seats, game.withdrawn, strict=True) if left]
    assert withdrawn == ["Bertram"]
    assert len(game.players) == 2


async def test_an_organiser_punishes_and_warns_a_computer_once_it_plays(host: Host, clock: SettableClock) -> None:
    event = await announce_event(host, practice_plan(), players=2)
    organising, about = host.events.organising, (event.code, AS_ORGANISER, "computer:Bertram")
    with expect_error(ErrorCode.EVENT_NOT_RUNNING):
        await organising.penalise(*about, "0.5", "slow", click_id())
    with expect_error(ErrorCode.NOT_ENTERED):
        await organising.disqualify(*about, "slow", click_id())
    await host.events.starts.start(event.code, AS_ORGANISER, click_id())
    await play_on(host, clock, FakeThreads(host))
    await organising.penalise(*about, "0.5", "slow", click_id())
    await organising.warn(*about, "slow", click_id())
    (line,) = [line for line in await host.events.reader.standings(event.code) if line.name == "Bertram"]
    assert (line.penalty, line.warnings) == (Fraction(1, 2), 1)


async def test_nobody_takes_over_the_seat_of_a_computer_in_an_event(host: Host, clock: SettableClock) -> None:
    event = await start_event(host, practice_plan(), 2)
    await play_on(host, clock, FakeThreads(host))
    table = (await host.events.reader.round(event.code)).tables[0]
    game = await host.games.get(table.game_id or 0)
    with expect_error(ErrorCode.SEATS_OF_EVENT):
        await host.substitutions.take(game.id, Person(7, "Zoe"), game.revision, click_id())


def test_a_stored_plan_has_its_computers_and_is_not_rated() -> None:
    plan = practice_plan(["strong", "quick"])
    assert plan.computers == (Computer("Adela", "strong"), Computer("Bertram", "quick"))
    assert read_plan(json.loads(json.dumps(plan.to_data()))) == plan
    assert not plan.rated
    assert replace(plan, computers=()).rated


async def test_a_person_with_the_name_of_a_computer_gets_a_number(host: Host) -> None:
    event = await announce_event(host, practice_plan())
    view = await host.events.sign_up.join(event.code, Person(1009, "Adela"), GUILD, click_id())
    assert view.name_of_person(Person(1009, "Adela")) == "Adela #1009"
