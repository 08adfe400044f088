"""Advice of computers: in which games it is given, what the worker is told, how often one may ask, and failures."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random

import pytest

from engine import GAMES, Pass, Position, begin, parse_action
from engine.actions import Action
from engine.selfplay import random_game
from host import Advice, ErrorCode, Game, Host, Table
from host.admin.quotas import QUOTA
from host.computers.advice import ADVICE_COST, ADVICE_COUNT
from host.computers.workers import Thought, WorkerPool
from host.settings import WorkerLimits
from store import Person, TableSettings
from tests.host.computers.test_computers import let_think, start_with_computers
from tests.host.computers.thinker import FakeThinker
from tests.host.conftest import NewHost
from tests.host.people import ADA, BEN, SettableClock, expect_error


async def own_turn(host: Host, clock: SettableClock, thinker: FakeThinker, *people: Person) -> Table:
    """Start a game with a computer and return its table when a person has to lay a tile; forget what was told."""
    game = await start_with_computers(host, *people)
    await let_think(host, clock)
    thinker.told.clear()
    table = await host.games.table(game.id)
    assert table.game.person_to_act is not None
    assert table.position.hand is not None
    return table


def with_settings(game: Game, **settings: object) -> Game:
    """Return a game whose table has these settings."""
    return replace(game, settings=replace(TableSettings(), **settings))  # type: ignore[arg-type]


def with_other_pile(position: Position) -> Position:
    """Return a position that looks the same, with another order of the tiles that nobody has seen, and another seed."""
    other, pile, unseen = position.copy(), list(position.setup.pile), list(position.unseen)
    for index, tile in zip(unseen, reversed([pile[index] for index in unseen]), strict=True):
        pile[index] = tile
    assert tuple(pile) != position.setup.pile
    other.setup = replace(position.setup, pile=tuple(pile), seed="another")
    return other


async def test_the_best_placements_are_recommended(host: Host, clock: SettableClock, thinker: FakeThinker) -> None:
    table = await own_turn(host, clock, thinker)
    advice = await host.adviser.advise(table, ADA.user_id)
    assert len(advice) == ADVICE_COUNT
    assert [entry.value for entry in advice] == sorted((entry.value for entry in advice), reverse=True)
    for entry in advice:
        after = table.position.copy()
        for action in entry.actions:
            after.apply(action)
        assert entry.value == pytest.approx(sum(entry.parts.values()), abs=0.1)
    assert (await host.games.get(table.game.id)).ply == table.game.ply


async def test_each_cell_is_recommended_once_as_long_as_there_are_others(
    host: Host, clock: SettableClock, thinker: FakeThinker
) -> None:
    def placed(cell: str, value: float, rotation: int = 0) -> Advice:
        return Advice((parse_action(f"{cell}/{rotation}"), Pass()), value, {})

    first, turned, second, third = placed("M12", 4), placed("M12", 3, 90), placed("N12", 2), placed("O12", 1)
    decline = Advice((parse_action("decline"),), 0, {})
    table = await own_turn(host, clock, thinker)
    for number, (candidates, chosen) in enumerate(
        (
            ([first, turned, second, third, decline], [first, second, third]),
            ([first, turned, second], [first, turned, second]),
            ([first, turned, decline], [first, turned, decline]),
            ([first], [first]),
        ),
        100,
    ):
        thinker.candidates = candidates
        at_number = replace(table, game=replace(table.game, id=number))
        assert await host.adviser.advise(at_number, ADA.user_id) == chosen


async def test_it_is_offered_against_computers_alone_or_where_the_table_allows_it(
    host: Host, new_host: NewHost, clock: SettableClock, thinker: FakeThinker
) -> None:
    alone = (await own_turn(host, clock, thinker)).game
    together = (await own_turn(host, clock, thinker, ADA, BEN)).game
    people = replace(together, seats=together.players)
    assert host.adviser.is_offered(alone)
    assert not host.adviser.is_offered(together)
    assert not host.adviser.is_offered(people)
    assert host.adviser.is_offered(with_settings(together, advice=True))
    assert host.adviser.is_offered(with_settings(people, advice=True))
    assert not host.adviser.is_offered(with_settings(alone, hints=False, advice=True))
    without_workers = await new_host(workers=WorkerLimits(workers=0))
    assert not without_workers.adviser.is_offered(with_settings(alone, advice=True))


async def test_it_is_refused_where_it_is_not_offered(host: Host, clock: SettableClock, thinker: FakeThinker) -> None:
    table = await own_turn(host, clock, thinker, ADA, BEN)
    with expect_error(ErrorCode.NO_ADVICE, name=table.game.name, code=table.game.code):
        await host.adviser.advise(table, ADA.user_id)
    assert thinker.told == []


async def test_the_last_person_at_a_table_may_ask(host: Host, clock: SettableClock, thinker: FakeThinker) -> None:
    table = await own_turn(host, clock, thinker, ADA, BEN)
    withdrawn = tuple(player == BEN for player in table.game.seats)
    assert host.adviser.is_offered(replace(table.game, withdrawn=withdrawn))


async def test_hidden_knowledge_changes_nothing(host: Host, clock: SettableClock, thinker: FakeThinker) -> None:
    """A worker is told the same about a pile in another order, and nothing but the game and the question."""
    table = await own_turn(host, clock, thinker)
    advice = await host.adviser.advise(table, ADA.user_id)
    other = replace(table, position=with_other_pile(table.position), game=replace(table.game, id=table.game.id + 1))
    assert await host.adviser.advise(other, ADA.user_id) == advice
    first, second = thinker.told
    assert first == second
    assert [line.split()[0] for line in first.explaining_lines(3).splitlines()] == ["game", "explain"]
    assert '"seed": ""' in first.setup or '"seed":""' in first.setup


@pytest.mark.parametrize("game_name", GAMES)
async def test_recommended_moves_are_legal_in_games_with_every_box(game_name: str) -> None:
    """Advice assumes the figure that follows; in every game and with all boxes, both are legal one after the other."""
    game = GAMES[game_name]
    thinker, checked = FakeThinker(), 0
    for seed in range(4):
        setup = game.new_setup(players=2, seed=f"advice {seed}", options=game.options(), expansions=game.expansions)
        _, log = random_game(setup, Random(seed))
        position, made = begin(setup), list[Action]()
        for action in log:
            if position.hand is not None and len(made) % 5 == seed:
                for entry in await thinker.explain(Thought.of(position, made, "quick"), ADVICE_COUNT):
                    after = position.veiled()
                    for move in entry.actions:
                        after.apply(move)
                    checked += 1
            position.apply(action)
            made.append(action)
    assert checked > 20


async def test_a_decision_is_thought_about_once(host: Host, clock: SettableClock, thinker: FakeThinker) -> None:
    """Two presses at the same time wait for one thought, and later ones find it."""
    table = await own_turn(host, clock, thinker)
    thinker.may_answer.clear()
    presses = [asyncio.create_task(host.adviser.advise(table, ADA.user_id)) for _ in range(2)]
    await thinker.asked.wait()
    thinker.may_answer.set()
    first, second = await asyncio.gather(*presses)
    assert first is second
    assert await host.adviser.advise(table, ADA.user_id) is first
    assert len(thinker.told) == 1


async def test_somebody_who_stops_waiting_does_not_stop_the_thought(
    host: Host, clock: SettableClock, thinker: FakeThinker
) -> None:
    table = await own_turn(host, clock, thinker)
    thinker.may_answer.clear()
    press = asyncio.create_task(host.adviser.advise(table, ADA.user_id))
    await thinker.asked.wait()
    press.cancel()
    thinker.may_answer.set()
    assert len(await host.adviser.advise(table, ADA.user_id)) == ADVICE_COUNT
    assert len(thinker.told) == 1


async def test_a_person_may_not_ask_too_often(host: Host, clock: SettableClock, thinker: FakeThinker) -> None:
    table = await own_turn(host, clock, thinker)
    tables = [replace(table, game=replace(table.game, id=number)) for number in range(1, QUOTA // ADVICE_COST + 2)]
    for other in tables[:-1]:
        await host.adviser.advise(other, ADA.user_id)
    again = int((clock.now() + ADVICE_COST).timestamp()) + 1
    with expect_error(ErrorCode.ASKED_ADVICE_LATELY, code=table.game.code, again=again):
        await host.adviser.advise(tables[-1], ADA.user_id)
    assert len(await host.adviser.advise(tables[0], ADA.user_id)) == ADVICE_COUNT, "known advice costs nothing"
    assert len(await host.adviser.advise(tables[-1], BEN.user_id)) == ADVICE_COUNT, "others may ask"
    clock.advance(ADVICE_COST.total_seconds())
    assert len(await host.adviser.advise(replace(table, game=replace(table.game, id=99)), ADA.user_id)) == ADVICE_COUNT


async def test_a_worker_that_hangs_gives_no_advice(
    new_host: NewHost, clock: SettableClock, thinker: FakeThinker
) -> None:
    host = await new_host(thinker=thinker, workers=WorkerLimits(advice_seconds=0.05))
    table = await own_turn(host, clock, thinker)
    thinker.may_answer.clear()
    with expect_error(ErrorCode.ADVICE_FAILED, code=table.game.code):
        await host.adviser.advise(table, ADA.user_id)
    thinker.may_answer.set()
    assert len(await host.adviser.advise(table, ADA.user_id)) == ADVICE_COUNT, "it can be asked for again"


async def test_a_worker_that_fails_gives_no_advice(host: Host, clock: SettableClock, thinker: FakeThinker) -> None:
    table = await own_turn(host, clock, thinker)
    thinker.failing = ("quick",)
    with expect_error(ErrorCode.ADVICE_FAILED, code=table.game.code):
        await host.adviser.advise(table, ADA.user_id)


async def test_a_worker_advises_like_the_computer_here(host: Host, clock: SettableClock, thinker: FakeThinker) -> None:
    table = await own_turn(host, clock, thinker)
    thought = Thought.of(table.position, [entry.action for entry in table.log], "quick")
    pool = WorkerPool(WorkerLimits(rest=60.0))
    try:
        assert await pool.explain(thought, ADVICE_COUNT) == await thinker.explain(thought, ADVICE_COUNT)
        assert pool.resting == 1
    finally:
        await pool.close()
