"""What a game adds to the text forms: its own tags, its words for what is to be done, and what chance has in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, Generic, TypeVar

from engine.grammar.tags import Tag, Tags
from engine.grammar.words import AgendaWord
from engine.position import Position
from engine.setup import Setup, SetupValues

P = TypeVar("P", bound=Position)
"""The position of a game."""
S = TypeVar("S", bound=Setup)
"""The setup of a game."""


class Notation(ABC, Generic[P, S]):
    """The part of a game in the text forms of its positions and records.

    A deck is whatever chance has put into an order, with a name of its own in small letters, the pile first. Reading
    raises ``ValueError`` or ``LookupError`` for what cannot be, within :meth:`engine.grammar.tags.Tags.read`, which
    knows the line.
    """

    words: ClassVar[tuple[AgendaWord, ...]]
    """A word for each kind of step and task that can be on the agenda when somebody has to decide."""
    signs: ClassVar[Mapping[str, str]]
    """The sign of each kind of feature in a picture made of letters."""
    further_signs: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Those of kinds that are told only where they lie on the table."""

    # -- setups ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def setup_tags(self, setup: S) -> Iterator[Tag]:
        """What a setup holds beside players, rules, options and seed, as far as it is not as usual.

        Of a deck it tells at most what is in it, never the order.
        """

    @abstractmethod
    def read_setup(self, tags: Tags, fixed: SetupValues) -> S:
        """A setup of these tags; ``fixed`` are its players, rules and options by name.

        Every deck holds what belongs in it, in whatever order.
        """

    # -- chance ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def decks(self, setup: S) -> Mapping[str, tuple[str, ...]]:
        """Everything that lies in an order by chance, by the name of the deck; the pile first."""

    @abstractmethod
    def with_decks(self, setup: S, decks: Mapping[str, tuple[str, ...]], seed: str) -> S:
        """The setup with its decks in this order and this seed."""

    @abstractmethod
    def from_seed(self, setup: S) -> S:
        """The setup as its seed alone would have shuffled it."""

    @abstractmethod
    def revealed(self, position: P) -> Mapping[str, Sequence[int]]:
        """What of each deck has come to light: places in it, from 0, in rising order.

        Only ever more of it comes to light. Asked after every action, so it has to be quick, as a ``range`` is.
        """

    # -- positions ------------------------------------------------------------------------------------------------

    @abstractmethod
    def position_tags(self, position: P) -> Iterator[Tag]:
        """The table, and everything else that only this game knows and everybody may know."""

    @abstractmethod
    def read_position(self, setup: S, tags: Tags) -> P:
        """The position of these tags; what is face down lies in the order of its names.

        What all games have is filled in later: scores, supplies, who has left, ply, turn, agenda.
        """
