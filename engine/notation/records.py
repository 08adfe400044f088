"""Write and read whole games as text (``docs/notation.md``).

The text has the setup as tags, every action, and each shuffled card at the moment it was revealed: ``1. +base/A M12/90
@city.N``. A token that begins with ``+`` is a card, ``1.`` the number (ply) of the next action. A :class:`Record` of an
unfinished game holds neither the seed nor the order of what lies face down.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from engine.actions import Action, Seat, seats
from engine.errors import EngineError, NotationError
from engine.games import GAMES, begin, parse_action, replay
from engine.grammar.tags import COMMENT, VERSION_KEY, NumberedLine, RecordError, Tag, Tags, lines_of, quoted, tags_text
from engine.notation.positions import read_setup, read_version, setup_tags
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
"""The shuffled cards or tiles by the name of their deck."""
RevealedIndices = Mapping[str, Sequence[int]]
"""The indices of the revealed cards by the name of their deck."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The public record of a game, running or over; :meth:`of` creates one.

    While the game is running, the ``setup`` has no seed, and cards that lie face down are sorted by name.
    ``commitment`` is that of the true setup: a hash of its seed and of the order of its cards. ``names`` are the
    players' names by seat, or empty.

    Raises:
        NotationError: a name or title is not in the form of :func:`clean_name`, or the number of names is wrong.
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
    """Return the setup of a running game without its seed, and with its face-down cards sorted."""
    notation = GAMES[position.setup.game].notation
    decks = notation.decks(position.setup)
    revealed = revealed_cards(decks, notation.revealed(position))
    setup: Setup = notation.with_decks(position.setup, fill_decks(decks, revealed), seed="")
    return setup


def revealed_cards(decks: Decks, revealed: RevealedIndices) -> dict[str, dict[int, str]]:
    """Return the revealed cards by deck and index."""
    return {name: {index: deck[index] for index in revealed[name]} for name, deck in decks.items()}


def fill_decks(decks: Decks, revealed: Mapping[str, Mapping[int, str]]) -> dict[str, tuple[str, ...]]:
    """Return the decks with the known cards at their indices and their other cards sorted by name."""
    return {name: _filled(deck, revealed.get(name, {})) for name, deck in decks.items()}


def _filled(deck: tuple[str, ...], revealed: Mapping[int, str]) -> tuple[str, ...]:
    """Return a deck with the known cards at their indices and its other cards sorted."""
    unrevealed = sorted(deck)
    for card in revealed.values():
        unrevealed.remove(card)
    fillers = iter(unrevealed)
    return tuple(revealed[index] if index in revealed else next(fillers) for index in range(len(deck)))


# -- chance -----------------------------------------------------------------------------------------------------------


class RevealTracker:
    """An observer of a game that reports the cards that are revealed."""

    def __init__(self, position: Position) -> None:
        notation = GAMES[position.setup.game].notation
        self._revealed_in: Callable[[Position], RevealedIndices] = notation.revealed
        self._decks = notation.decks(position.setup)
        self._count = PileCursor(next(iter(self._decks)))
        self._everything: RevealedIndices = {name: range(len(deck)) for name, deck in self._decks.items()}
        self._reported: RevealedIndices = dict.fromkeys(self._decks, range(0))

    def new_tokens(self, position: Position) -> list[str]:
        """Return the tokens of cards revealed since the last call; of all remaining cards once the game is over."""
        revealed = self._revealed_in(position) if position.agenda else self._everything
        if revealed == self._reported:
            return []
        new = [(deck, index) for deck, places in revealed.items() for index in _since(self._reported[deck], places)]
        self._reported = revealed
        return [self._count.token(deck, index, self._decks[deck][index]) for deck, index in new]


class PileCursor:
    """The index of the first unrevealed card of the pile: a token without an index means that card."""

    def __init__(self, pile: str) -> None:
        self.pile = pile
        self.next = 0
        self._revealed_later: set[int] = set()

    def mark_revealed(self, index: int) -> None:
        """Note that a card of the pile has been revealed."""
        self._revealed_later.add(index)
        while self.next in self._revealed_later:
            self._revealed_later.remove(self.next)
            self.next += 1

    def token(self, deck: str, index: int, card: str) -> str:
        """Return the token of a revealed card."""
        if deck != self.pile:
            return f"+{deck}.{index + 1}={card}"
        is_next = index == self.next
        self.mark_revealed(index)
        return f"+{card}" if is_next else f"+{deck}.{index + 1}={card}"


def _since(before: Sequence[int], now: Sequence[int]) -> Sequence[int]:
    """Return the indices that are new; fast for ranges with the same start."""
    if isinstance(before, range) and isinstance(now, range) and before.start == now.start:
        return now[len(before) :]
    previous = set(before)
    return [index for index in now if index not in previous]


# -- writing ----------------------------------------------------------------------------------------------------------


def format_record(record: Record) -> str:
    """Return the record as text; it never contains what lies face down, whatever the record's setup holds.

    Raises:
        IllegalActionError: an action is not legal.
    """
    moves, end = _moves(record)
    over = end != UNFINISHED
    return tags_text(_tags(record, over=over)) + "\n" + "\n".join([*_wrapped_lines(moves), end]) + "\n"


def _tags(record: Record, *, over: bool) -> Iterator[Tag]:
    """Yield the tags of a record."""
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
        tokens = chance.new_tokens(position)
        if tokens:
            lines.append((position.ply + 1, tokens))
    return lines, result(position) if position.is_over else UNFINISHED


def _wrapped_lines(moves: Iterable[tuple[int, list[str]]]) -> Iterator[str]:
    """Yield the lines of the moves, each beginning with a ply and at most :data:`MAX_LINE_LENGTH` long."""
    for first, tokens in moves:
        ply, line = first, f"{first}."
        for token in tokens:
            if len(line) + len(token) >= MAX_LINE_LENGTH:
                yield line
                line = f"{ply}."
            line += f" {token}"
            ply += not token.startswith("+")
        yield line


MAX_ACTIONS: Final = 5000
"""The most actions of a record: ten times those of a long game."""
MAX_SEED_LENGTH: Final = 200
"""The most characters of a seed in a record that is read."""
_CHANCE: Final = re.compile(r"\+(?:([a-z]+)\.([1-9]\d{0,3})=)?(\S{1,40})", re.ASCII)
"""A token for chance: the card that was revealed, with its place in a deck if need be (``+pile.3=base/D``)."""


Token = tuple[int, str]
"""A word among the moves, with the number of its line."""


def read_record(text: str, *, watch: Callable[[int], None] | None = None, first_line: int = 1) -> Record:
    """Read what :func:`engine.notation.records.format_record` wrote, and replay the game.

    ``watch`` is called before each action with its ply; it may raise to abort. ``first_line`` is the number of the
    first line if the text is part of a longer one.

    Raises:
        RecordError: the text is not the record of a legal game.
    """
    lines = list(lines_of(text, first_line))
    heads = [line for line in lines if line.text.startswith("[")]
    tokens = _tokens(line for line in lines if not line.text.startswith("["))
    for number, _ in heads:
        if tokens and number > tokens[0][0]:
            raise RecordError(number, "a tag among the moves, or another record")
    tags = Tags(heads, first_line)
    read_version(tags, VERSION)
    box = read_setup(tags)
    head = _RecordTags.read(tags, box)
    setup, wrong = _setup_with_revealed(box, tokens, head.seed or "")
    game = _Replay(begin(setup))
    for line, word in tokens if wrong is None else tokens[: wrong.place]:
        game.take(line, word, watch)
    if wrong is not None:
        raise wrong.error
    game.finish(lines[-1].number)
    head.check(game)
    return Record(
        setup=setup, actions=tuple(game.actions), commitment=head.commitment, names=head.names, title=head.title
    )


def records_in(text: str) -> Iterator[tuple[int, str]]:
    """Yield the records in a text, each with the number of its first line."""
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if line.lstrip().startswith(f"[{VERSION_KEY} ")]
    for start, end in pairwise([0, *starts[1:], len(lines)]):
        yield start + 1, "\n".join(lines[start:end])


def _tokens(lines: Iterable[NumberedLine]) -> list[Token]:
    """Return the words among the moves, without comments."""
    tokens: list[Token] = []
    for number, text in lines:
        words = text.split()
        if COMMENT in text:
            words = list(takewhile(lambda word: not word.startswith(COMMENT), words))
        tokens += [(number, word) for word in words]
    return tokens


# -- the tags --------------------------------------------------------------------------------------------------------


class _RecordTags(NamedTuple):
    """The tags of a record beside those of the setup; ``last_line`` is the line that errors about the seed quote."""

    title: str
    names: tuple[str, ...]
    commitment: str
    seed: str | None
    last_line: int

    @staticmethod
    def read(tags: Tags, box: Setup) -> _RecordTags:
        """Read the tags of a record that are not part of the setup."""
        head = _RecordTags(
            title=tags.read_or("Title", _name, ""),
            names=_names(tags, box.players),
            commitment=tags.read("Commitment", _digest),
            seed=tags.read_or("Seed", _seed, None),
            last_line=tags.last_line,
        )
        tags.finish()
        return head

    def check(self, game: _Replay) -> None:
        """Check that a finished game reveals its seed, an unfinished one does not, and that the commitment matches.

        Raises:
            RecordError: one of these does not hold.
        """
        over = game.position.is_over
        if over != (self.seed is not None):
            wrong = "the game is over, but there is no [Seed]" if over else "a [Seed], though the game is not over"
            raise RecordError(self.last_line, wrong)
        if over and game.position.setup.commitment != self.commitment:
            raise RecordError(self.last_line, "the [Commitment] is not that of the seed and the tiles")


def _names(tags: Tags, players: int) -> tuple[str, ...]:
    """Read the names of the players; none if the record has none."""
    keys = [seat_key(seat) for seat in seats(players)]
    if not any(key in tags for key in keys):
        return ()
    return tuple(tags.read(key, _name) for key in keys)


def _name(text: str) -> str:
    """Check the name of a player, and return it."""
    if text != clean_name(text):
        raise ValueError(f"not a name: {quoted(text)}")
    return text


def _seed(text: str) -> str | None:
    """Check a seed, and return it."""
    if len(text) > MAX_SEED_LENGTH or not text.isprintable():
        raise ValueError(f"not a seed: {quoted(text)}")
    return text


def _digest(text: str) -> str:
    """Check a digest, and return it."""
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise ValueError(f"not 64 hexadecimal digits: {quoted(text)}")
    return text


# -- the moves -------------------------------------------------------------------------------------------------------


class _InvalidToken(NamedTuple):
    """The first token of a revealed card that is invalid, with its index; an earlier token may turn out wrong, too."""

    place: int
    error: RecordError


def _setup_with_revealed(box: Setup, tokens: Sequence[Token], seed: str) -> tuple[Setup, _InvalidToken | None]:
    """Return the setup whose decks have the order that the moves reveal, with the unrevealed cards sorted by name."""
    notation = GAMES[box.game].notation
    decks = notation.decks(box)
    table, wrong = _RevealedCards(decks), None
    for place, (line, text) in enumerate(tokens):
        if text[0] == "+":
            try:
                table.lay(line, text)
            except RecordError as error:
                wrong = _InvalidToken(place, error)
                break
    return notation.with_decks(box, fill_decks(decks, table.known), seed), wrong


class _RevealedCards:
    """The cards of each deck that the moves read so far have revealed."""

    def __init__(self, decks: Mapping[str, tuple[str, ...]]) -> None:
        self.known: dict[str, dict[int, str]] = {name: {} for name in decks}
        self._sizes = {name: len(deck) for name, deck in decks.items()}
        self._left = {name: Counter(deck) for name, deck in decks.items()}
        self._count = PileCursor(next(iter(decks)))

    def lay(self, line: int, text: str) -> None:
        """Put a card at the place that its token names: the first free place of the pile, or a place of a deck.

        Raises:
            RecordError: the place is taken, or the deck has no such card left.
        """
        match = _CHANCE.fullmatch(text)
        if match is None:
            raise RecordError(line, f"not a tile: {quoted(text)}")
        name, place, card = match.groups()
        deck = name or self._count.pile
        index = int(place) - 1 if name else self._count.next
        if not self._is_free(deck, index):
            raise RecordError(line, f"no such place in a deck, or not again: {quoted(text)}")
        if not self._left[deck][card]:
            raise RecordError(line, f"no {quoted(card)} is left")
        self._left[deck][card] -= 1
        self.known[deck][index] = card
        if deck == self._count.pile:
            self._count.mark_revealed(index)

    def _is_free(self, deck: str, index: int) -> bool:
        """Return True if the place of a deck exists and its card has not been revealed."""
        return deck in self.known and index not in self.known[deck] and index < self._sizes[deck]


class _Replay:
    """A game that is replayed while its record is read."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.actions: list[Action] = []
        self._chance = RevealTracker(position)
        self._due = self._chance.new_tokens(position)
        """The tokens of revealed cards that have to come before the next action."""
        self._end: str | None = None

    def take(self, line: int, text: str, watch: Callable[[int], None] | None) -> None:
        """Process one token of the moves: a revealed card, the number of an action, an action, or the end.

        Raises:
            RecordError: the token is wrong.
        """
        if self._end is not None:
            raise RecordError(line, f"nothing may follow the end: {quoted(text)}")
        if text[0] == "+":
            self._check_revealed(line, text)
        elif text[-1] == ".":
            if text != f"{self.position.ply + 1}.":
                raise RecordError(line, f"{quoted(text)} stands before action {self.position.ply + 1}")
        elif self._due:
            raise RecordError(line, f"a tile comes to light before {quoted(text)}")
        elif text[0] in RESULT_SIGNS:
            self._conclude(line, text)
        else:
            self._act(line, text, watch)

    def finish(self, last_line: int) -> None:
        """Make sure that the record has an end.

        Raises:
            RecordError: the end is missing.
        """
        if self._end is None:
            raise RecordError(last_line, f"the end is missing: {UNFINISHED!r} or the points")

    def _check_revealed(self, line: int, text: str) -> None:
        """Check that a card is the one that has to be revealed now."""
        if not self._due or self._due[0] != text:
            expectation = f"expected {self._due[0]!r}" if self._due else "nothing comes to light here"
            raise RecordError(line, f"{expectation}, not {quoted(text)}")
        del self._due[0]

    def _conclude(self, line: int, text: str) -> None:
        """Check the end of the record."""
        expected = result(self.position) if self.position.is_over else UNFINISHED
        if text != expected:
            raise RecordError(line, f"the end is {expected!r}, not {quoted(text)}")
        self._end = text

    def _act(self, line: int, text: str, watch: Callable[[int], None] | None) -> None:
        """Play an action."""
        ply = self.position.ply
        if ply >= MAX_ACTIONS:
            raise RecordError(line, f"more than {MAX_ACTIONS} actions")
        if watch is not None:
            watch(ply)
        try:
            action = parse_action(text)
            self.position.apply(action)
        except EngineError as error:
            raise RecordError(line, str(error)) from error
        self.actions.append(action)
        self._due = self._chance.new_tokens(self.position)
