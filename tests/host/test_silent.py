"""One seat of four falls silent, at every kind of step: nobody waits for long, the game ends, and no tile is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from engine import Place, begin
from engine.carcassonne import DeployFollower, PlaceTile
from engine.carcassonne.double_turns import first_tile
from engine.carcassonne.expansions import BCB
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BidOnLot,
    BuyOrSell,
    ChooseCastleSource,
    ChooseLot,
    DecideTown,
)
from engine.events import TileDiscarded, TilePlaced
from host import TIMEOUT_USER_ID, Game, GameStatus, Host, setup_of
from tests.engine.carcassonne_games import lively_action
from tests.host.people import ADA, BEN, CLEO, SettableClock
from tests.host.test_clocks import DORA, advance_and_post, clocks_of, decide, open_game, post_all

pytestmark = [pytest.mark.long, pytest.mark.sqlite]  # they ask no more of a database than others

LONGEST = timedelta(days=9)
"""The longest time the others wait for anybody at the usual pace."""
HOUR = 3600
MOST_TRIED = 200

KINDS: dict[str, Callable[[Any, Any], bool]] = {
    "placing": lambda _, step: isinstance(step, PlaceTile) and step.drawn,
    "second tile": lambda position, step: isinstance(step, PlaceTile) and step.drawn and first_tile(position) >= 0,
    "bought tile": lambda _, step: isinstance(step, PlaceTile) and not step.drawn,
    "figure": lambda _, step: isinstance(step, DeployFollower),
    "town": lambda _, step: isinstance(step, DecideTown),
    "castle owed": lambda _, step: isinstance(step, ChooseCastleSource),
    "lot": lambda _, step: isinstance(step, ChooseLot),
    "bid": lambda _, step: isinstance(step, BidOnLot),
    "buy or sell": lambda _, step: isinstance(step, BuyOrSell),
}
"""Decisions that a player may be asked for when they fall silent."""


NAMED = frozenset({"castle owed", "bid"})
"""Played each time, beside one who is silent at once (test_clocks.py); the others with the long tests."""


@pytest.mark.parametrize(
    "kind", [kind if kind in NAMED else pytest.param(kind, marks=pytest.mark.soak) for kind in KINDS]
)
async def test_one_silent_seat_of_four(host: Host, clock: SettableClock, kind: str) -> None:
    game = await open_game(host, ADA, BEN, CLEO, DORA, expansions=(BCB, "traders-builders"))
    random, silent, waited = Random(luck_of(game, kind)), -1, timedelta(0)
    while (found := await host.games.get(game.id)).seat_to_act is not None:
        await post_all(host)
        position = (await host.games.table(game.id)).position
        if silent < 0 and KINDS[kind](position, position.step):
            silent = position.player
        if found.seat_to_act == silent:
            before = clock.now()
            await advance_and_post(host, clock, HOUR, step=HOUR)
            waited += clock.now() - before
        else:
            await decide(host, game, lambda position: [lively_action(position, random)], clock.now())
    assert timedelta(0) < waited <= LONGEST
    await is_whole(host, game, silent)


def luck_of(game: Game, kind: str) -> int:
    """With which luck it comes to a question of this kind."""
    for seed in range(MOST_TRIED):
        position, random = begin(setup_of(game)), Random(seed)
        while position.step is not None:
            if KINDS[kind](position, position.step):
                return seed
            position.apply(lively_action(position, random))  # type: ignore[arg-type]
    raise AssertionError(f"it never comes to that: {kind}")


async def is_whole(host: Host, game: Game, silent: int) -> None:
    """The game is over, every tile was laid or is out of it, and no clock runs."""
    table = await host.games.table(game.id)
    assert table.game.status is GameStatus.FINISHED
    assert table.position.withdrawn == tuple(seat == silent for seat in range(4))
    assert not [entry for entry in table.log if entry.user_id == TIMEOUT_USER_ID and isinstance(entry.action, Place)]
    moment = await host.games.moment(game.id, 0, table.game.ply)
    gone = Counter(event.tile.id for event in moment.events if isinstance(event, TilePlaced | TileDiscarded))
    assert gone == Counter(setup_of(game).pile)
    for one in await clocks_of(host, game):
        assert one.granted + one.given_back - one.used == one.left >= 0
        assert (one.asked, one.since) == (None, None)
