"""Games in which one seat of four stops moving at each kind of step: they end soon, and no tile is lost.

A silent player lets each clock run out, so the host acts for them. `STEP_KINDS` names the kinds of decisions; the
player falls silent at the first one of that kind.
"""

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
from engine.carcassonne.expansions import ABBEY_MAYOR, BCB
from engine.carcassonne.expansions.abbey_mayor import ABBEY_TILE, DecideAbbey, DecideWagon
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

pytestmark = [pytest.mark.long, pytest.mark.sqlite]  # no statements that other tests do not run on PostgreSQL

MAX_WAIT = timedelta(days=9)
"""The longest time that the others wait for the silent player at the standard pace."""
HOUR_SECONDS = 3600
"""An hour."""
MAX_SEEDS = 200
"""Number of games that are tried until one contains the decision."""

STEP_KINDS: dict[str, Callable[[Any, Any], bool]] = {
    "placing": lambda _, step: isinstance(step, PlaceTile) and step.drawn,
    "second tile": lambda position, step: isinstance(step, PlaceTile) and step.drawn and first_tile(position) >= 0,
    "bought tile": lambda _, step: isinstance(step, PlaceTile) and not step.drawn,
    "figure": lambda _, step: isinstance(step, DeployFollower),
    "town": lambda _, step: isinstance(step, DecideTown),
    "castle owed": lambda _, step: isinstance(step, ChooseCastleSource),
    "lot": lambda _, step: isinstance(step, ChooseLot),
    "bid": lambda _, step: isinstance(step, BidOnLot),
    "buy or sell": lambda _, step: isinstance(step, BuyOrSell),
    "abbey": lambda _, step: isinstance(step, DecideAbbey),
    "wagon": lambda _, step: isinstance(step, DecideWagon),
}
"""Conditions for the decision at which the player falls silent."""
OTHER_BOXES = {"abbey": (ABBEY_MAYOR,), "wagon": (ABBEY_MAYOR,)}
"""The boxes of the games with these decisions; the others have castles, bazaars and builders."""


ALWAYS_PLAYED = frozenset({"bid", "wagon"})
"""Kinds played in every run, besides a player silent from the start (test_clocks.py); `make soak` plays the others."""


@pytest.mark.usefixtures("game_length")
@pytest.mark.parametrize(
    "kind", [kind if kind in ALWAYS_PLAYED else pytest.param(kind, marks=pytest.mark.soak) for kind in STEP_KINDS]
)
async def test_the_game_ends_with_one_silent_seat_of_four(host: Host, clock: SettableClock, kind: str) -> None:
    game = await open_game(host, ADA, BEN, CLEO, DORA, expansions=OTHER_BOXES.get(kind, (BCB, "traders-builders")))
    rng, silent, waited = Random(seed_reaching(game, kind)), -1, timedelta(0)
    while (current := await host.games.get(game.id)).seat_to_act is not None:
        await post_all(host)
        position = (await host.games.table(game.id)).position
        if silent < 0 and STEP_KINDS[kind](position, position.step):
            silent = position.player
        if current.seat_to_act == silent:
            before = clock.now()
            await advance_and_post(host, clock, HOUR_SECONDS, step=HOUR_SECONDS)
            waited += clock.now() - before
        else:
            await decide(host, game, lambda position: [lively_action(position, rng)], clock.now())
    assert timedelta(0) < waited <= MAX_WAIT
    await check_finished(host, game, silent)


def seed_reaching(game: Game, kind: str) -> int:
    """Return a seed with which random play reaches a decision of this kind."""
    for seed in range(MAX_SEEDS):
        position, rng = begin(setup_of(game)), Random(seed)
        while position.step is not None:
            if STEP_KINDS[kind](position, position.step):
                return seed
            position.apply(lively_action(position, rng))  # type: ignore[arg-type]
    raise AssertionError(f"no seed reaches this decision: {kind}")


async def check_finished(host: Host, game: Game, silent: int) -> None:
    """Check that the game is over, every tile of the pile was placed or discarded, and no clock runs."""
    table = await host.games.table(game.id)
    assert table.game.status is GameStatus.FINISHED
    assert table.position.withdrawn == tuple(seat == silent for seat in range(4))
    assert not [entry for entry in table.log if entry.user_id == TIMEOUT_USER_ID and isinstance(entry.action, Place)]
    moment = await host.games.moment(game.id, 0, table.game.ply)
    used = Counter(event.tile.id for event in moment.events if isinstance(event, TilePlaced | TileDiscarded))
    del used[ABBEY_TILE]  # abbeys lie in no pile
    assert used == Counter(setup_of(game).pile)
    for seat_clock in await clocks_of(host, game):
        assert seat_clock.granted + seat_clock.given_back - seat_clock.used == seat_clock.left >= 0
        assert (seat_clock.asked, seat_clock.since) == (None, None)
