"""Editions, and the rules that a table chooses besides.

An edition decides what editions differ in. All else, such as a draft or a game without farmers, is a table's own
choice: another edition says nothing about it, so it stays. A single rule that the edition does decide goes, and it is
told.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cogs.words.table_options import options_in_play
from engine import GAMES


def decided(game: str) -> frozenset[str]:
    """The options in which editions of a game differ."""
    first, *others = [options.mapping() for options in GAMES[game].presets.values()]
    return frozenset(name for name, value in first.items() if any(other[name] != value for other in others))


def alike(game: str, expansions: tuple[str, ...]) -> bool:
    """Whether all editions play these expansions in the same way."""
    return not decided(game) & {entry.name for entry in options_in_play(game, expansions)}


def with_edition(game: str, options: Mapping[str, Any], preset: str) -> dict[str, Any]:
    """The options (those that differ from the standard) as an edition has them, with the table's own choices."""
    own = {name: value for name, value in options.items() if name not in decided(game)}
    return GAMES[game].options.of({**GAMES[game].presets[preset].differences(), **own}).differences()


def without_own(game: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options without the table's own choices."""
    return {name: value for name, value in options.items() if name in decided(game)}


def is_chosen(game: str, expansions: tuple[str, ...], options: Mapping[str, Any], preset: str) -> bool:
    """Whether a table plays like an edition, whatever it chooses besides."""
    return not changed(game, expansions, options, preset)


def own_choices(game: str, expansions: tuple[str, ...], options: Mapping[str, Any]) -> dict[str, Any]:
    """What a table has chosen besides its edition, of what makes a difference."""
    names = [entry.name for entry in options_in_play(game, expansions)]
    return {name: options[name] for name in names if name in options and name not in decided(game)}


def changed(
    game: str, expansions: tuple[str, ...], options: Mapping[str, Any], preset: str
) -> dict[str, tuple[Any, Any]]:
    """What changes when an edition is chosen, of what makes a difference: the value before, and the edition's."""
    before, after = GAMES[game].options.of(options).mapping(), GAMES[game].presets[preset].mapping()
    names = [entry.name for entry in options_in_play(game, expansions) if entry.name in decided(game)]
    return {name: (before[name], after[name]) for name in names if before[name] != after[name]}
