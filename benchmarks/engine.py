"""How fast the rules are: whole random games, listing and applying through the checked interface."""

from __future__ import annotations

from random import Random

from benchmarks.figures import Figure, timed
from engine import replay
from engine.carcassonne import Position
from engine.carcassonne.expansions import BCB
from engine.selfplay import random_action, random_game
from engine.carcassonne.setup import new_setup

GAMES = 200
_SETS = (("base-2p", (), 2, 4.0), ("bcb-2p", (BCB,), 2, 9.0), ("bcb-3p", (BCB,), 3, 13.0), ("bcb-4p", (BCB,), 4, 18.0))


def _game(expansions: tuple[str, ...], players: int, number: int) -> None:
    random_game(new_setup(players=players, seed=f"bench {number}", expansions=expansions), Random(number))


def _turn(position: Position, random: Random) -> int:
    """Push actions until another tile comes up; how many."""
    turn, pushed = position.turn, 0
    while position.step is not None and position.turn == turn:
        position.push(random_action(position, random))
        pushed += 1
    return pushed


def _undo_samples() -> tuple[float, ...]:
    """Milliseconds of taking one turn back, mid-game."""
    position, _ = random_game(new_setup(players=4, seed="undo"), Random(1), plies=120)
    random = Random(2)
    samples: list[float] = []
    for _ in range(GAMES):
        pushed = _turn(position, random)

        def undo(_: int, count: int = pushed) -> None:
            for _step in range(count):
                position.pop()

        samples += timed(undo, repeat=1, warm_up=0)
    return tuple(samples)


def figures() -> list[Figure]:
    """Games, replay, copy and undo."""
    found = []
    for name, sets, players, aim in _SETS:

        def game(number: int, expansions: tuple[str, ...] = sets, seats: int = players) -> None:
            _game(expansions, seats, number)

        found.append(Figure(f"engine {name}", timed(game, repeat=GAMES), "ms", aim))
    setup = new_setup(players=4, seed="replay")
    _, log = random_game(setup, Random(3))
    found.append(Figure("engine replay-bcb-4p", timed(lambda _: replay(setup, log), repeat=GAMES), "ms", 6.0))
    middle, _ = random_game(setup, Random(3), plies=len(log) // 2)
    found.append(Figure("engine copy", timed(lambda _: middle.copy(), repeat=GAMES * 5), "ms", 0.015))
    found.append(Figure("engine undo", _undo_samples(), "ms", 0.030))
    return found
