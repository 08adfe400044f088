"""The specification of an event, which is fixed when it starts: its format, parameters, entries and random seed.

Together with the log of the event, it determines all rounds and standings: the *seed*, a random text, decides all
draws. Its hash is published before the start, so that players can check the draws afterwards. A *lot* is a random
number of a player that breaks ties, and also comes from the seed. ``entries`` are in seeding order: the player who is
thought to be the strongest comes first.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final, Literal

from tournaments.chance import commitment, player_lot
from tournaments.errors import EventRuleError

PaceName = Literal["live", "fast", "standard", "slow", "fixed"]

EVENT_RULES: Final = 5
"""The version of the rules for new events; raised when the same facts would lead to other pools, points or standings.

Since version 2, every division of a league is large enough to play in. Scores of a duel from which a player withdrew
are no tie-break. In a double elimination a level match counts as a loss for one player. Average points are given only
for rounds before a late entry, not for rounds missed by a player who had left before their first game.

Since version 3, of two players whom only the seed or the lot would separate, the one who left is behind; so is a player
of a pool whose games do not count because they left early. In a knock-out and a double elimination, a match cut short
because one player left is won by the other.

Since version 4, every group sends its best players who have not left to the next stage, as many as announced. Before,
the place of a player who left between two stages went to the best of the other groups.

Since version 5, groups that play a round robin take late entrants, and the last matches of a double elimination may be
longer. A late entry needs a free place of the event. In a round robin, a bye instead of a game against a player who was
struck out is worth nothing, like a game against them.
"""
SUPPORTED_RULES: Final = frozenset({1, 2, 3, 4, 5})
"""The supported versions of the rules: a running event keeps the version with which it began."""


COMPUTERS: Final = "computers"
"""The party of computers. They meet people: two of them are paired only where that cannot be avoided."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A player or a team: the key by which the bot knows it, and the data that pairing uses."""

    key: str
    rating: float | None = None
    party: str = ""
    """The server or team whose members do not meet early, if the organiser wants that; see also :data:`COMPUTERS`."""
    roster: tuple[str, ...] = ()
    """The keys of a team's players, in the captain's order; empty for a player."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """The organiser's choices before the start. Zero and empty values mean the format's default."""

    game: str = "carcassonne"
    preset: str = ""
    """The name of a set of rules of the game."""
    pace: PaceName = "standard"
    purist: bool = True
    """True if games give no hints."""
    rated: bool = True
    points: str = "5-3-2-1"
    """The scheme by which places at a table give points."""
    rounds: int = 0
    best_of: int = 0
    """The number of games of a match."""
    final: Literal["four-games", "one-game", "none"] = "four-games"
    tie_breaks: tuple[str, ...] = ()
    late: Literal["closed", "zero", "average"] = "zero"
    """Late entries: not allowed, or allowed with no points or average points for the rounds before."""
    bye: Literal["win", "draw"] = "win"
    """The result that a bye counts as."""
    apart: Literal["never", "first", "first-and-last"] = "never"
    """The rounds in which members of a party are kept apart: none, the first two, or these and the last one."""
    pool: int = 0
    """The number of players of a group or division."""
    advance: int = 0
    """The number of players who advance, from each group or from the whole stage."""
    boards: int = 5
    groups: int = 0
    """The number of groups; 0 if it follows from their size."""
    group_play: Literal["robin", "knockout", "double"] = "robin"
    """The way in which groups play: a round robin, a knock-out or a double elimination."""
    playoff: Literal["knockout", "double"] = "knockout"
    """The stage for the players who advance."""
    playoff_best_of: int = 0
    """The number of games of a match in that stage; 0 for as many as before it."""
    last_best_of: int = 0
    """The number of games of a match in the last rounds of an elimination; 0 for as many as in its other rounds."""
    last_from: int = 8
    """The number of places of the first of these last rounds: 8 for the quarter-finals, 2 for the final alone.

    In a double elimination, the number of players still in: they have lost once at most.
    """
    first_byes: bool = False
    """True if the firsts of groups have a bye in the first round after the groups."""
    third_place: bool = False
    """True if the losers of the semi-finals of a knock-out play for the third place."""
    accelerated: bool = False
    """True if the first half of the rounds of a Swiss is paired as if the better half had a point more."""
    season_weeks: int = 0
    """The length of a season of the ladder, in weeks."""
    meetings: int = 0
    """The most games against the same opponent that count in a season of the ladder."""


_RETIRED_PARAMETERS: Final = frozenset({"equal_turns"})
"""Names of parameters that older releases stored and that had no effect."""


@dataclass(frozen=True, slots=True)
class Specification:
    """An event as it was announced.

    Players are numbered from 0 in the order of the entries; late entries get the next numbers. ``rules`` is the version
    of the rules for events under which it began.
    """

    format: str
    entries: tuple[Entry, ...]
    seed: str
    parameters: Parameters = field(default_factory=Parameters)
    rules: int = EVENT_RULES

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed, shown on the event's card."""
        return commitment(self.seed)

    def to_json(self) -> str:
        """Return the specification as one line of JSON, for :func:`read_specification`."""
        return json.dumps(asdict(self), separators=(",", ":"))


def read_specification(text: str) -> Specification:
    """Read the output of :meth:`Specification.to_json`; without a version of the rules it is of version 1.

    Raises:
        EventRuleError: ``unknown-rules``, if a later release wrote it.
    """
    data: Mapping[str, Any] = json.loads(text)
    rules = int(data.get("rules", 1))
    if rules not in SUPPORTED_RULES:
        raise EventRuleError("unknown-rules", rules=rules)
    return Specification(
        str(data["format"]),
        tuple(read_entry(entry) for entry in data["entries"]),
        str(data["seed"]),
        read_parameters(data["parameters"]),
        rules,
    )


def read_entry(data: Mapping[str, Any]) -> Entry:
    """Return an entry from its JSON form."""
    return Entry(**{**data, "roster": tuple(data.get("roster", ()))})


def read_parameters(data: Mapping[str, Any]) -> Parameters:
    """Return parameters from their JSON form; missing ones have their default.

    Raises:
        EventRuleError: ``unknown-parameter``.
    """
    names = {parameter.name for parameter in fields(Parameters)}
    unknown = sorted(set(data) - names - _RETIRED_PARAMETERS)
    if unknown:
        raise EventRuleError("unknown-parameter", name=unknown[0])
    values = {name: value for name, value in data.items() if name in names}
    return Parameters(**{**values, "tie_breaks": tuple(data.get("tie_breaks", ()))})


def seeded(entries: Sequence[Entry], seed: str, *, by: Literal["rating", "lot"]) -> tuple[Entry, ...]:
    """Return the entries in seed order, best first: by rating with unrated ones last and by lot, or all by lot."""
    lots = [-player_lot(f"{seed}/seeding", number) for number in range(len(entries))]

    def key(number: int) -> tuple[float, int]:
        rating = entries[number].rating
        return (float("inf") if rating is None or by == "lot" else -rating, lots[number])

    return tuple(entries[number] for number in sorted(range(len(entries)), key=key))
