"""Swiss rounds of duels meet the absolute criteria of the Dutch system, in the edition used by py4swiss.

The Dutch system is FIDE's way to pair players of equal scores. `dutch` draws a round from each player's past rounds;
a bye is a round without an opponent.
"""

from fractions import Fraction
from random import Random

import pytest

from tests.tournaments.dutch_rules import criteria_violations, legal_round
from tournaments.duels import dutch as dutch_module
from tournaments.duels.dutch import DutchRound, PastRound, dutch
from tournaments.errors import EventRuleError

HALF = Fraction(1, 2)
"""The points of a draw, and in some tournaments of a bye."""


class SwissTournament:
    """A Swiss tournament with random results and withdrawals."""

    def __init__(self, players: int, seed: int, bye: Fraction = Fraction(1)) -> None:
        self.random = Random(seed)
        self.players = list(range(players))
        self.pasts: dict[int, list[PastRound]] = {player: [] for player in self.players}
        self.active = frozenset(self.players)
        self.bye = bye

    def draw(self) -> DutchRound | None:
        """Draw the next round; None if no legal round is left."""
        return dutch(self.players, self.pasts, self.active, bye=self.bye, seed_begins=True)

    def play(self, drawn: DutchRound) -> None:
        """Give each game a random result."""
        for first_player, second_player in drawn.pairs:
            points = self.random.choice((Fraction(0), HALF, Fraction(1)))
            self.pasts[first_player].append(PastRound(second_player, first=True, points=points))
            self.pasts[second_player].append(PastRound(first_player, first=False, points=1 - points))
        if drawn.bye is not None:
            self.pasts[drawn.bye].append(PastRound(bye=True))
        longest = max(map(len, self.pasts.values()))
        for past in self.pasts.values():
            past.extend([PastRound()] * (longest - len(past)))
        self.active -= {player for player in self.active if self.random.random() < 0.03}


def check_rounds(players: int, seed: int, rounds: int) -> None:
    """Play some rounds and check each against the absolute criteria."""
    tournament = SwissTournament(players, seed, Fraction(1) if seed % 2 else HALF)
    for _ in range(rounds):
        if len(tournament.active) < 2:
            return
        drawn = tournament.draw()
        if drawn is None:
            assert len(tournament.active) > 10 or not legal_round(tournament.pasts, sorted(tournament.active))
            return
        assert criteria_violations(drawn, tournament.pasts, tournament.active) == []
        tournament.play(drawn)


@pytest.mark.parametrize("players", [4, 5, 7, 8, 11, 24])
@pytest.mark.parametrize("seed", range(2))
def test_rounds_keep_to_the_absolute_criteria(players: int, seed: int) -> None:
    check_rounds(players, seed, 8)


@pytest.mark.soak
@pytest.mark.parametrize("players", [*range(4, 41), 64, 128, 256])
@pytest.mark.parametrize("seed", range(10))
def test_rounds_of_many_events_keep_to_the_absolute_criteria(players: int, seed: int) -> None:
    check_rounds(players, seed, 12)


def test_no_legal_round_is_left_when_all_players_have_met() -> None:
    tournament = SwissTournament(4, 1)
    tournament.active = frozenset(tournament.players)
    met = [(0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)]
    for a, b, c, d in met:
        for first, second in ((a, b), (c, d)):
            tournament.pasts[first].append(PastRound(second, first=True, points=HALF))
            tournament.pasts[second].append(PastRound(first, first=False, points=HALF))
    assert tournament.draw() is None
    assert not legal_round(tournament.pasts, tournament.players)


def test_the_first_round_folds_the_field() -> None:
    drawn = SwissTournament(6, 1).draw()
    assert drawn == DutchRound(((0, 3), (4, 1), (2, 5)), None)


def test_the_last_player_has_the_first_bye() -> None:
    drawn = SwissTournament(5, 1).draw()
    assert drawn is not None
    assert drawn.bye == 4


def test_pairing_without_py4swiss_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dutch_module, "PY4SWISS_INSTALLED", False)
    with pytest.raises(EventRuleError) as refused:
        SwissTournament(6, 1).draw()
    assert refused.value.code == "no-dutch-pairing"


def test_the_independent_check_finds_violations() -> None:
    pasts = {
        0: [PastRound(1, first=True), PastRound(2, first=True)],
        1: [PastRound(0), PastRound(bye=True)],
        2: [PastRound(3, first=True), PastRound(0)],
        3: [PastRound(2), PastRound(4, first=True)],
        4: [PastRound(5, first=True), PastRound(5, first=True)],
    }
    violations = criteria_violations(DutchRound(((0, 4), (2, 3)), 1), pasts, frozenset(range(5)))
    assert [violation.split(":")[0] for violation in violations] == [
        "C.2",
        "C.3",
        "seats of 0 are three apart",
        "0 has the same seat three times",
        "C.1",
    ]
