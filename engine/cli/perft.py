"""Counting all ways to play on: what shows a wrong rule faster than anything else.

Where a count is wrong, the counts by first action say which action leads astray: compare two breakdowns, apply the
action that differs, and go one action deeper.
"""

from __future__ import annotations

from engine.position import Position


def perft(position: Position, depth: int) -> int:
    """In how many ways so many actions can follow; ways that end the game earlier do not count."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.legal_actions)
    return sum(divided(position, depth).values())


def divided(position: Position, depth: int) -> dict[str, int]:
    """The same by first action; those that differ in nothing but an amount together."""
    counts: dict[str, int] = {}
    for action in position.legal_actions:
        position.push(action)
        counts[action.group] = counts.get(action.group, 0) + perft(position, depth - 1)
        position.pop()
    return counts
