"""Serve a line protocol through which another program sets up a game and asks for moves.

It resembles UCI, the protocol of chess engines: ``game setup JSON`` sets up a game, ``moves M12/90 @road.W`` plays on,
``go`` asks for the best move, ``explain`` for the best ones with the parts of their values. ``docs/computer.md`` lists
all commands.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from computer.candidates import Candidate, comparable
from computer.players import Level, Player, UnknownPlayerError, strengths
from computer.versions import WEIGHTS_BY_VERSION, newest_version
from computer.weights import WeightsError
from engine import EngineError, Position, begin, parse_action, read_setup
from engine.notation.positions import format_position, parse_position
from engine.notation.records import read_record

NAME: Final = "Castellan"
"""The name with which the computer player introduces itself."""
CHOICES: Final = frozenset({"level", "version", "seed"})
"""The words that may follow ``go``, each with a value."""
END: Final = "end"
"""The line that ends a text of several lines."""


class ProtocolError(Exception):
    """A line is not a valid command; the message is sent to the other program."""


def serve(lines: Iterable[str]) -> Iterator[str]:
    """Yield the answers to the lines of another program, until it says ``quit`` or its lines end.

    A wrong line is answered by ``error …``, and the session continues.
    """
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
    """A conversation with one program, and the game that it has set up."""

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

    def answer(self, command: str, arguments: str) -> Iterator[str]:
        """Yield the lines that answer a command; ``arguments`` is the line after its first word.

        Raises:
            EngineError, ProtocolError, UnknownPlayerError: the command is wrong.
        """
        match command:
            case "computer":
                yield f"id name {NAME}"
                yield f"id version {newest_version()}"
                yield f"versions {' '.join(map(str, sorted(WEIGHTS_BY_VERSION)))}"
                yield f"levels {' '.join(Level)}"
                yield "computerok"
            case "isready":
                yield "readyok"
            case "game":
                self._position = self._game(arguments)
            case "moves":
                self._play(self.position, arguments.split())
            case "go":
                yield from self._go(arguments.split())
            case "explain":
                yield from self._explain(arguments.split())
            case "show":
                yield from format_position(self.position).splitlines()
                yield END
            case _:
                raise ProtocolError(f"unknown command {command!r}")

    def _game(self, arguments: str) -> Position:
        """Read a setup with moves from this line, or a record or position from the lines that follow."""
        kind, _, text = arguments.partition(" ")
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
        """Read lines up to the one that says ``end``, and return them as one text."""
        text = []
        for line in self.lines:
            if line.strip() == END:
                break
            text.append(line.rstrip("\n"))
        return "\n".join(text) + "\n"

    @staticmethod
    def _play(position: Position, moves: Sequence[str]) -> None:
        """Play these moves on a position."""
        for move in moves:
            position.apply(parse_action(move))

    def _go(self, words: Sequence[str]) -> Iterator[str]:
        """Yield the number of evaluations, and the best move with its value and the moves expected after it."""
        position = self.position
        if position.step is None:
            raise ProtocolError("the game is over")
        seed = ""
        match words:
            case ["nodes", count] if _is_number(count):
                strength = strengths(position.players)[Level.STANDARD]._replace(evaluations=int(count))
                player = Player(Level.STANDARD, strength=strength)
            case _ if len(words) % 2 == 0 and CHOICES.issuperset(words[::2]):
                chosen_words = dict(zip(words[::2], words[1::2], strict=True))
                player, seed = _player(chosen_words), chosen_words.get("seed", "")
            case _:
                raise ProtocolError("go [level L] [version V] [seed S], or go nodes N")
        chosen, evaluations = player.decide(position, seed)
        line = _line(chosen)
        yield f"info nodes {evaluations} value {chosen.value:.2f} line {line}"
        yield f"bestmove {chosen.action} value {chosen.value:.2f} line {line}"

    def _explain(self, words: Sequence[str]) -> Iterator[str]:
        """Yield the best moves as they are valued one move deep, the best first, each with the parts of its value."""
        match words:
            case [count] if _is_number(count):
                player = Player(Level.QUICK)
            case [count, "level", name] if _is_number(count):
                player = Player.parse(name)
            case _:
                raise ProtocolError("explain N [level L]")
        if self.position.step is None:
            raise ProtocolError("the game is over")
        candidates = sorted(player.candidates(self.position), key=lambda candidate: -comparable(candidate.value))
        for candidate in candidates[: int(count)]:
            parts = json.dumps({name: round(value, 2) for name, value in candidate.parts.items()})
            yield f"candidate value {candidate.value:.2f} line {_line(candidate)} parts {parts}"
        yield "explained"


def _player(choices: Mapping[str, str]) -> Player:
    """Return the player of a level and, where one is named, of a version.

    Raises:
        UnknownPlayerError: there is no such level or version.
    """
    player = Player.parse(choices.get("level", Level.QUICK))
    version = choices.get("version")
    if version is None:
        return player
    weights = {str(number): name for number, name in WEIGHTS_BY_VERSION.items()}.get(version)
    if weights is None:
        raise UnknownPlayerError(f"no version {version!r}")
    return replace(player, weights=weights)


def _line(candidate: Candidate) -> str:
    """Return the actions of a candidate as text: its own, and the one that is assumed to follow."""
    return " ".join(str(action) for action in (candidate.action, candidate.follow_up) if action is not None)


def _is_number(word: str) -> bool:
    """Return whether a word of a command is a number."""
    return word.isascii() and word.isdecimal()
