"""Whole games as text (``docs/notation.md``): the setup, every action, and each card at the moment it was revealed.

A :class:`Record` of an unfinished game holds neither the seed nor the order of what lies face down.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.actions import Action, Seat, seats
from engine.errors import NotationError
from engine.games import GAMES, begin, replay
from engine.grammar.tags import VERSION_KEY, Tag, tags_text
from engine.notation.positions import setup_tags
from engine.position import Position
from engine.setup import Setup

VERSION: Final = "record 1"
"""The value of the first tag."""
UNFINISHED: Final = "*"
"""The end of the record of an unfinished game."""
POINTS: Final = "="
"""The first character of the end of a finished game's record; the points follow."""
RESULT_SIGNS: Final = frozenset({UNFINISHED, POINTS})
"""The characters with which the end of a record can begin."""
MAX_NAME_LENGTH: Final = 100
"""The most characters of a name or title."""
MAX_LINE_LENGTH: Final = 100
"""The most characters of a line of moves, unless a single token is longer."""

Decks = Mapping[str, tuple[str, ...]]
SeenCards = Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The public record of a game, running or over; :meth:`of` creates one.

    While the game is running, the ``setup`` has no seed, and cards that lie face down are sorted by name.
    ``commitment`` is that of the true setup. ``names`` are the players' names by seat, or empty.

    Raises:
        NotationError: a name or title is not :func:`clean_name`, or the names are not as many as the players.
    """

    setup: Setup
    actions: tuple[Action, ...]
    commitment: str
    names: tuple[str, ...] = ()
    title: str = ""

    def __post_init__(self) -> None:
        if len(self.names) not in {0, self.setup.players}:
            raise NotationError(f"{len(self.names)} names for {self.setup.players} players")
        for name in (*self.names, self.title or "-"):
            if name != clean_name(name):
                raise NotationError(f"not a name: {name!r}")

    @staticmethod
    def of(setup: Setup, actions: Iterable[Action], *, names: Iterable[str] = (), title: str = "") -> Record:
        """Create the record of a game.

        Raises:
            IllegalActionError: an action is not legal.
        """
        log = tuple(actions)
        position = replay(setup, log)
        return Record(
            setup=setup if position.is_over else _without_secrets(position),
            actions=log,
            commitment=setup.commitment,
            names=tuple(map(clean_name, names)),
            title=clean_name(title) if title else "",
        )

    def position(self, ply: int | None = None) -> Position:
        """Return the position after ``ply`` actions, or after all."""
        return replay(self.setup, self.actions[:ply])


def clean_name(name: str) -> str:
    """Return a name in the form that records allow: no control characters, stripped, not empty, not too long."""
    signs = "".join(sign for sign in name if unicodedata.category(sign) not in {"Cc", "Cs"})
    return signs.strip()[:MAX_NAME_LENGTH].strip() or "?"


def _without_secrets(position: Position) -> Setup:
    notation = GAMES[position.setup.game].notation
    decks = notation.decks(position.setup)
    known = revealed_cards(decks, notation.revealed(position))
    setup: Setup = notation.with_decks(position.setup, fill_decks(decks, known), seed="")
    return setup


def revealed_cards(decks: Decks, seen: SeenCards) -> dict[str, dict[int, str]]:
    """Return the revealed cards by deck and index."""
    return {name: {at: deck[at] for at in seen[name]} for name, deck in decks.items()}


def fill_decks(decks: Decks, known: Mapping[str, Mapping[int, str]]) -> dict[str, tuple[str, ...]]:
    """Return the decks with the known cards at their indices and their other cards sorted by name."""
    return {name: _filled(deck, known.get(name, {})) for name, deck in decks.items()}


def _filled(deck: tuple[str, ...], known: Mapping[int, str]) -> tuple[str, ...]:
    rest = sorted(deck)
    for card in known.values():
        rest.remove(card)
    others = iter(rest)
    return tuple(known[at] if at in known else next(others) for at in range(len(deck)))


# -- chance -----------------------------------------------------------------------------------------------------------


class RevealTracker:
    """An observer of a game that reports the cards that are revealed."""

    def __init__(self, position: Position) -> None:
        notation = GAMES[position.setup.game].notation
        self._look: Callable[[Position], SeenCards] = notation.revealed
        self._decks = notation.decks(position.setup)
        self._count = PileCursor(next(iter(self._decks)))
        self._everything: SeenCards = {name: range(len(deck)) for name, deck in self._decks.items()}
        self._seen: SeenCards = dict.fromkeys(self._decks, range(0))

    def new_tokens(self, position: Position) -> list[str]:
        """Return the tokens of cards revealed since the last call; of all remaining cards once the game is over."""
        seen = self._look(position) if position.agenda else self._everything
        if seen == self._seen:
            return []
        new = [(deck, at) for deck, places in seen.items() for at in _since(self._seen[deck], places)]
        self._seen = seen
        return [self._count.token(deck, at, self._decks[deck][at]) for deck, at in new]


class PileCursor:
    """The index of the first unrevealed card of the pile, whose token needs no index."""

    def __init__(self, pile: str) -> None:
        self.pile = pile
        self.next = 0
        self._ahead: set[int] = set()

    def mark_revealed(self, at: int) -> None:
        """Note that a card of the pile has been revealed."""
        self._ahead.add(at)
        while self.next in self._ahead:
            self._ahead.remove(self.next)
            self.next += 1

    def token(self, deck: str, at: int, card: str) -> str:
        """Return the token of a revealed card."""
        if deck != self.pile:
            return f"+{deck}.{at + 1}={card}"
        first = at == self.next
        self.mark_revealed(at)
        return f"+{card}" if first else f"+{deck}.{at + 1}={card}"


def _since(before: Sequence[int], now: Sequence[int]) -> Sequence[int]:
    """Return the indices that are new; fast for ranges with the same start."""
    if isinstance(before, range) and isinstance(now, range) and before.start == now.start:
        return now[len(before) :]
    shown = set(before)
    return [at for at in now if at not in shown]


# -- writing ----------------------------------------------------------------------------------------------------------


def format_record(record: Record) -> str:
    """Return the record as text; it never contains what lies face down, whatever the record's setup holds.

    Raises:
        IllegalActionError: an action is not legal.
    """
    moves, end = _moves(record)
    over = end != UNFINISHED
    return tags_text(_tags(record, over=over)) + "\n" + "\n".join([*_laid_out(moves), end]) + "\n"


def _tags(record: Record, *, over: bool) -> Iterator[Tag]:
    setup = record.setup
    yield Tag(VERSION_KEY, VERSION)
    yield from setup_tags(setup)
    if record.title:
        yield Tag("Title", record.title)
    yield from (Tag(seat_key(seat), name) for seat, name in zip(seats(setup.players), record.names, strict=False))
    yield Tag("Commitment", record.commitment)
    if over:
        yield Tag("Seed", setup.seed)


def seat_key(seat: Seat) -> str:
    """Return the key of the tag with a player's name."""
    return f"Seat{chr(ord('A') + seat)}"


def result(position: Position) -> str:
    """Return the end of the record of a finished game: ``=54:48``."""
    return f"{POINTS}{':'.join(map(str, position.scores))}"


def _moves(record: Record) -> tuple[list[tuple[int, list[str]]], str]:
    """Return the moves by lines, each with the ply of its first action, and the end; revealed cards begin a line."""
    position = begin(record.setup)
    chance = RevealTracker(position)
    lines = [(1, chance.new_tokens(position))]
    for action in record.actions:
        lines[-1][1].append(str(action))
        position.apply(action)
        news = chance.new_tokens(position)
        if news:
            lines.append((position.ply + 1, news))
    return lines, result(position) if position.is_over else UNFINISHED


def _laid_out(moves: Iterable[tuple[int, list[str]]]) -> Iterator[str]:
    for first, tokens in moves:
        ply, line = first, f"{first}."
        for token in tokens:
            if len(line) + len(token) >= MAX_LINE_LENGTH:
                yield line
                line = f"{ply}."
            line += f" {token}"
            ply += not token.startswith("+")
        yield line
