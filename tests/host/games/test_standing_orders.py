"""Standing orders, carried out once, in the transaction of the move that leads to their decision.

A standing order is a decision that a player gives in advance. In a plan for a bazaar `of:1` names the bazaar, `lot:1@1`
opens lot 1 at 1 point, `most:1@4` bids up to 4 for it, and `buy:2` buys up to 2.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from sqlalchemy import select

from engine import Cell, Position, begin, read_setup, replay, state_digest
from engine.carcassonne.expansions import ABBEY_MAYOR
from engine.carcassonne.expansions.abbey_mayor import DecideWagon, WagonOrder
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BidOnLot,
    BuyOrSell,
    ChooseLot,
    DecideTown,
    bazaar_number,
    bazaar_of,
)
from host import Consequence, ErrorCode, Game, Host, Preferences, setup_of
from store.schema.play import outbox
from tests.host.conftest import NewHost
from tests.host.people import (
    ADA,
    BEN,
    STRANGER,
    SettableClock,
    actions_to_foreign_question,
    click_id,
    expect_error,
    new_lobby,
    play_out,
    play_random_action,
    start_game,
)
from tests.host.test_plans import record_statements
from tests.soak import first

AUCTION_STEPS = (ChooseLot, BidOnLot, BuyOrSell)
"""The decisions of a bazaar, an auction of tiles ("lots")."""
EAGER_PLAN = "lot:1@1 lot:2@0 lot:3@0 most:1@4 most:2@3 most:3@2 buy:2 pass"
"""A plan that answers every decision of a bazaar with three lots."""


async def position_of(host: Host, game: Game) -> Position:
    """Return the current position of a game."""
    return (await host.games.table(game.id)).position


async def play_to_auction(host: Host, *, seed: int = 1) -> Game:
    """Play at random to the first auction, where the selector has to choose a lot."""
    game, rng = await start_game(host), Random(seed)
    while not isinstance((position := await position_of(host, game)).step, ChooseLot) or position.step.bazaar.draft:
        assert not position.is_over
        await play_random_action(host, game.id, rng)
    return await host.games.get(game.id)


async def set_plan(
    host: Host, game: Game, user_id: int, words: str = EAGER_PLAN, interaction: int | None = None
) -> Consequence:
    """Set a player's plan for the current bazaar, or drop it with no words."""
    text = f"of:{bazaar_number(await position_of(host, game))} {words}" if words else ""  # type: ignore[arg-type]
    return await host.moves.plan(game.code, user_id, text, interaction or click_id())


async def mover_id(host: Host, game: Game) -> int:
    """Return the id of the player to move."""
    return game.seats[(await position_of(host, game)).player].user_id


async def other_player_ids(host: Host, game: Game) -> list[int]:
    """Return the ids of the other players in turn order after the player to move."""
    player = (await position_of(host, game)).player
    return [game.seats[(player + step) % len(game.seats)].user_id for step in range(1, len(game.seats))]


async def check_replay(host: Host, game: Game) -> None:
    """Check that the log replays to the cached position and to the stored digest."""
    table = await host.games.table(game.id)
    again = replay(read_setup(table.game.setup_text), [entry.action for entry in table.log])
    assert state_digest(again) == state_digest(table.position)
    assert (await host.game_checks.check_all()).frozen == ()


async def test_a_fully_planned_bazaar_is_played_in_one_transaction(host: Host, new_host: NewHost) -> None:
    game = await play_to_auction(host)
    before = game.ply
    for user_id in await other_player_ids(host, game):
        outcome = await set_plan(host, game, user_id)
        assert (outcome.before_ply, outcome.ply, outcome.events) == (before, before, ())
    assert (await host.games.get(game.id)).ply == before, "the selector is still asked"
    outcome = await set_plan(host, game, await mover_id(host, game))
    assert outcome.before_ply == before < outcome.ply
    assert not isinstance((await position_of(host, game)).step, AUCTION_STEPS)
    async with host._store.reading() as tx:
        new_posts = select(outbox.c.from_ply, outbox.c.ply).where(outbox.c.from_ply >= before)
        posts = [tuple(row) for row in await tx.execute(new_posts)]
    assert posts == [(before, outcome.ply)], "one card covers all of it"
    log = (await host.games.table(game.id)).log[before:]
    assert all(entry.preset for entry in log)
    assert [entry.user_id for entry in log] == [game.seats[entry.seat].user_id for entry in log]
    moment = await (await new_host()).games.moment(game.id, before, outcome.ply)
    assert (moment.events, moment.preset) == (outcome.events, outcome.preset)
    assert len(moment.preset) == len(log)
    await check_replay(await new_host(), game)


async def test_plans_are_carried_out_with_the_move_before_them(host: Host) -> None:
    game = await play_to_auction(host)
    for user_id in await other_player_ids(host, game):
        await set_plan(host, game, user_id, "pass")
    selector, before = await mover_id(host, game), game.ply
    position = await position_of(host, game)
    chosen = next(iter(position.legal_actions))
    outcome = await host.moves.act(game.id, selector, before, [chosen], click_id())
    log = (await host.games.table(game.id)).log[before:]
    assert [entry.preset for entry in log][:3] == [False, True, True], "both others pass at once"
    assert outcome.ply == before + len(log)


async def test_orders_are_carried_out_when_a_pending_move_is_published(host: Host, clock: SettableClock) -> None:
    """Treat plans set before the move was confirmed and while it is pending alike, so that neither reveals it."""
    game = await play_to_auction(host)
    second, third = await other_player_ids(host, game)
    await set_plan(host, game, second, "pass")
    selector, chosen = await mover_id(host, game), next(iter((await position_of(host, game)).legal_actions))
    window = timedelta(seconds=60)
    assert (await host.moves.act(game.id, selector, game.revision, [chosen], click_id(), window=window)).waits
    waiting = await set_plan(host, game, third, "pass")
    assert (waiting.ply, waiting.events) == (game.ply, ())
    assert (await host.games.table(game.id)).log[game.ply :] == ()
    assert [bool(await host.moves.planned(game, user_id)) for user_id in (second, third)] == [True, True]
    clock.advance(60)
    await host.timer_dispatcher.work()
    log = (await host.games.table(game.id)).log[game.ply :]
    assert [(entry.user_id, entry.preset) for entry in log][:3] == [(selector, False), (second, True), (third, True)]


async def test_a_bazaar_stops_at_the_first_player_without_a_plan(host: Host) -> None:
    game = await play_to_auction(host)
    second, third = await other_player_ids(host, game)
    selector = await mover_id(host, game)
    await set_plan(host, game, third)
    await set_plan(host, game, selector, "lot:2@1 pass")
    assert await mover_id(host, game) == second
    assert isinstance((await position_of(host, game)).step, BidOnLot)
    await set_plan(host, game, second, "most:1@5")
    assert await mover_id(host, game) == second, "nothing is planned for this lot"
    await set_plan(host, game, second, "most:2@5")
    assert isinstance((await position_of(host, game)).step, ChooseLot), "the third led with 3, and the first one sold"
    await check_replay(host, game)


async def test_a_plan_can_be_changed_and_dropped_until_it_is_used(host: Host) -> None:
    game = await play_to_auction(host)
    second, _ = await other_player_ids(host, game)
    await set_plan(host, game, second, "pass")
    await set_plan(host, game, second, "most:1@3")
    assert (await host.moves.planned(game, second)).endswith("most:1@3")
    await set_plan(host, game, second, "")
    assert await host.moves.planned(game, second) == ""
    selector = await mover_id(host, game)
    await set_plan(host, game, selector, "lot:1@0")
    assert await mover_id(host, game) == second


async def test_invalid_plans_are_refused_and_change_nothing(host: Host) -> None:
    game = await play_to_auction(host)
    second, _ = await other_player_ids(host, game)
    await set_plan(host, game, second, "pass")
    before = (await host.moves.planned(game, second), (await host.games.get(game.id)), await host.outbox.due())
    number = bazaar_number(await position_of(host, game))  # type: ignore[arg-type]
    attempts = [
        (ErrorCode.NOT_A_PLAYER, STRANGER.user_id, f"of:{number} pass"),
        (ErrorCode.ILLEGAL, second, f"of:{number} lot:4@0"),
        (ErrorCode.ILLEGAL, second, f"of:{number} most:9@1"),
        (ErrorCode.ILLEGAL, second, f"of:{number + 1} pass"),
        (ErrorCode.ILLEGAL, second, "all of them"),
    ]
    for code, user_id, text in attempts:
        with expect_error(code):
            await host.moves.plan(game.id, user_id, text, click_id())
        assert (
            await host.moves.planned(game, second),
            (await host.games.get(game.id)),
            await host.outbox.due(),
        ) == before
    with expect_error(ErrorCode.UNKNOWN_GAME):
        await host.moves.plan("ZZZZ", second, "", click_id())
    await host.moves.resign(game.id, second, click_id())
    with expect_error(ErrorCode.RESIGNED):
        await host.moves.plan(game.id, second, "", click_id())


@pytest.mark.sqlite
@pytest.mark.usefixtures("few_tiles")
async def test_plans_are_refused_outside_a_bazaar_and_after_the_end(host: Host) -> None:
    game = await start_game(host, ADA, BEN)
    with expect_error(ErrorCode.ILLEGAL):
        await set_plan(host, game, ADA.user_id)
    await play_out(host, game.id)
    with expect_error(ErrorCode.GAME_OVER):
        await host.moves.plan(game.id, ADA.user_id, "", click_id())


@pytest.mark.parametrize("seed", first(3, (0, 1, 4, 2, 3, 5, 6, 7)))
async def test_a_plan_set_during_the_move_before_it_acts_once(new_host: NewHost, seed: int) -> None:
    """Open a lot in one process while the next bidder plans in another, in either order."""
    host, other_host = await new_host(), await new_host()
    game = await play_to_auction(host, seed=seed)
    second, third = await other_player_ids(host, game)
    selector = await mover_id(host, game)
    await other_host.games.table(game.id)
    chosen = next(iter((await position_of(host, game)).legal_actions))

    async def open_lot() -> None:
        """Open a lot after a short pause."""
        await asyncio.sleep(0.001 * (seed % 4))
        await host.moves.act(game.id, selector, game.ply, [chosen], click_id())

    async def plan_pass() -> None:
        """Plan to pass after a short pause."""
        await asyncio.sleep(0.001 * (seed // 4))
        await set_plan(other_host, game, second, "pass")

    await asyncio.gather(open_lot(), plan_pass())
    table = await (await new_host()).games.table(game.id)
    log = table.log[game.ply :]
    assert [(entry.user_id, entry.preset) for entry in log] == [(selector, False), (second, True)]
    assert table.game.seats[table.position.player].user_id == third
    await check_replay(host, game)


async def test_a_repeated_plan_acts_once(host: Host) -> None:
    game = await play_to_auction(host)
    selector, number = await mover_id(host, game), click_id()
    first = await set_plan(host, game, selector, "lot:1@0", number)
    again = await set_plan(host, game, selector, "lot:1@0", number)
    assert first.ply == game.ply + 1
    assert again.ply == again.before_ply == first.ply
    assert (await host.games.get(game.id)).ply == first.ply


async def test_a_crash_stores_neither_the_plan_nor_its_move(
    host: Host, new_host: NewHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await play_to_auction(host)
    selector = await mover_id(host, game)

    async def crash(*_: object) -> None:
        """End the process."""
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(host.outbox, "add_card", crash)
        with pytest.raises(KeyboardInterrupt):
            await set_plan(host, game, selector, "lot:1@0")
    again = await new_host()
    assert await again.moves.planned(game, selector) == ""
    assert (await again.games.get(game.id)).ply == game.ply
    assert (await set_plan(again, game, selector, "lot:1@0")).ply == game.ply + 1


@pytest.mark.parametrize(
    ("everywhere", "in_this_game", "answer"),
    [
        ("always", "", "castle"),
        ("never", "", "town"),
        ("ask", "", None),
        ("always", "never", "town"),
        ("always", "ask", None),
        ("ask", "always", "castle"),
    ],
)
async def test_towns_are_decided_by_the_orders_of_their_holder(
    host: Host, everywhere: str, in_this_game: str, answer: str | None
) -> None:
    """Follow the holder's standing order for all games or for this one, whoever places the tile."""
    game = await start_game(host)
    position, actions = begin(setup_of(game)), actions_to_foreign_question(game, DecideTown)
    for action in actions:
        mover = position.player
        position.apply(action)
        if action is actions[-1]:
            holder = game.seats[position.player].user_id
            chosen = Preferences(choices={"towns": everywhere}).with_game_choice("ZZZZ", "towns", "never")
            await host.preferences.set(holder, chosen.with_game_choice(game.code, "towns", in_this_game))
        await host.moves.act(game.id, game.seats[mover].user_id, position.ply - 1, [action], click_id())
    log = (await host.games.table(game.id)).log[len(actions) :]
    assert [(str(entry.action), entry.user_id, entry.preset) for entry in log] == (
        [(answer, holder, True)] if answer else []
    )
    await check_replay(host, game)


@pytest.mark.parametrize(
    ("everywhere", "in_this_game", "answer"),
    [
        ("stays", "", "pass"),
        ("ask", "", None),
        ("stays", "ask", None),
        ("ask", "its place", "its place"),
        ("stays", "its place", "its place"),
        ("stays", "another place", None),
    ],
)
async def test_a_scored_wagon_goes_where_its_owner_has_ordered(
    host: Host, everywhere: str, in_this_game: str, answer: str | None
) -> None:
    """In another player's turn nobody waits for an owner who has ordered it, in all games or in this one."""
    lobby = await host.lobbies.open(new_lobby(capacity=2, expansions=(ABBEY_MAYOR,)), click_id())
    await host.lobbies.join(lobby.id, BEN, click_id())
    game = await host.lobbies.start(lobby.id, ADA.user_id, click_id())
    actions = actions_to_foreign_question(game, DecideWagon)
    asked = begin(setup_of(game))
    for action in actions:
        asked.apply(action)
    cell, segment = asked.land.part(asked.step.segment)
    move = asked.legal_actions[-1]
    orders = {
        "its place": str(WagonOrder(cell, segment.name, move)),
        "another place": str(WagonOrder(cell, segment.name, replace(move, cell=Cell(30, 30)))),
    }
    chosen = Preferences(choices={"wagon": everywhere})
    chosen = chosen.with_game_choice(game.code, "wagon", orders.get(in_this_game, in_this_game))
    await host.preferences.set(game.seats[asked.player].user_id, chosen)
    for ply, action in enumerate(actions):
        mover = (await position_of(host, game)).player
        await host.moves.act(game.id, game.seats[mover].user_id, ply, [action], click_id())
    log = (await host.games.table(game.id)).log[len(actions) :]
    expected = [] if answer is None else [str(move) if answer == "its place" else answer]
    assert [str(entry.action) for entry in log] == expected
    assert all(entry.preset for entry in log)
    await check_replay(host, game)


async def test_a_move_outside_bazaars_reads_no_orders(host: Host) -> None:
    game = await start_game(host)
    with record_statements(host._store) as statements:
        await play_random_action(host, game.id, Random(1))
    assert not [text for text, _ in statements if "plans" in text or "preferences" in text]


async def test_plans_of_an_earlier_bazaar_do_not_apply_to_a_later_one(host: Host) -> None:
    game, rng = await play_to_auction(host), Random(5)
    for user_id in await other_player_ids(host, game):
        await set_plan(host, game, user_id, "pass")
    first = bazaar_of(await position_of(host, game))  # type: ignore[arg-type]
    while True:
        position = await position_of(host, game)
        if isinstance(position.step, ChooseLot) and position.step.bazaar.tiles != first.tiles:  # type: ignore[union-attr]
            break
        await play_random_action(host, game.id, rng)
    before = position.ply
    await play_random_action(host, game.id, rng)
    assert not [entry for entry in (await host.games.table(game.id)).log[before:] if entry.preset]
