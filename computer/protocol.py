"""The line protocol, in the manner of UCI: a program sets up a game and asks for a move (``docs/computer.md``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from computer.candidates import best
from computer.players import Level, Player, UnknownPlayerError
from computer.weights import WeightsError
from engine import EngineError, Position, begin, parse_action, read_setup
from engine.notation.positions import format_position, parse_position
from engine.notation.records import read_record

NAME: Final = "Castellan"
END: Final = "end"
"""The line that ends a text of several lines."""


class ProtocolError(Exception):
    """A line cannot be understood; the message is for the other program."""


def serve(lines: Iterable[str]) -> Iterator[str]:
    """Answer a program line by line until it says ``quit`` or has nothing more to say."""
    session = Session(iter(lines))
    for line in session.lines:
        words = line.split()
        if not words:
            continue
        if words[0] == "quit":
            return
        try:
            yield from session.answer(words[0], line.strip()[len(words[0]) :].strip())
        except (EngineError, ProtocolError, UnknownPlayerError, WeightsError) as error:
            yield f"error {error}"


class Session:
    """The game that the other program has set up."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.lines = lines
        self._position: Position | None = None

    @property
    def position(self) -> Position:
        """The position that was set up.

        Raises:
            ProtocolError: there is none.
        """
        if self._position is None:
            raise ProtocolError("no game: say game first")
        return self._position

    def answer(self, command: str, rest: str) -> Iterator[str]:
        """Yield the answer to a command.

        Raises:
            EngineError, ProtocolError, UnknownPlayerError: it is wrong.
        """
        match command:
            case "computer":
                yield f"id name {NAME}"
                yield f"levels {' '.join(Level)}"
                yield "computerok"
            case "isready":
                yield "readyok"
            case "game":
                self._position = self._game(rest)
            case "moves":
                self._play(self.position, rest.split())
            case "go":
                yield from self._go(rest.split())
            case "show":
                yield from format_position(self.position).splitlines()
                yield END
            case _:
                raise ProtocolError(f"unknown command {command!r}")

    def _game(self, rest: str) -> Position:
        """Read a setup with moves, or the text of a record or position in the lines that follow."""
        kind, _, text = rest.partition(" ")
        match kind:
            case "setup":
                setup, _, moves = text.partition(" moves")
                position = begin(read_setup(setup))
                self._play(position, moves.split())
                return position
            case "record":
                return read_record(self._text()).position()
            case "position":
                return parse_position(self._text())
            case _:
                raise ProtocolError("game setup JSON [moves …], game record or game position")

    def _text(self) -> str:
        text = []
        for line in self.lines:
            if line.strip() == END:
                break
            text.append(line.rstrip("\n"))
        return "\n".join(text) + "\n"

    @staticmethod
    def _play(position: Position, moves: Sequence[str]) -> None:
        for move in moves:
            position.apply(parse_action(move))

    def _go(self, words: Sequence[str]) -> Iterator[str]:
        """Yield the candidates, best first, and the best move with the moves expected after it."""
        position = self.position
        if position.step is None:
            raise ProtocolError("the game is over")
        match words:
            case []:
                player = Player(Level.QUICK)
            case ["level", name]:
                player = Player.parse(name)
            case ["nodes", count] if count.isascii() and count.isdecimal():
                player = Player(Level.QUICK)  # every budget is enough for one ply, and there is nothing deeper yet
            case _:
                raise ProtocolError("go [level L | nodes N]")
        candidates = player.candidates(position)
        chosen = best(candidates) if candidates else player.decide(position).chosen
        line = " ".join(str(action) for action in (chosen.action, chosen.follow_up) if action is not None)
        yield f"info nodes {len(candidates)} value {chosen.value:.2f} line {line}"
        yield f"bestmove {chosen.action} value {chosen.value:.2f} line {line}"
