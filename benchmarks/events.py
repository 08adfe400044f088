"""Duration of events: rounds and standings of the largest field, and their pictures. CPU time, as of the engine."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

from benchmarks.figures import Measurement
from renderers.events import MAX_ENTRIES, BracketSide, EntryState, Pairing, Rank, bracket, standings_table
from tournaments.event import EventFold, due, replay, standings
from tournaments.facts import RoundDrawn
from tournaments.specification import Parameters
from tournaments.tables.schedule import rounds_together
from tournaments.trials import TrialConditions, simulated

PLAYERS = 256
ROUNDS = 5
TABLES_MS = 2000.0
DUELS_MS = 8000.0
STANDINGS_MS = 50.0
PICTURE_MS = 150.0
PICTURES = 9


def figures() -> list[Measurement]:
    """A round of tables, all rounds of tables side by side, a round of duels; standings after each; pictures."""
    found = []
    for name, what, aim in (("swiss-tables", "tables", TABLES_MS), ("duel-swiss", "duels", DUELS_MS)):
        rounds, ranks = _rounds(name)
        found.append(Measurement(f"event {what} 256", rounds, "ms", aim))
        found.append(Measurement(f"event standings {what} 256", ranks, "ms", STANDINGS_MS))
    all_at_once = _rounds("tables")[0]
    found.append(Measurement("event tables 256 together", (all_at_once[0],), "ms", TABLES_MS))
    found.append(Measurement("event bracket picture", tuple(map(_bracket, range(PICTURES))), "ms", PICTURE_MS))
    found.append(Measurement("event standings picture", tuple(map(_table, range(PICTURES))), "ms", PICTURE_MS))
    return found


def _bracket(turn: int) -> float:
    """Milliseconds of a full bracket with names that were never written before."""
    names = _names(turn)
    played = [
        Pairing(
            BracketSide(f"{one} of the bracket", "2", EntryState.THROUGH),
            BracketSide(f"{other} of the bracket", "1", EntryState.BEATEN),
        )
        for one, other in zip(names[::2], names[1::2], strict=True)
    ]
    rounds = [played, played[:4], played[:2], played[:1]]
    start = process_time()
    bracket(f"Cup {turn}", ("Round of 16", "Quarter-finals", "Semi-finals", "Final"), rounds)
    return 1000 * (process_time() - start)


def _table(turn: int) -> float:
    """Milliseconds of sixteen places with names that were never written before."""
    ranks = [Rank(str(place), name, ("12½", "1.31", "2")) for place, name in enumerate(_names(turn), 1)]
    start = process_time()
    standings_table(f"Cup {turn}", ("Points", "Share", "Wins"), ranks)
    return 1000 * (process_time() - start)


def _names(turn: int) -> list[str]:
    """As long as names may be."""
    return [f"Player {turn}-{number} who has a long name" for number in range(MAX_ENTRIES)]


def _rounds(name: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Milliseconds of each round of the first stage, and of the standings right before it was drawn."""
    played = simulated(name, PLAYERS, "bench", TrialConditions(dropouts=0.1), Parameters(rounds=ROUNDS)).event
    drawn, ranked = [], []
    for number, fact in enumerate(played.facts):
        if isinstance(fact, RoundDrawn) and fact.stage == 1:
            event = replay(played.specification, played.facts[:number])
            rounds_together.cache_clear()
            drawn.append(_milliseconds(due, event))
            ranked.append(_milliseconds(standings, event))
    return tuple(drawn), tuple(ranked)


def _milliseconds(work: Callable[[EventFold], object], event: EventFold) -> float:
    before = process_time()
    work(event)
    return 1000 * (process_time() - before)
