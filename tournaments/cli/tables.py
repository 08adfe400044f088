"""Tables for ``docs/tournaments.md``: every field, and how well formats rank."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.formats import FORMATS
from tournaments.tables.fields import LEAST, MOST, table_sizes
from tournaments.trials.quality import quality
from tournaments.trials.simulation import Weather

ACROSS = 4
"""Fields in a row."""


def fields() -> Iterator[str]:
    """How every field divides, as a table in Markdown."""
    yield "|" + " players | tables |" * ACROSS
    yield "|" + "--:|---|" * ACROSS
    for start in range(LEAST, MOST + 1, ACROSS):
        cells = (f" {players} | {divided(players)} |" for players in range(start, start + ACROSS) if players <= MOST)
        row = "|" + "".join(cells)
        yield row + " | |" * (ACROSS - min(ACROSS, MOST + 1 - start))


def divided(players: int) -> str:
    """The tables of a field, as 2 x 4 + 3 x 3."""
    sizes = table_sizes(players)
    return " + ".join(f"{sizes.count(size)} x {size}" for size in (5, 4, 3) if size in sizes)


def ranking_quality(players: int, events: int) -> Iterator[str]:
    """How well every format ranks such a field, as a table in Markdown."""
    yield f"| format, {players} players | best first | best in four | correlation | games each | weeks |"
    yield "|---|--:|--:|--:|--:|--:|"
    for each in FORMATS.values():
        if each.least <= players <= each.most and not each.teams:
            found = quality(each.name, players, events, Weather())
            yield (
                f"| `{found.name}` | {found.best_first:.0%} | {found.best_in_four:.0%} | {found.correlation:.2f} | "
                f"{found.games:.1f} | {found.weeks:.0f} |"
            )
