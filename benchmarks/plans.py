"""Duration of a bazaar of four with sealed plans and without: ``python -m benchmarks.plans [--bazaars N]``.

The players live at UTC-8, UTC, UTC+5:30 and UTC+9, are awake from 8 to 23 o'clock, and do what they are called to
within two waking hours, any time of them as likely as another. Who is asked how often in which order the rules say;
what is bid are small bids by chance, and plans are what somebody who wants two or three of the tiles would write.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from statistics import median
from typing import Final

from engine import ordered_action
from engine.carcassonne import Position, new_setup
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BazaarPlan,
    BidOnLot,
    BuyOrSell,
    ChooseLot,
    SelectLot,
    bazaar_number,
)
from engine.selfplay import random_action

ZONES: Final = (-8.0, 0.0, 5.5, 9.0)
"""Hours east of Greenwich, by seat."""
AWAKE: Final = (8, 23)
ANSWER: Final = timedelta(hours=2)
"""Waking hours within which everybody answers."""
PLANNING: Final = (0.0, 0.5, 1.0)
"""The shares of the players who plan."""
BAZAARS: Final = 400
"""The number of bazaars played."""
AUCTION: Final = (ChooseLot, BidOnLot, BuyOrSell)
DAY: Final = timedelta(days=1)


def is_awake(seat: int, at: datetime) -> bool:
    """Return whether a player is awake."""
    hour = (at + timedelta(hours=ZONES[seat])).hour
    return AWAKE[0] <= hour < AWAKE[1]


def answered(seat: int, called: datetime, random: Random) -> datetime:
    """Return the time at which a player answers a notification."""
    left, at, step = random.random() * ANSWER, called, timedelta(minutes=1)
    while left > timedelta() or not is_awake(seat, at):
        left -= step if is_awake(seat, at) else timedelta()
        at += step
    return at


def opened(seed: int, random: Random) -> Position:
    """A game of four in which a bazaar has just been opened."""
    position = Position(new_setup(players=len(ZONES), seed=str(seed)))
    while not isinstance(position.step, ChooseLot):
        if position.is_over:
            return opened(seed + 1_000_003, random)
        position.apply(random_action(position, random))
    return position


def planned(position: Position, random: Random) -> str:
    """Return the plan of a player who wants some of the tiles."""
    lots = random.sample([lot + 1 for lot in range(position.players)], position.players)
    wanted = lots[: random.randint(2, 3)]
    plan = BazaarPlan(
        bazaar=bazaar_number(position),
        openings=tuple(SelectLot(lot, random.randint(0, 2)) for lot in lots),
        limits=tuple((lot, random.randint(1, 5)) for lot in wanted),
        buy=random.randint(1, 4),
        passes=True,
    )
    return str(plan)


def waiting(
    position: Position, plans: Mapping[int, tuple[str, datetime]], called: datetime, random: Random
) -> timedelta:
    """Return the time until the last tile has its owner, with ``plans`` that exist from a time on."""
    at = called
    while isinstance(position.step, AUCTION):
        seat = position.player
        plan, since = plans.get(seat, ("", at))
        action = ordered_action(position, {"plan": plan})
        if action is None:
            at, action = answered(seat, at, random), random_action(position, random)
        else:
            at = max(at, since)
        position.apply(action)
    return at - called


def measure(bazaars: int, seed: int) -> dict[float, Sequence[float]]:
    """Hours that each bazaar waits, by the part of the players that plans."""
    found: dict[float, list[float]] = {part: [] for part in PLANNING}
    for number in range(bazaars):
        random = Random(f"{seed} {number}")
        position = opened(number, random)
        called = datetime(2030, 1, 1, tzinfo=UTC) + random.random() * DAY
        planners = random.sample(range(len(ZONES)), len(ZONES))
        plans = {seat: (planned(position, random), answered(seat, called, random)) for seat in planners}
        for part in PLANNING:
            some = {seat: plans[seat] for seat in planners[: round(part * len(ZONES))]}
            hours = waiting(position.copy(), some, called, Random(f"{seed} {number} play")) / timedelta(hours=1)
            found[part].append(hours)
    return {part: tuple(hours) for part, hours in found.items()}


def medians(bazaars: int = BAZAARS, seed: int = 1) -> dict[str, float]:
    """The middle of the hours that a bazaar waits, by the part of the players that plans, as told in a season."""
    return {f"{part:.0%}": round(median(hours), 1) for part, hours in measure(bazaars, seed).items()}


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.plans")
    parser.add_argument("--bazaars", type=int, default=BAZAARS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = measure(options.bazaars, options.seed)
    without = median(found[0.0])
    for part, hours in found.items():
        middle, long = median(hours), sorted(hours)[int(len(hours) * 0.9)]
        print(
            f"{part:4.0%} plan: median {middle:5.1f} h, 9 of 10 within {long:5.1f} h, {middle / without:.2f} of without"
        )


if __name__ == "__main__":
    main()
