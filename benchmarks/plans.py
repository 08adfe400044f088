"""Duration of a bazaar of four players, with sealed plans and without: ``python -m benchmarks.plans [--bazaars N]``.

A *bazaar* is an auction of tiles, in which players bid one after another. A *sealed plan* lets the bot decide for a
player who is asleep. The simulated players live at UTC-8, UTC, UTC+5:30 and UTC+9, are awake from 8 to 23 o'clock, and
answer a notification within two waking hours, uniformly distributed. Without a plan they bid small random amounts; a
plan bids for two or three of the tiles.
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

UTC_OFFSETS: Final = (-8.0, 0.0, 5.5, 9.0)
"""Hours from UTC, by seat."""
AWAKE_HOURS: Final = (8, 23)
"""Local hours between which players are awake."""
MAX_ANSWER_TIME: Final = timedelta(hours=2)
"""Waking time within which players answer."""
PLANNER_SHARES: Final = (0.0, 0.5, 1.0)
"""The shares of players with a plan that are compared."""
BAZAAR_COUNT: Final = 400
AUCTION_STEPS: Final = (ChooseLot, BidOnLot, BuyOrSell)
DAY: Final = timedelta(days=1)


def is_awake(seat: int, at: datetime) -> bool:
    """Return whether a player is awake."""
    hour = (at + timedelta(hours=UTC_OFFSETS[seat])).hour
    return AWAKE_HOURS[0] <= hour < AWAKE_HOURS[1]


def answer_time(seat: int, called: datetime, random: Random) -> datetime:
    """Return the time at which a player answers a notification."""
    # The answer takes a random part of the maximum, of which only waking minutes count.
    remaining, at, step = random.random() * MAX_ANSWER_TIME, called, timedelta(minutes=1)
    while remaining > timedelta() or not is_awake(seat, at):
        remaining -= step if is_awake(seat, at) else timedelta()
        at += step
    return at


def play_to_bazaar(seed: int, random: Random) -> Position:
    """Play a game of four at random until a bazaar is opened."""
    position = Position(new_setup(players=len(UTC_OFFSETS), seed=str(seed)))
    while not isinstance(position.step, ChooseLot):
        if position.is_over:
            return play_to_bazaar(seed + 1_000_003, random)  # a game without a bazaar; try another seed
        position.apply(random_action(position, random))
    return position


def random_plan(position: Position, random: Random) -> str:
    """Return a plan of a player who wants two or three of the tiles."""
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


def auction_duration(
    position: Position, plans: Mapping[int, tuple[str, datetime]], called: datetime, random: Random
) -> timedelta:
    """Play a bazaar; return the time until its last tile is sold.

    ``plans`` has by seat a plan and the time from which it exists.
    """
    at = called
    while isinstance(position.step, AUCTION_STEPS):
        seat = position.player
        plan, since = plans.get(seat, ("", at))
        action = ordered_action(position, {"plan": plan})
        if action is None:
            at, action = answer_time(seat, at, random), random_action(position, random)
        else:
            at = max(at, since)
        position.apply(action)
    return at - called


def measure(bazaars: int, seed: int) -> dict[float, Sequence[float]]:
    """Return the duration of each bazaar in hours, by the share of players with a plan."""
    hours_by_share: dict[float, list[float]] = {share: [] for share in PLANNER_SHARES}
    for number in range(bazaars):
        random = Random(f"{seed} {number}")
        position = play_to_bazaar(number, random)
        called = datetime(2030, 1, 1, tzinfo=UTC) + random.random() * DAY
        planners = random.sample(range(len(UTC_OFFSETS)), len(UTC_OFFSETS))
        plans = {seat: (random_plan(position, random), answer_time(seat, called, random)) for seat in planners}
        for share in PLANNER_SHARES:
            used = {seat: plans[seat] for seat in planners[: round(share * len(UTC_OFFSETS))]}
            hours = auction_duration(position.copy(), used, called, Random(f"{seed} {number} play")) / timedelta(
                hours=1
            )
            hours_by_share[share].append(hours)
    return {share: tuple(hours) for share, hours in hours_by_share.items()}


def medians(bazaars: int = BAZAAR_COUNT, seed: int = 1) -> dict[str, float]:
    """Return the median duration of a bazaar in hours, by the share of players with a plan."""
    return {f"{share:.0%}": round(median(hours), 1) for share, hours in measure(bazaars, seed).items()}


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.plans")
    parser.add_argument("--bazaars", type=int, default=BAZAAR_COUNT)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    hours_by_share = measure(options.bazaars, options.seed)
    without = median(hours_by_share[0.0])
    for share, hours in hours_by_share.items():
        middle, long = median(hours), sorted(hours)[int(len(hours) * 0.9)]
        ratio = middle / without
        print(f"{share:4.0%} plan: median {middle:5.1f} h, 9 of 10 within {long:5.1f} h, {ratio:.2f} of without")


if __name__ == "__main__":
    main()
