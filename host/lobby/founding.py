"""How a lobby becomes a game: seed, seats, pile, code and name."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from engine import GAMES, begin, state_digest
from store import Lobby, NewGame, Person

_LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
_SIGNS: Final = _LETTERS + "23456789"
_CODE_LENGTH: Final = 4
_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})

_FIRST_WORDS: Final = (
    "Amber",
    "Ashen",
    "Autumn",
    "Bright",
    "Copper",
    "Distant",
    "Early",
    "Fallow",
    "Golden",
    "Hidden",
    "Hollow",
    "Lofty",
    "Mossy",
    "Quiet",
    "Silver",
    "Winding",
)
_SECOND_WORDS: Final = (
    "Abbey",
    "Arch",
    "Barrow",
    "Brook",
    "Chapel",
    "Crossing",
    "Garden",
    "Gate",
    "Harvest",
    "Lane",
    "Mill",
    "Orchard",
    "Rampart",
    "Spring",
    "Valley",
    "Well",
)


def new_code() -> str:
    """Four signs to say aloud: a letter first, no vowels (so no words), neither 0 nor 1."""
    rest = (secrets.choice(_SIGNS) for _ in range(_CODE_LENGTH - 1))
    return secrets.choice(_LETTERS) + "".join(rest)


class Label(NamedTuple):
    """What a game is called: its public code and its name."""

    code: str
    name: str


def new_label() -> Label:
    """A code and a name by chance."""
    return Label(new_code(), new_name())


def new_name() -> str:
    """Two words, a proper name that tells a player's games apart at a glance."""
    return f"{secrets.choice(_FIRST_WORDS)} {secrets.choice(_SECOND_WORDS)}"


def seat_order(members: Iterable[Person], seed: str) -> tuple[Person, ...]:
    """The order of play: by SHA-256 of ``seed:user id``, so that a revealed seed proves the draw of the seats."""
    return tuple(sorted(members, key=lambda person: sha256(f"{seed}:{person.user_id}".encode()).digest()))


def seats_of(lobby: Lobby, seed: str) -> tuple[Person, ...]:
    """The order of play of the members: by lot, but in a rematch of the same people the former order moved on by one.

    So whoever was second begins, and everybody can derive it from the game before.
    """
    names = {person.user_id: person for person in lobby.members}
    if lobby.former and {person.user_id for person in lobby.former} == names.keys():
        return tuple(names[person.user_id] for person in moved_on(lobby.former))
    return seat_order(lobby.members, seed)


def moved_on(seats: tuple[Person, ...]) -> tuple[Person, ...]:
    """The seats of a rematch."""
    return (*seats[1:], *seats[:1])


def found(
    lobby: Lobby, seed: str, label: Label, thread_id: int | None = None, material: Mapping[str, Any] = _NOTHING
) -> NewGame:
    """The game that these members start; everything by chance in it follows from the seed.

    ``material`` is what else its setup is made with.

    Raises:
        NotationError: the options or expansions of the lobby are not known (any more).
    """
    game = GAMES[lobby.game]
    setup = game.new_setup(
        players=len(lobby.members),
        seed=seed,
        options=game.options.of(lobby.options),
        expansions=lobby.expansions,
        **material,
    )
    position = begin(setup)
    return NewGame(
        code=label.code,
        name=label.name,
        guild_id=lobby.guild_id,
        channel_id=lobby.channel_id,
        seats=seats_of(lobby, seed),
        setup=setup.to_json(),
        digest=state_digest(position),
        seat_to_act=position.player,
        thread_id=thread_id,
        settings=lobby.settings,
    )
