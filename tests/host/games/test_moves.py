"""Moves: what is applied, logged and posted, what is refused, and moments replayed for cards.

A game has a ply, the number of its actions, and a revision, which never decreases and which every press names.
`host.moves.act(game, user, revision, actions, click)` applies actions for a user.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from itertools import product
from pathlib import Path
from random import Random

import pytest

from engine import Action, Cell, Deploy, Pass, Place, Resign, read_setup, replay, state_digest
from engine import Position as EnginePosition
from engine.carcassonne import Decline, Position
from engine.events import GameOver, Resigned
from engine.selfplay import random_game
from host import ErrorCode, Game, GameStatus, Host, HostError, PostKind, Venue, setup_of
from tests.host.conftest import NewHost
from tests.host.people import (
    ADA,
    BEN,
    CLEO,
    STRANGER,
    click_id,
    expect_error,
    play_out,
    play_plies,
    play_random_action,
    start_game,
)
from tests.soak import first
from tests.store.empty_database import open_store

PUBLISH_DELAY = timedelta(hours=1)
"""Delay of a move's publication."""


async def mover_and_other(host: Host, game: Game) -> tuple[int, int]:
    """Return the ids of the player to move and of another player."""
    seat = (await host.games.table(game.id)).position.player
    return game.seats[seat].user_id, game.seats[seat - 1].user_id


async def full_state(host: Host, game: Game) -> tuple[object, ...]:
    """Return the whole state of a game that a refused action must not change."""
    table = await host.games.table(game.id)
    return table.game, state_digest(table.position), table.log, await host.outbox.due()


async def test_a_move_is_applied_logged_and_posted(host: Host) -> None:
    game = await start_game(host)
    user_id, _ = await mover_and_other(host, game)
    before = (await host.games.table(game.id)).position
    place = next(action for action in before.legal_actions if isinstance(action, Place))
    outcome = await host.moves.act(game.code, user_id, 0, [place, Pass()], click_id())

    expected = before.copy()
    events = (*expected.apply(place), *expected.apply(Pass()))
    assert (outcome.before_ply, outcome.ply, outcome.events, outcome.repeated) == (0, 2, events, False)
    table = await host.games.table(game.code)
    assert state_digest(table.position) == state_digest(expected)
    assert [(entry.ply, entry.action, entry.user_id) for entry in table.log] == [
        (0, place, user_id),
        (1, Pass(), user_id),
    ]
    assert table.game == outcome.game == await host.games.get(game.id)
    assert table.game.seat_to_act == expected.player


async def test_positions_of_tables_and_moments_are_copies(host: Host) -> None:
    game = await start_game(host)
    table = await host.games.table(game.id)
    table.position.scores[0] = 99
    assert (await host.games.table(game.id)).position.scores == [0, 0, 0]
    outcome = await play_random_action(host, game.id, Random(1))
    for _ in range(2):
        moment = await host.games.moment(game.id, outcome.before_ply, outcome.ply)
        assert (moment.before.scores, moment.after.scores) == ([0, 0, 0], [0, 0, 0])
        moment.before.scores[0] = moment.after.scores[0] = 99


@pytest.mark.sqlite
async def test_a_whole_game_equals_its_replay(host: Host) -> None:
    game = await start_game(host)
    await play_out(host, game.id)
    table = await host.games.table(game.id)
    assert table.game.status is GameStatus.FINISHED
    assert table.game.person_to_act is None
    again = replay(read_setup(table.game.setup_text), [entry.action for entry in table.log])
    assert (again.scores, state_digest(again)) == (table.position.scores, state_digest(table.position))
    assert isinstance((await host.games.moment(game.id, table.game.ply - 1, table.game.ply)).events[-1], GameOver)
    with expect_error(ErrorCode.GAME_OVER, code=game.code):
        await host.moves.act(game.id, ADA.user_id, table.game.ply, [Pass()], click_id())
    with expect_error(ErrorCode.GAME_OVER):
        await host.moves.resign(game.id, ADA.user_id, click_id())


async def test_refusals_change_nothing(host: Host) -> None:
    game = await start_game(host)
    user_id, other_id = await mover_and_other(host, game)
    name = next(person.name for person in game.seats if person.user_id == user_id)
    legal = next(iter((await host.games.table(game.id)).position.legal_actions))
    nowhere = Place(Cell(9, 9), 0)
    before = await full_state(host, game)
    attempts: list[tuple[ErrorCode, dict[str, object], int, int, list[Action]]] = [
        (ErrorCode.NOT_A_PLAYER, {"code": game.code}, STRANGER.user_id, 0, [legal]),
        (ErrorCode.STALE, {"revision": 3, "current": 0}, user_id, 3, [legal]),
        (ErrorCode.STALE, {"revision": -1, "current": 0}, other_id, -1, [legal]),
        (ErrorCode.NOT_YOUR_TURN, {"player": name}, other_id, 0, [legal]),
        (ErrorCode.ILLEGAL, {"action": str(nowhere)}, user_id, 0, [nowhere]),
        (ErrorCode.ILLEGAL, {"action": "decline"}, user_id, 0, [Decline()]),
        (ErrorCode.ILLEGAL, {"action": "@city.N"}, user_id, 0, [legal, Deploy("city.N"), Deploy("city.N")]),
        (ErrorCode.ILLEGAL, {"action": "resign:9"}, user_id, 0, [Resign(8)]),
    ]
    for code, values, who, ply, actions in attempts:
        with expect_error(code, **values):
            await host.moves.act(game.id, who, ply, actions, click_id())
        assert await full_state(host, game) == before
    for code, values, who, ply, actions in attempts[:-1]:  # a resignation has no preview
        with expect_error(code, **values):
            await host.moves.table_to_move(await host.games.snapshot(game.id, who), who, ply, actions)


async def refusal(attempt: Awaitable[object]) -> ErrorCode | None:
    """Return the code of the error that this raises, or None."""
    try:
        await attempt
    except HostError as error:
        return error.code
    return None


async def test_moves_and_previews_are_refused_for_the_same_reasons(host: Host, new_host: NewHost) -> None:
    """Compare both for every player, revision and action, legal or not, in each state of a game."""
    game = await start_game(host)
    user_id, other_id = await mover_and_other(host, game)
    [third_id] = {person.user_id for person in game.seats} - {user_id, other_id}
    legal, nowhere = next(iter((await host.games.table(game.id)).position.legal_actions)), Place(Cell(9, 9), 0)
    seen: list[set[ErrorCode]] = []

    async def compare_refusals() -> None:
        codes = set()
        for process in (host, await new_host()):
            revision = (await process.games.get(game.id)).revision
            for who, at, action in product(
                (STRANGER.user_id, third_id, other_id, user_id), (revision + 1, revision), (nowhere, legal)
            ):
                full_state = await process.games.snapshot(game.id, who)
                expected = await refusal(process.moves.table_to_move(full_state, who, at, [action]))
                if expected is None:
                    continue
                assert (
                    await refusal(process.moves.act(game.id, who, at, [action], click_id(), window=PUBLISH_DELAY))
                    is expected
                )
                codes.add(expected)
        seen.append(codes)

    await compare_refusals()
    await host.moves.resign(game.id, third_id, click_id())
    await compare_refusals()
    await host.moves.act(
        game.id, user_id, (await host.games.get(game.id)).revision, [legal], click_id(), window=PUBLISH_DELAY
    )
    await compare_refusals()
    await host.operators.freeze(game.code, "operator", "looked at")
    await compare_refusals()
    always = {ErrorCode.NOT_A_PLAYER}
    running = always | {ErrorCode.STALE, ErrorCode.NOT_YOUR_TURN, ErrorCode.ILLEGAL}
    resigned, waiting = {*running, ErrorCode.RESIGNED}, {*running, ErrorCode.RESIGNED, ErrorCode.WAITS}
    assert seen == [running, resigned, waiting, {*always, ErrorCode.FROZEN}]


async def test_automatic_actions_are_computed_only_for_allowed_moves(host: Host) -> None:
    game = await start_game(host)
    user_id, other_id = await mover_and_other(host, game)
    place = next(iter((await host.games.table(game.id)).position.legal_actions))
    calls: list[int] = []

    def add_pass(position: EnginePosition, actions: Sequence[Action]) -> Sequence[Action]:
        calls.append(position.ply)
        for action in actions:
            position.apply(action)
        return (*actions, Pass())

    for who, revision in ((STRANGER.user_id, 0), (other_id, 0), (user_id, 1)):
        assert await refusal(host.moves.act(game.id, who, revision, [place], click_id(), extend=add_pass)) is not None
    assert calls == []
    nowhere = host.moves.act(game.id, user_id, 0, [Place(Cell(9, 9), 0)], click_id(), extend=add_pass)
    assert await refusal(nowhere) is ErrorCode.ILLEGAL
    calls.clear()
    outcome = await host.moves.act(game.id, user_id, 0, [place], click_id(), extend=add_pass)
    assert (calls, outcome.ply) == ([0], 2)
    assert [entry.action for entry in (await host.games.table(game.id)).log] == [place, Pass()]


async def test_a_sequence_of_actions_ends_where_another_player_decides(host: Host) -> None:
    game = await start_game(host)
    user_id, _ = await mover_and_other(host, game)
    position = (await host.games.table(game.id)).position
    actions = []
    while game.seats[position.player].user_id == user_id:
        actions.append(next(action for action in position.legal_actions if isinstance(action, Place | Pass)))
        position.apply(actions[-1])
    too_far = [*actions, next(iter(position.legal_actions))]
    with expect_error(ErrorCode.ILLEGAL, action=str(too_far[-1])):
        await host.moves.act(game.id, user_id, 0, too_far, click_id())
    assert (await host.moves.act(game.id, user_id, 0, actions, click_id())).ply == len(actions)


async def test_a_move_needs_an_action(host: Host) -> None:
    game = await start_game(host)
    with pytest.raises(ValueError, match="no actions"):
        await host.moves.act(game.id, ADA.user_id, 0, [], click_id())


@pytest.mark.parametrize("ref", [77, "ZZZZ", "", "💥"])
async def test_unknown_games_are_refused(host: Host, ref: int | str) -> None:
    for attempt in (
        host.games.get(ref),
        host.games.table(ref),
        host.games.moment(ref, 0, 0),
        host.moves.act(ref, ADA.user_id, 0, [Pass()], click_id()),
        host.moves.resign(ref, ADA.user_id, click_id()),
        host.places.move_here(ref, ADA.user_id, Venue(1)),
    ):
        with expect_error(ErrorCode.UNKNOWN_GAME, ref=ref):
            await attempt
    with expect_error(ErrorCode.UNKNOWN_GAME, ref=77):
        await host.places.set_thread(77, 1)


async def test_a_repeated_interaction_is_one_move(host: Host, new_host: NewHost) -> None:
    game = await start_game(host)
    user_id, _ = await mover_and_other(host, game)
    place = next(iter((await host.games.table(game.id)).position.legal_actions))
    interaction = click_id()
    first = await host.moves.act(game.id, user_id, 0, [place, Pass()], interaction)
    again = await host.moves.act(game.id, user_id, 0, [place, Pass()], interaction)
    assert again == replace(first, repeated=True)

    await play_plies(host, game.id, 4)
    restarted = await new_host()
    much_later = await restarted.moves.act(game.id, user_id, 0, [place, Pass()], interaction)
    assert much_later == replace(first, game=await host.games.get(game.id), repeated=True)
    assert (await restarted.games.get(game.id)).ply == 6


@pytest.mark.both_databases
async def test_concurrent_deliveries_of_an_interaction_are_one_move(host: Host) -> None:
    game = await start_game(host)
    user_id, _ = await mover_and_other(host, game)
    place = next(iter((await host.games.table(game.id)).position.legal_actions))
    interaction = click_id()
    outcomes = await asyncio.gather(
        *(host.moves.act(game.id, user_id, 0, [place, Pass()], interaction) for _ in range(5))
    )
    assert sorted(outcome.repeated for outcome in outcomes) == [False, True, True, True, True]
    assert len({outcome.events for outcome in outcomes}) == 1
    assert (await host.games.get(game.id)).ply == 2


async def test_a_double_click_is_one_move(host: Host) -> None:
    """Refuse the second of two interactions for one ply as stale."""
    game = await start_game(host)
    user_id, _ = await mover_and_other(host, game)
    place = next(iter((await host.games.table(game.id)).position.legal_actions))
    await host.moves.act(game.id, user_id, 0, [place], click_id())
    with expect_error(ErrorCode.STALE, revision=0, current=1):
        await host.moves.act(game.id, user_id, 0, [place], click_id())


async def test_a_player_resigns_out_of_turn(host: Host) -> None:
    game = await start_game(host)
    _, other_id = await mover_and_other(host, game)
    outcome = await host.moves.resign(game.code, other_id, click_id())
    assert outcome.events[0] == Resigned(game.seat_of(other_id) or 0)
    with expect_error(ErrorCode.RESIGNED, code=game.code):
        await host.moves.resign(game.code, other_id, click_id())
    with expect_error(ErrorCode.RESIGNED, code=game.code):
        await host.moves.act(game.code, other_id, 1, [Pass()], click_id())
    with expect_error(ErrorCode.NOT_A_PLAYER):
        await host.moves.resign(game.code, STRANGER.user_id, click_id())


async def test_a_repeated_resignation_is_answered_again(host: Host) -> None:
    game = await start_game(host)
    interaction = click_id()
    first = await host.moves.resign(game.code, ADA.user_id, interaction)
    assert await host.moves.resign(game.code, ADA.user_id, interaction) == replace(first, repeated=True)


async def test_a_player_cannot_resign_for_another(host: Host) -> None:
    game = await start_game(host)
    user_id, other_id = await mover_and_other(host, game)
    with expect_error(ErrorCode.ILLEGAL):
        await host.moves.act(game.id, user_id, 0, [Resign(game.seat_of(other_id) or 0)], click_id())


async def test_a_game_ends_when_one_player_is_left(host: Host) -> None:
    game = await start_game(host, ADA, BEN)
    outcome = await host.moves.resign(game.id, BEN.user_id, click_id())
    assert outcome.game.status is GameStatus.FINISHED
    start, *_ = await host.outbox.due()
    await host.outbox.record_sent(start.id, 1)
    [final] = await host.outbox.due()
    assert (final.kind, final.from_ply, final.ply) == (PostKind.FINAL, 0, 1)


async def test_a_moment_is_the_same_from_the_cache_and_from_the_log(host: Host, new_host: NewHost) -> None:
    game = await start_game(host)
    await play_plies(host, game.id, 12)
    outcome = await play_random_action(host, game.id, Random(5))
    newest = await host.games.moment(game.id, outcome.before_ply, outcome.ply)
    replayed = await (await new_host()).games.moment(game.id, outcome.before_ply, outcome.ply)
    for moment in (newest, replayed):
        assert moment.events == outcome.events
        assert [entry.ply for entry in moment.actions] == [outcome.before_ply]
        check = moment.before.copy()
        check.apply(moment.actions[0].action)
        assert state_digest(check) == state_digest(moment.after)
    assert state_digest(newest.after) == state_digest(replayed.after)
    assert state_digest(newest.before) == state_digest(replayed.before)


async def test_earlier_positions_are_found_without_a_whole_replay(host: Host, new_host: NewHost) -> None:
    game = await start_game(host)
    await play_plies(host, game.id, 40)
    tables = [await host.games.table(game.id), await (await new_host()).games.table(game.id)]
    for table in tables:
        assert table.earlier is not None
        decided = {entry.user_id: entry.ply + 1 for entry in table.log}
        assert 20 < table.earlier.ply <= min(decided.values())
        for ply in (0, table.earlier.ply, *decided.values()):
            whole = replay(setup_of(table.game), [entry.action for entry in table.log[:ply]])
            assert state_digest(table.at(ply)) == state_digest(whole)
    assert tables[0].earlier is not tables[1].earlier
    await play_plies(host, game.id, 8)
    newer = (await host.games.table(game.id)).earlier
    assert newer is not None
    assert tables[0].earlier is not None
    assert newer.ply > tables[0].earlier.ply


@pytest.mark.parametrize(("from_ply", "ply"), [(-1, 0), (2, 1), (0, 4)])
async def test_an_impossible_span_of_plies_is_rejected(host: Host, from_ply: int, ply: int) -> None:
    game = await start_game(host)
    await play_plies(host, game.id, 3)
    with pytest.raises(ValueError, match="no span"):
        await host.games.moment(game.id, from_ply, ply)


@pytest.mark.both_databases
async def test_moves_at_many_tables_run_concurrently(host: Host) -> None:
    games = [await start_game(host) for _ in range(4)]
    await asyncio.gather(*(play_plies(host, game.id, 6) for game in games))
    assert [(await host.games.get(game.id)).ply for game in games] == [6] * 4


async def test_an_error_of_the_engine_changes_nothing(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await start_game(host)
    user_id, _ = await mover_and_other(host, game)
    before = await full_state(host, game)
    with monkeypatch.context() as patch:
        patch.setattr(Position, "apply", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            await host.moves.act(game.id, user_id, 0, [Pass()], click_id())
    assert await full_state(host, game) == before


async def test_a_game_of_the_host_equals_one_of_the_engine(host: Host) -> None:
    """Make the same moves by the host and by the engine alone; both reach the same position."""
    game = await start_game(host)
    position, actions = random_game(setup_of(game), Random(3), plies=25)
    engine_position = Position(setup_of(game))
    for action in actions:
        user_id = game.seats[engine_position.player].user_id
        await host.moves.act(game.id, user_id, engine_position.ply, [action], click_id())
        engine_position.apply(action)
    assert state_digest((await host.games.table(game.id)).position) == state_digest(position)


async def test_errors_name_their_code_and_values() -> None:
    error = HostError(ErrorCode.STALE, revision=3, current=5)
    assert str(error) == "stale revision=3 current=5"


async def test_a_game_maps_people_to_seats(host: Host) -> None:
    game = await start_game(host)
    assert sorted(game.seat_of(person.user_id) for person in (ADA, BEN, CLEO)) == [0, 1, 2]  # type: ignore[type-var]
    assert game.seat_of(STRANGER.user_id) is None
    assert game.person_to_act == game.seats[0]


@pytest.mark.parametrize("seed", first(2, range(4)))
@pytest.mark.both_databases
async def test_clicks_out_of_order_end_in_the_same_game(host: Host, seed: int) -> None:
    """Deliver clicks twice, too early or much later; the game is the one of the clean sequence."""
    rng = Random(seed)
    game = await start_game(host)
    position, actions = random_game(setup_of(game), Random(seed), plies=20)
    engine_position = Position(setup_of(game))
    clicks = []
    for action in actions:
        clicks.append((game.seats[engine_position.player].user_id, engine_position.ply, [action], click_id()))
        engine_position.apply(action)
    for number in range(len(clicks)):
        indices = [number, *rng.choices(range(len(clicks)), k=3)]
        rng.shuffle(indices)
        outcomes = [host.moves.act(game.id, *clicks[index]) for index in [*indices, number]]
        if seed % 2:
            await asyncio.gather(*outcomes, return_exceptions=True)
            continue
        for outcome in outcomes:
            with suppress(HostError):
                await outcome
    table = await host.games.table(game.id)
    assert [entry.action for entry in table.log] == actions
    assert state_digest(table.position) == state_digest(position)


async def test_stored_times_equal_those_returned(tmp_path: Path) -> None:
    """Use the machine's clock, whose microseconds the store rounds to milliseconds."""
    store = await open_store(tmp_path / "clock.db")
    host = Host(store)
    game = await start_game(host)
    outcome = await play_random_action(host, game.id, Random(1))
    assert await host.games.get(game.id) == outcome.game
    assert (await Host(store).games.table(game.id)).log == (await host.games.table(game.id)).log
    await store.close()
