"""Random games in which other seats begin: the same decisions give the same points, at the seats moved on as well."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine import Action, Resign, Setup
from engine.events import Scored
from tests.engine.every_game import LIVELY, luck, moves, setups


def moved_on(action: Action, seats: int, players: int) -> Action:
    """The action, done by the player so many seats further."""
    return Resign((action.player + seats) % players) if isinstance(action, Resign) else action


@given(setups(), luck(), st.integers(1, 5))
def test_permuted_seats_get_permuted_points(setup: Setup, seed: int, seats: int) -> None:
    players = setup.players
    other = LIVELY[setup.game].begun_by(setup, seats % players)
    for position, action, events in moves(setup, seed, resigning=True):
        again = other.apply(moved_on(action, seats, players))
        points = [(event.player, event.points) for event in events if isinstance(event, Scored)]
        moved = [((event.player - seats) % players, event.points) for event in again if isinstance(event, Scored)]
        # A tie pays its holders in the order of the seats, which is another one then.
        assert sorted(moved) == sorted(points)
        assert [other.scores[(seat + seats) % players] for seat in range(players)] == position.scores
        for piece, counts in position.supply.items():
            assert [other.supply[piece][(seat + seats) % players] for seat in range(players)] == counts
        assert other.player == (position.player if position.player < 0 else (position.player + seats) % players)
        assert len(other.legal_actions) == len(position.legal_actions)
