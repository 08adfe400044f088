"""After groups: nobody meets somebody of the same group in the first knock-out round where that can be avoided."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from tests.tournaments.invariants import ROUGH_CONDITIONS
from tournaments.facts import EMPTY_SLOT
from tournaments.specification import Parameters
from tournaments.stages.knockout import first_slots, separate_groups
from tournaments.states import StageContext, StagePlan, StageState
from tournaments.trials import simulated


def pairs(slots: Sequence[int]) -> list[tuple[int, int]]:
    return [two for two in zip(slots[::2], slots[1::2], strict=True) if EMPTY_SLOT not in two]


def clashes(slots: Sequence[int], groups: dict[int, int]) -> int:
    return sum(groups[one] == groups[other] for one, other in pairs(slots))


def fewest(players: list[int], groups: dict[int, int]) -> int:
    """The least pairs of one group among all ways to pair these players."""
    if not players:
        return 0
    one, *rest = players
    return min(
        (groups[one] == groups[other]) + fewest([each for each in rest if each != other], groups) for other in rest
    )


@pytest.mark.parametrize("seed", range(60))
def test_no_other_pairing_has_fewer_of_one_group(seed: int) -> None:
    random = Random(seed)
    count = random.randrange(4, 11)
    groups = {player: random.randrange(random.randrange(1, 5)) for player in range(count)}
    context = StageContext(
        StageState(2, StagePlan("knock-out", "knockout"), list(range(count))), Parameters(), (), "", frozenset(), groups
    )
    before = first_slots(context.state.entrants)
    after = separate_groups(list(before), context)
    assert sorted(after) == sorted(before)
    assert [place for place, player in enumerate(after) if player == EMPTY_SLOT] == [
        place for place, player in enumerate(before) if player == EMPTY_SLOT
    ]
    playing = [player for two in pairs(before) for player in two]
    assert clashes(after, groups) == fewest(playing, groups)
    if not clashes(before, groups):
        assert after == before


@pytest.mark.parametrize("players", [6, 8, 9, 12, 16, 17, 33, 64, 100])
def test_in_events_groups_are_apart(players: int) -> None:
    event = simulated("duel-groups", players, "apart", ROUGH_CONDITIONS).event
    groups = {player: number for number, pool in enumerate(event.stages[0].pools()) for player in pool}
    slots = event.stages[1].rounds[0].slots
    assert clashes(slots, groups) == 0
