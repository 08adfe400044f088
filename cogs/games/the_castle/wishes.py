"""Preferences of The Castle by which the bot answers questions for a player.

Such an answer is called a *standing answer*. Even without preferences, the order of scoring is not asked for if every
order leads to the same result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from engine import Action, Pass
from engine.the_castle import ChooseFeature, Double, DoubleFeature, ExtraTurn, PlayAgain, Position, Triple, wall
from engine.the_castle.events import WallTileTaken

ORDER: Final = "castle.order"
DOUBLE: Final = "castle.double"
EXTRA: Final = "castle.extra"
ASK: Final = "ask"
MOST: Final = "most"
FEWEST: Final = "fewest"
AT_ONCE: Final = "at_once"
KEEP: Final = "keep"
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    ORDER: (ASK, MOST, FEWEST),
    DOUBLE: (ASK, AT_ONCE, KEEP),
    EXTRA: (ASK, AT_ONCE, KEEP),
}
"""The values of each preference, by its key in :attr:`host.Preferences.choices`; the first is the default."""
_MAX_COMPARED: Final = 4
"""The largest number of one player's features for which all orders of scoring are compared."""
_USING: Final = (Triple(), Double())
"""The actions that use wall tiles to multiply points, the greatest factor first."""
_Outcome: TypeAlias = tuple[object, ...]
"""All that the order of scoring can change, for comparison: doublings, points, sizes of keeps, wall tiles taken."""


def standing_answer(position: Position, choices: Mapping[str, str]) -> Action | None:
    """Return the answer of the player to move; None if they want to be asked."""
    match position.step:
        case ChooseFeature() as step:
            return _first_feature(position, step, choices.get(ORDER, ASK))
        case DoubleFeature():
            return _wall_tile_answer(position, choices.get(DOUBLE, ASK))
        case ExtraTurn():
            return _wall_tile_answer(position, choices.get(EXTRA, ASK))
        case _:
            return None


def _first_feature(position: Position, step: ChooseFeature, wish: str) -> Action | None:
    """Return the feature to score first."""
    ordered = [action for action, _ in sorted(step.options, key=lambda option: option[1])]
    match wish:
        case "most":
            return ordered[-1]
        case "fewest":
            return ordered[0]
        case _:
            return None if order_matters(position, step) else ordered[-1]


def _wall_tile_answer(position: Position, wish: str) -> Action | None:
    """Return the action that uses as many wall tiles as possible, or the one that keeps them."""
    match wish:
        case "at_once":
            offered = position.legal_actions
            return next((action for action in (*_USING, PlayAgain()) if action in offered), None)
        case "keep":
            return Pass()
        case _:
            return None


def order_matters(position: Position, step: ChooseFeature) -> bool:
    """Return True if it makes a difference which feature is scored first.

    It does if a marker comes to rest on a corner with a wall tile in one order only.
    """
    if len(step.options) > _MAX_COMPARED:
        return True
    outcomes_by_first = [set(_outcomes(_after(position, action), ())) for action, _ in step.options]
    return any(outcomes != outcomes_by_first[0] for outcomes in outcomes_by_first[1:])


def _after(position: Position, action: Action) -> tuple[Position, frozenset[tuple[int, int]]]:
    """Return the position after an action, and the players who have taken wall tiles, with their corners."""
    position_after = position.copy()
    tiles = [event for event in position_after.apply(action) if isinstance(event, WallTileTaken)]
    return position_after, frozenset((event.player, wall().corner_at[event.space]) for event in tiles)


def _outcomes(
    reached: tuple[Position, frozenset[tuple[int, int]]], doubled: tuple[tuple[str, str], ...]
) -> Iterator[_Outcome]:
    """Yield every outcome of the scoring, with the doublings on which it depends."""
    position, taken_tiles = reached
    match position.step:
        case ChooseFeature(options=options):
            answers: list[tuple[Action, tuple[tuple[str, str], ...]]] = [(action, doubled) for action, _ in options]
        case DoubleFeature(feature=feature):
            answers = [(action, (*doubled, (str(feature), str(action)))) for action in position.legal_actions]
        case _:
            keeps = tuple(keep.size if keep else 0 for keep in position.keeps)
            yield frozenset(doubled), tuple(position.scores), keeps, taken_tiles
            return
    for action, uses in answers:
        after, newly_taken = _after(position, action)
        yield from _outcomes((after, taken_tiles | newly_taken), uses)
