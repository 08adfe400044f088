"""Standings: who ranks where, by which values, and why one player is before another."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from tournaments.errors import EventRuleError
from tournaments.facts import DISQUALIFIED
from tournaments.ranking.sheets import AccountSheet
from tournaments.ranking.tiebreaks import OF_LEAVERS, TIE_BREAKS, with_leavers


@dataclass(frozen=True, slots=True)
class Line:
    """A player in the standings; the values in the order in which they decide."""

    player: int
    rank: int
    stage: int
    values: tuple[tuple[str, Fraction], ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one player is before another: the first value in which they differ, counted from 1, and both values.

    ``stage`` as the name says that the better one played a later stage; then the values are the stages' numbers.
    ``disqualified`` says that the other one was, ``counted`` that the other one was struck out, ``stayed`` that the
    other one left. None of these has a number, since no organiser put them in order.
    """

    before: int
    behind: int
    name: str
    number: int
    values: tuple[Fraction, Fraction]


def ranked(sheet: AccountSheet, players: Sequence[int], names: Sequence[str]) -> list[Line]:
    """The players by these tie-breaks; one that asks who is level is told those who are so far."""
    values: dict[int, list[tuple[str, Fraction]]] = {player: [] for player in players}
    order = _ordered(sheet, list(players), with_leavers(sheet, names), values)
    number = sheet.scene.state.number
    return [Line(player, rank, number, tuple(values[player])) for rank, player in enumerate(order, 1)]


def _ordered(
    sheet: AccountSheet, level: list[int], names: Sequence[str], values: dict[int, list[tuple[str, Fraction]]]
) -> list[int]:
    if not names:
        return level
    worth = OF_LEAVERS.get(names[0]) or TIE_BREAKS[names[0]]
    found = {player: worth(sheet, player, level) for player in level}
    order: list[int] = []
    for player in level:
        values[player].append((names[0], found[player]))
    for _, group in groupby(sorted(level, key=found.__getitem__, reverse=True), key=found.__getitem__):
        order += _ordered(sheet, list(group), names[1:], values)
    return order


def explain(lines: Sequence[Line], one: int, other: int, disqualified: Collection[int] = ()) -> Explanation:
    """Why one of two players is before the other; who was disqualified is behind all others."""
    by_player = {line.player: line for line in lines}
    for player in (one, other):
        if player not in by_player:
            raise EventRuleError("no-such-player", player=player)
    if one == other:
        raise EventRuleError("same-player", player=one)
    first, second = sorted((by_player[one], by_player[other]), key=lambda line: line.rank)
    if second.player in disqualified and first.player not in disqualified:
        return Explanation(first.player, second.player, DISQUALIFIED, 0, (Fraction(0), Fraction(1)))
    if first.stage != second.stage:
        stages = Fraction(first.stage), Fraction(second.stage)
        return Explanation(first.player, second.player, "stage", 0, stages)
    number = 0
    for (name, better), (_, worse) in zip(first.values, second.values, strict=False):
        number += name not in OF_LEAVERS
        if better != worse:
            place = 0 if name in OF_LEAVERS else number
            return Explanation(first.player, second.player, name, place, (better, worse))
    raise EventRuleError("level", one=one, other=other)
