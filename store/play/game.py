"""A game without its position: as it is stored, and as everybody above sees it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NamedTuple

from store.person import Person
from store.records import GameStatus, Stamp
from store.settings import TableSettings


class Seated(NamedTuple):
    """Who sits at a game, in the order of play, and which of them have left it."""

    people: tuple[Person, ...] = ()
    withdrawn: tuple[bool, ...] = ()


NOBODY: Final = Seated()


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game without its position; ``code`` is its public name, ``seats`` are its players in the order of play.

    ``setup_text`` says what it began with, ``digest`` is that of the position. ``seat_to_act`` is None when nobody has
    anything to decide any more. ``epoch`` is when it last went back, in seconds since 1970, because an older file was
    put in place of a newer one; 0 for never.
    """

    id: int
    code: str
    name: str
    guild_id: int
    channel_id: int
    thread_id: int | None
    seats: tuple[Person, ...]
    ply: int
    seat_to_act: int | None
    status: GameStatus
    created_at: datetime
    updated_at: datetime
    setup_text: str
    digest: str = ""
    settings: TableSettings = field(default_factory=TableSettings)
    epoch: int = 0
    taken_back: int = 0
    """What undoing has added to the revision: the actions that were taken back, and one for each time."""
    withdrawn: tuple[bool, ...] = ()
    """By seat, who has left the game; the log says it too, but a list of games does not read it."""
    ends_at: datetime | None = None
    """When it ends, whatever is left to be played; None for a game that is played to its end."""

    @property
    def stamp(self) -> Stamp:
        """Where it stands."""
        return Stamp(self.ply, self.epoch, self.taken_back)

    @property
    def revision(self) -> int:
        """A number that only grows, by which this state of the game is known everywhere."""
        return self.stamp.revision

    @property
    def place(self) -> int:
        """The thread or channel where the cards go."""
        return self.channel_id if self.thread_id is None else self.thread_id

    @property
    def person_to_act(self) -> Person | None:
        """Who has to decide; None when the game is over, or was closed."""
        if self.seat_to_act is None or self.status is GameStatus.FINISHED:
            return None
        return self.seats[self.seat_to_act]

    def seat_of(self, user_id: int) -> int | None:
        """The seat of somebody who plays."""
        return next((seat for seat, person in enumerate(self.seats) if person.user_id == user_id), None)

    def plays(self, user_id: int) -> bool:
        """Whether somebody has a seat and has not left the game."""
        return any(person.user_id == user_id for person in self.players)

    @property
    def players(self) -> tuple[Person, ...]:
        """Who has not left the game."""
        return still_there(self.seats, self.withdrawn)


def still_there(seats: tuple[Person, ...], withdrawn: tuple[bool, ...]) -> tuple[Person, ...]:
    """Those in the seats who have not left; nobody has where nothing says so."""
    gone = withdrawn or (False,) * len(seats)
    return tuple(person for person, left in zip(seats, gone, strict=True) if not left)
