"""Swiss rounds of duels keep to the absolute criteria of the edition that py4swiss follows."""

from fractions import Fraction
from random import Random

import pytest

from tests.tournaments.dutch_rules import broken, legal_round
from tournaments.duels import dutch as module
from tournaments.duels.dutch import DutchRound, PastRound, dutch
from tournaments.errors import EventRuleError

HALF = Fraction(1, 2)


class Swiss:
    """A Swiss tournament with lots for results."""

    def __init__(self, players: int, seed: int, bye: Fraction = Fraction(1)) -> None:
        self.random = Random(seed)
        self.players = list(range(players))
        self.pasts: dict[int, list[PastRound]] = {player: [] for player in self.players}
        self.active = frozenset(self.players)
        self.bye = bye

    def draw(self) -> DutchRound | None:
        return dutch(self.players, self.pasts, self.active, bye=self.bye, seed_begins=True)

    def play(self, drawn: DutchRound) -> None:
        for one, other in drawn.pairs:
            points = self.random.choice((Fraction(0), HALF, Fraction(1)))
            self.pasts[one].append(PastRound(other, first=True, points=points))
            self.pasts[other].append(PastRound(one, first=False, points=1 - points))
        if drawn.bye is not None:
            self.pasts[drawn.bye].append(PastRound(bye=True))
        longest = max(map(len, self.pasts.values()))
        for past in self.pasts.values():
            past.extend([PastRound()] * (longest - len(past)))
        self.active -= {player for player in self.active if self.random.random() < 0.03}


def check(players: int, seed: int, rounds: int) -> None:
    swiss = Swiss(players, seed, Fraction(1) if seed % 2 else HALF)
    for _ in range(rounds):
        if len(swiss.active) < 2:
            return
        drawn = swiss.draw()
        if drawn is None:
            assert len(swiss.active) > 10 or not legal_round(swiss.pasts, sorted(swiss.active))
            return
        assert broken(drawn, swiss.pasts, swiss.active) == []
        swiss.play(drawn)


@pytest.mark.parametrize("players", [4, 5, 7, 8, 11, 24])
@pytest.mark.parametrize("seed", range(2))
def test_rounds_keep_to_the_absolute_criteria(players: int, seed: int) -> None:
    check(players, seed, 8)


@pytest.mark.soak
@pytest.mark.parametrize("players", [*range(4, 41), 64, 128, 256])
@pytest.mark.parametrize("seed", range(10))
def test_rounds_of_many_events_keep_to_the_absolute_criteria(players: int, seed: int) -> None:
    check(players, seed, 12)


def test_no_legal_round_is_left_when_everybody_has_met_everybody() -> None:
    swiss = Swiss(4, 1)
    swiss.active = frozenset(swiss.players)
    met = [(0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)]
    for one, two, three, four in met:
        for first, second in ((one, two), (three, four)):
            swiss.pasts[first].append(PastRound(second, first=True, points=HALF))
            swiss.pasts[second].append(PastRound(first, first=False, points=HALF))
    assert swiss.draw() is None
    assert not legal_round(swiss.pasts, swiss.players)


def test_the_first_round_folds_the_field() -> None:
    drawn = Swiss(6, 1).draw()
    assert drawn == DutchRound(((0, 3), (4, 1), (2, 5)), None)


def test_the_last_one_rests_first() -> None:
    drawn = Swiss(5, 1).draw()
    assert drawn is not None
    assert drawn.bye == 4


def test_without_the_package_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PY4SWISS_INSTALLED", False)
    with pytest.raises(EventRuleError) as refused:
        Swiss(6, 1).draw()
    assert refused.value.code == "no-dutch-pairing"


def test_the_checker_sees_what_is_broken() -> None:
    pasts = {
        0: [PastRound(1, first=True), PastRound(2, first=True)],
        1: [PastRound(0), PastRound(bye=True)],
        2: [PastRound(3, first=True), PastRound(0)],
        3: [PastRound(2), PastRound(4, first=True)],
        4: [PastRound(5, first=True), PastRound(5, first=True)],
    }
    told = broken(DutchRound(((0, 4), (2, 3)), 1), pasts, frozenset(range(5)))
    assert [each.split(":")[0] for each in told] == [
        "C.2",
        "C.3",
        "seats of 0 are three apart",
        "0 has the same seat three times",
        "C.1",
    ]
