"""Seat symmetry in random games: if another seat begins, the same decisions give the same points, rotated by seats.

The same random decisions are played twice, the second time with all players moved on by some seats. No rule may prefer
a seat.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine import Action, Resign, Setup
from engine.events import Scored
from tests.engine.every_game import RANDOM_GAMES, play_moves, seeds, setups


def shift_seat(action: Action, shift: int, players: int) -> Action:
    """Return the action for the player so many seats further."""
    return Resign((action.player + shift) % players) if isinstance(action, Resign) else action


@given(setups(), seeds(), st.integers(1, 5))
def test_rotated_seats_get_rotated_points(setup: Setup, seed: int, shift: int) -> None:
    players = setup.players
    other = RANDOM_GAMES[setup.game].start_from_seat(setup, shift % players)
    for position, action, events in play_moves(setup, seed, resigning=True):
        other_events = other.apply(shift_seat(action, shift, players))
        points = [(event.player, event.points) for event in events if isinstance(event, Scored)]
        shifted_back = [
            ((event.player - shift) % players, event.points) for event in other_events if isinstance(event, Scored)
        ]
        # A tie pays its owners in the order of the seats, which differs after the rotation.
        assert sorted(shifted_back) == sorted(points)
        assert [other.scores[(seat + shift) % players] for seat in range(players)] == position.scores
        for piece, counts in position.supply.items():
            assert [other.supply[piece][(seat + shift) % players] for seat in range(players)] == counts
        assert other.player == (position.player if position.player < 0 else (position.player + shift) % players)
        assert len(other.legal_actions) == len(position.legal_actions)
