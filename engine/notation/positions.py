"""Write and read positions as text (``docs/notation.md``): all public information, and nothing that lies face down.

The text is a list of tags, such as ``[Scores "12 7"]``. Those that all games share are handled here, the others by each
game's :class:`~engine.grammar.language.Notation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from typing import Final

from engine.actions import seats
from engine.games import GAMES, GameKind
from engine.grammar.tags import (
    VERSION_KEY,
    RecordError,
    Tag,
    Tags,
    convert_at_line,
    lines_of,
    options_text,
    quoted,
    read_options,
    tags_text,
    whole_number,
)
from engine.grammar.words import agenda_text, read_agenda, read_player, seat_text
from engine.options import Options
from engine.position import Position
from engine.setup import PLAYED_VERSIONS, Setup

DIGEST_FORM: Final = "2:"
"""The prefix of a digest of the text form; digests stored by older versions are hexadecimal digits only."""
DIGEST_LENGTH: Final = 64
"""The characters of a digest, prefix included: as many as one of an older version has."""
VERSION: Final = "position 1"
"""The value of the first tag."""
MAX_PLIES: Final = 9999
"""The most actions, or turns, of a position that is read: many times those of a long game."""
MAX_POINTS: Final = 99_999
"""The most points of a player in a position that is read."""


def format_position(position: Position) -> str:
    """Return the position as a few lines of text."""
    return tags_text([Tag(VERSION_KEY, VERSION), *setup_tags(position.setup), *_position_tags(position)])


def state_digest(position: Position) -> str:
    """Return a digest of the whole state: 64 characters, :data:`DIGEST_FORM` and then a SHA-256.

    The hash covers the setup's commitment and the text form. Text forms are stable, so the digest does not depend on
    the engine's classes.
    """
    text = f"{position.setup.commitment} {position.next_tile}\n{tags_text(_position_tags(position))}"
    return (DIGEST_FORM + sha256(text.encode()).hexdigest())[:DIGEST_LENGTH]


def parse_position(text: str) -> Position:
    """Read what :func:`format_position` wrote.

    Cards that lie face down are sorted by name, and the seed is empty. Whether the edges of tiles match is not checked.

    Raises:
        RecordError: the text is not a position.
    """
    tags = Tags(lines_of(text))
    read_version(tags, VERSION)
    setup = read_setup(tags)
    game = GAMES[setup.game]
    position: Position = convert_at_line(
        tags.last_line, "no position: ", lambda _: game.notation.read_position(setup, tags), text
    )
    _fill_in(position, tags)
    position.agenda = tags.read("Agenda", lambda value: read_agenda(game.notation.words, position, value))
    tags.finish()
    return position


# -- tags that positions and records share --------------------------------------------------------------------------


def setup_tags(setup: Setup) -> Iterator[Tag]:
    """Yield the tags of the game, its players and its rules."""
    yield Tag("Game", setup.game)
    yield Tag("Rules", str(setup.rules))
    yield Tag("Players", str(setup.players))
    differences = setup.options.differences()
    if differences:
        yield Tag("Options", options_text(differences))
    yield from GAMES[setup.game].notation.setup_tags(setup)


def read_setup(tags: Tags) -> Setup:
    """Read a setup; the order of its decks is arbitrary.

    Raises:
        RecordError: a tag is missing or cannot be read.
    """
    game = tags.read("Game", _game)
    fixed = {
        "rules": tags.read("Rules", _rules),
        "players": tags.read("Players", whole_number(game.players[0], game.players[-1])),
        "options": tags.read_or("Options", lambda text: _options(game, text), game.options()),
    }
    setup: Setup = convert_at_line(tags.last_line, "", lambda _: game.notation.read_setup(tags, fixed), "")
    return setup


def read_version(tags: Tags, expected: str) -> None:
    """Read the first tag, which names the kind and version of the text.

    Raises:
        RecordError: the tag is missing or names another version.
    """

    def convert(text: str) -> str:
        if text != expected:
            raise ValueError(f"this is {text!r}, which cannot be read, only {expected!r}")
        return text

    if VERSION_KEY not in tags:
        raise RecordError(tags.first_line, f'it does not begin with [{VERSION_KEY} "{expected}"]')
    tags.read(VERSION_KEY, convert)


def _game(name: str) -> GameKind[Position, Setup]:
    """Return the game with this name."""
    if name not in GAMES:
        raise ValueError(f"unknown game {name!r}")
    return GAMES[name]


def _rules(text: str) -> int:
    """Read the version of the rules."""
    for rules in PLAYED_VERSIONS:
        if text == str(rules):
            return rules
    raise ValueError(f"not rules that can be played: {quoted(text)}")


def _options(game: GameKind[Position, Setup], text: str) -> Options:
    """Read the options of a game."""
    return game.options.of(read_options(text, game.options.values()))


# -- tags of all positions -------------------------------------------------------------------------------------------


def _position_tags(position: Position) -> Iterator[Tag]:
    """Yield the tags of everything beside the setup."""
    notation = GAMES[position.setup.game].notation
    yield from notation.position_tags(position)
    yield Tag("Scores", _numbers(position.scores))
    yield Tag("Supply", "; ".join(f"{piece} {_numbers(counts)}" for piece, counts in position.supply.items()))
    if any(position.withdrawn):
        yield Tag("Resigned", " ".join(seat_text(seat) for seat in seats(position.players) if position.withdrawn[seat]))
    if position.ranked_last is not None:
        yield Tag("Last", seat_text(position.ranked_last))
    yield Tag("Ply", str(position.ply))
    yield Tag("Turn", str(position.turn))
    yield Tag("Agenda", agenda_text(notation.words, position))


def _fill_in(position: Position, tags: Tags) -> None:
    """Read the state that all games share into a position."""
    players = position.players
    read_points = whole_number(-MAX_POINTS, MAX_POINTS)
    position.scores = tags.read("Scores", lambda text: _read_numbers(text.split(), players, read_points))
    position.supply = tags.read("Supply", lambda text: _read_supply(text, position))
    resigned = tags.read_or("Resigned", lambda text: {read_player(position, seat) for seat in text.split()}, set[int]())
    position.withdrawn = tuple(seat in resigned for seat in range(players))
    position.ranked_last = tags.read_or("Last", lambda seat: read_player(position, seat), None)
    position.ply = tags.read("Ply", whole_number(0, MAX_PLIES))
    position.turn = tags.read("Turn", whole_number(0, MAX_PLIES))


def _numbers(counts: Iterable[int]) -> str:
    """Return numbers as text, separated by spaces."""
    return " ".join(map(str, counts))


def _read_numbers(entries: list[str], players: int, convert: Callable[[str], int]) -> list[int]:
    """Read one number for each player."""
    if len(entries) != players:
        raise ValueError(f"{len(entries)} numbers for {players} players")
    return [convert(entry) for entry in entries]


def _read_supply(text: str, position: Position) -> dict[str, list[int]]:
    """Read the pieces of each player."""
    pieces = [entry.split() for entry in text.split(";")]
    if [piece for piece, *_ in pieces] != list(position.supply):
        raise ValueError(f"the pieces have to be {', '.join(position.supply)}")
    return {piece: _read_numbers(counts, position.players, whole_number(0, 99)) for piece, *counts in pieces}
