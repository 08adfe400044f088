"""The first knock-out round after groups: players of the same group do not meet where that can be avoided.

Slots are the places of a knock-out bracket from top to bottom; neighbours meet, and a player beside an empty slot has
a bye.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from tests.tournaments.invariants import ROUGH_CONDITIONS
from tournaments.facts import EMPTY_SLOT
from tournaments.specification import Parameters
from tournaments.stages.knockout import first_slots, separate_groups
from tournaments.states import StageContext, StagePlan, StageState
from tournaments.trials import simulate_format


def first_round_pairs(slots: Sequence[int]) -> list[tuple[int, int]]:
    """Return the players who meet in the first round."""
    return [pair for pair in zip(slots[::2], slots[1::2], strict=True) if EMPTY_SLOT not in pair]


def count_same_group_pairs(slots: Sequence[int], groups: dict[int, int]) -> int:
    """Count the pairs whose players come from the same group."""
    return sum(
        groups[first_player] == groups[second_player] for first_player, second_player in first_round_pairs(slots)
    )


def fewest_same_group_pairs(players: list[int], groups: dict[int, int]) -> int:
    """Return the fewest pairs of one group over all pairings of these players."""
    if not players:
        return 0
    first_player, *others = players
    return min(
        (groups[first_player] == groups[opponent])
        + fewest_same_group_pairs([player for player in others if player != opponent], groups)
        for opponent in others
    )


@pytest.mark.parametrize("seed", range(60))
def test_no_other_pairing_has_fewer_pairs_of_one_group(seed: int) -> None:
    rng = Random(seed)
    count = rng.randrange(4, 11)
    groups = {player: rng.randrange(rng.randrange(1, 5)) for player in range(count)}
    context = StageContext(
        StageState(2, StagePlan("knock-out", "knockout"), list(range(count))), Parameters(), (), "", frozenset(), groups
    )
    before = first_slots(context.state.entrants)
    after = separate_groups(list(before), context)
    assert sorted(after) == sorted(before)
    assert [place for place, player in enumerate(after) if player == EMPTY_SLOT] == [
        place for place, player in enumerate(before) if player == EMPTY_SLOT
    ]
    playing = [player for pair in first_round_pairs(before) for player in pair]
    assert count_same_group_pairs(after, groups) == fewest_same_group_pairs(playing, groups)
    if not count_same_group_pairs(before, groups):
        assert after == before


@pytest.mark.parametrize("players", [6, 8, 9, 12, 16, 17, 33, 64, 100])
def test_groups_are_kept_apart_in_simulated_events(players: int) -> None:
    event = simulate_format("duel-groups", players, "apart", ROUGH_CONDITIONS).event
    groups = {player: number for number, pool in enumerate(event.stages[0].pools()) for player in pool}
    slots = event.stages[1].rounds[0].slots
    assert count_same_group_pairs(slots, groups) == 0
