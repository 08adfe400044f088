"""What was settled for a table, and for a server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """How a table is kept, the same for everybody at it and without effect on the rules.

    ``hints`` lets the game tell what one could work out, all but what ``hints_off`` names; ``theme`` is that of the
    public pictures; ``pace`` is how much time it gives, by name; ``ends_after`` is after how many days the game ends,
    whatever is left to be played, or 0.
    """

    hints: bool = True
    hints_off: tuple[str, ...] = ()
    theme: str = "day"
    pace: str = "none"
    ends_after: int = 0
    language: str = ""
    """In which it is told what all see; the usual one when empty."""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> TableSettings:
        """The settings that are stored so; unknown ones are of no account.

        Raises:
            TypeError: they are none.
        """
        if not isinstance(values, Mapping):
            raise TypeError("settings have names")
        known: dict[str, Any] = {entry.name: values[entry.name] for entry in fields(cls) if entry.name in values}
        named = all(isinstance(known.get(name, ""), str) for name in ("theme", "pace", "language"))
        if not (isinstance(known.get("hints", True), bool) and named):
            raise TypeError("hints are given or not; a theme, a pace and a language have a name")
        if not isinstance(known.get("ends_after", 0), int):
            raise TypeError("a number of days is one")
        known["hints_off"] = tuple(known.get("hints_off", ()))
        return cls(**known)

    def allows(self, hint: str) -> bool:
        """Whether this kind of hint is given at the table."""
        return self.hints and hint not in self.hints_off


@dataclass(frozen=True, slots=True)
class TableRules:
    """What is going to be played at a table, and how it is kept: what its owner may choose until the game begins.

    ``options`` are those that differ from the game's standard.
    """

    expansions: tuple[str, ...]
    options: Mapping[str, Any]
    settings: TableSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildSettings:
    """What the managers of a server have decided: where games may be opened, and which role manages them too.

    Without any channels games may be opened everywhere, without a role for openers by everybody.
    """

    channels: tuple[int, ...] = ()
    manager_role: int | None = None
    opener_role: int | None = None
    """Who may open games."""
    organiser_role: int | None = None
    """Who may create events, beside the managers."""
    games_of_member: int | None = None
    """How many games a member may play here at a time; as many as anywhere when None."""
    hints: bool = True
    """Whether tables begin with hints."""
    pace: str = ""
    """The pace with which tables begin; the usual one when empty."""
    language: str = ""
    """That of the tables; when empty, what Discord says of the server, or of who opens one."""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> GuildSettings:
        """The settings that are stored so; unknown ones are of no account."""
        known: dict[str, Any] = {entry.name: values[entry.name] for entry in fields(cls) if entry.name in values}
        return cls(**{**known, "channels": tuple(known.get("channels", ()))})
