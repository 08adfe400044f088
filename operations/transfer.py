"""Rows on their way from one database to another: what is checked before, and what after."""

from __future__ import annotations

from itertools import islice
from typing import Final

from host import SystemClock
from host.operating.operators import Finding, broken_games, try_to_open
from operations.settings import SettingsError
from operations.telling import Progress
from store import Transaction, whole_database

SHOWN: Final = 20
"""Lines of what is wrong that are shown."""


async def check_fits(tx: Transaction) -> None:
    """Make sure that every database takes all values.

    Raises:
        SettingsError: names those that would be refused.
    """
    wrong = [f"{misfit.where}: {misfit.why}" async for misfit in whole_database.misfits(tx)]
    if wrong:
        raise SettingsError(*_shortened(wrong), "nothing was written: correct these values first")


async def compare_counts(old: Transaction, new: Transaction) -> None:
    """Make sure that each table has as many rows as it had.

    Raises:
        SettingsError: one has not.
    """
    before, after = await whole_database.counts(old), await whole_database.counts(new)
    wrong = [f"{name}: {after[name]} rows of {count}" for name, count in before.items() if after[name] != count]
    if wrong:
        raise SettingsError(*wrong, "nothing was written")


async def check_replays(tx: Transaction, progress: Progress) -> list[Finding]:
    """Make sure that every unfinished game leads to what is stored; those that rest anyway, because they do not.

    Raises:
        SettingsError: one that runs does not.
    """
    found = [finding async for finding in broken_games(tx, progress.games)]
    resting = [finding for finding in found if finding.rests]
    wrong = [str(finding) for finding in found if not finding.rests]
    if wrong:
        raise SettingsError(*_shortened(wrong), "nothing was written: freeze or close these games first")
    return resting


async def try_it(tx: Transaction) -> None:
    """Open a game, and give it up again: whoever plays next will be able to."""
    nested = await tx.begin_nested()
    await try_to_open(tx, SystemClock().now())
    await nested.rollback()


def _shortened(lines: list[str]) -> list[str]:
    more = len(lines) - SHOWN
    return [*islice(lines, SHOWN), *([f"… and {more} more"] if more > 0 else [])]
