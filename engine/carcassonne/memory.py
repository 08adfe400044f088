"""How what an expansion keeps in a position is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.carcassonne.table import Table


class Memory(NamedTuple):
    """How a value of ``position.extra`` is written in a tag; empty where there is nothing to say.

    ``read`` sets it in a position that has its table; it raises ``ValueError`` or ``LookupError`` for what cannot be.
    Among a box's ``round_memories``, ``tag`` is the sign that all its words have and no others.
    """

    tag: str
    write: Callable[[Table], str]
    read: Callable[[Table, str], None]
