"""CPU time of the largest tournaments.

Measured are the drawing of rounds (who meets whom), the computing of standings, and the pictures of both.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

from benchmarks.figures import Measurement
from renderers.events import MAX_ENTRIES, BracketSide, EntryState, Pairing, Rank, bracket, standings_table
from tournaments.event import EventFold, due, replay, standings
from tournaments.facts import RoundDrawn
from tournaments.specification import Parameters
from tournaments.tables.schedule import rounds_together
from tournaments.trials import TrialConditions, simulate_format

PLAYER_COUNT = 256
ROUND_COUNT = 5
TABLES_TARGET_MS = 2000.0
"""The target for drawing a round of games at tables of four."""
DUELS_TARGET_MS = 8000.0
"""The target for drawing a round of duels."""
STANDINGS_TARGET_MS = 50.0
"""The target for computing the standings once."""
PICTURE_TARGET_MS = 150.0
"""The target for one picture."""
PICTURE_COUNT = 9
"""The number of pictures of each kind."""


def figures() -> list[Measurement]:
    """Measure rounds of tables and of duels, the standings before each, all rounds drawn at once, and pictures."""
    results = []
    for profile, kind, target in (
        ("swiss-tables", "tables", TABLES_TARGET_MS),
        ("duel-swiss", "duels", DUELS_TARGET_MS),
    ):
        rounds, ranks = _measure_rounds(profile)
        results.append(Measurement(f"event {kind} 256", rounds, "ms", target))
        results.append(Measurement(f"event standings {kind} 256", ranks, "ms", STANDINGS_TARGET_MS))
    all_at_once = _measure_rounds("tables")[0]
    results.append(Measurement("event tables 256 together", (all_at_once[0],), "ms", TABLES_TARGET_MS))
    results.append(
        Measurement("event bracket picture", tuple(map(_bracket_ms, range(PICTURE_COUNT))), "ms", PICTURE_TARGET_MS)
    )
    results.append(
        Measurement("event standings picture", tuple(map(_standings_ms, range(PICTURE_COUNT))), "ms", PICTURE_TARGET_MS)
    )
    return results


def _bracket_ms(run: int) -> float:
    """Measure the picture of a full bracket, with new names, which are in no cache of texts."""
    names = _long_names(run)
    played = [
        Pairing(
            BracketSide(f"{winner} of the bracket", "2", EntryState.THROUGH),
            BracketSide(f"{loser} of the bracket", "1", EntryState.BEATEN),
        )
        for winner, loser in zip(names[::2], names[1::2], strict=True)
    ]
    rounds = [played, played[:4], played[:2], played[:1]]
    start = process_time()
    bracket(f"Cup {run}", ("Round of 16", "Quarter-finals", "Semi-finals", "Final"), rounds)
    return 1000 * (process_time() - start)


def _standings_ms(run: int) -> float:
    """Measure the picture of sixteen places, with new names, which are in no cache of texts."""
    ranks = [Rank(str(place), name, ("12½", "1.31", "2")) for place, name in enumerate(_long_names(run), 1)]
    start = process_time()
    standings_table(f"Cup {run}", ("Points", "Share", "Wins"), ranks)
    return 1000 * (process_time() - start)


def _long_names(run: int) -> list[str]:
    """Return names that fill their column."""
    return [f"Player {run}-{number} who has a long name" for number in range(MAX_ENTRIES)]


def _measure_rounds(profile: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Simulate an event; return the milliseconds of drawing each round of the first stage, and of the standings."""
    played = simulate_format(
        profile, PLAYER_COUNT, "bench", TrialConditions(dropouts=0.1), Parameters(rounds=ROUND_COUNT)
    ).event
    drawn, ranked = [], []
    for number, fact in enumerate(played.facts):
        if isinstance(fact, RoundDrawn) and fact.stage == 1:
            event = replay(played.specification, played.facts[:number])
            rounds_together.cache_clear()
            drawn.append(_milliseconds(due, event))
            ranked.append(_milliseconds(standings, event))
    return tuple(drawn), tuple(ranked)


def _milliseconds(work: Callable[[EventFold], object], event: EventFold) -> float:
    """Return the milliseconds of CPU time that a function takes."""
    before = process_time()
    work(event)
    return 1000 * (process_time() - before)
