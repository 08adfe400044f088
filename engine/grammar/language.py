"""The base class for a game's part in the text forms of positions and records.

A game defines its own tags (lines such as ``[Tiles "…"]``), the words for the steps and tasks on its agenda, and its
decks: everything that was shuffled. :mod:`engine.notation` writes and reads all that games share.
"""

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
    """The base class for a game's part in the text forms of its positions and records.

    A deck is anything that was shuffled; it has a name in lower-case letters, and the pile comes first. The methods
    that read raise ``ValueError`` or ``LookupError`` for invalid text. They are called within
    :meth:`engine.grammar.tags.Tags.read`, which adds the number of the line.
    """

    words: ClassVar[tuple[AgendaWord, ...]]
    """A word for each kind of step and task that can be on the agenda while a player has to decide."""
    signs: ClassVar[Mapping[str, str]]
    """The character for each kind of feature in a text picture of the board."""
    optional_signs: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The characters for kinds that the legend lists only if they are on the table."""

    # -- setups ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def setup_tags(self, setup: S) -> Iterator[Tag]:
        """Yield the tags of a setup's non-default fields, beside players, rules, options and seed.

        A deck's content may be written, but never its order.
        """

    @abstractmethod
    def read_setup(self, tags: Tags, fixed: SetupValues) -> S:
        """Read the setup; ``fixed`` are its players, rules and options by name.

        Every deck of the result has the right content, in any order.
        """

    # -- chance ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def decks(self, setup: S) -> Mapping[str, tuple[str, ...]]:
        """Return the shuffled decks by name, the pile first."""

    @abstractmethod
    def with_decks(self, setup: S, decks: Mapping[str, tuple[str, ...]], seed: str) -> S:
        """Return the setup with its decks in this order, and with this seed."""

    @abstractmethod
    def from_seed(self, setup: S) -> S:
        """Return the setup as its seed alone would have shuffled it."""

    @abstractmethod
    def revealed(self, position: P) -> Mapping[str, Sequence[int]]:
        """Return the indices of each deck's cards that have been revealed, in rising order.

        The indices of a deck only ever grow in number. This is called after every action, so it has to be fast; a
        ``range`` is.
        """

    # -- positions ------------------------------------------------------------------------------------------------

    @abstractmethod
    def position_tags(self, position: P) -> Iterator[Tag]:
        """Yield the tags of the table and of the game's other public state."""

    @abstractmethod
    def read_position(self, setup: S, tags: Tags) -> P:
        """Read a position; what lies face down is sorted by name.

        The caller fills in what all games have: scores, supplies, resignations, ply, turn and agenda.
        """
