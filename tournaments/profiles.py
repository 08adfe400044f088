"""The usual events by name: a format with the parameters that go with it, each of them open to the organiser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from tournaments.specification import Parameters


@dataclass(frozen=True, slots=True)
class Profile:
    """A usual case."""

    format: str
    parameters: Parameters = field(default_factory=Parameters)


PROFILES: Final[Mapping[str, Profile]] = MappingProxyType(
    {
        "multiplayer-cup": Profile("tables"),
        "multiplayer-swiss": Profile("swiss-tables", Parameters(pace="fast", late="average")),
        "multiplayer-league": Profile("league"),
        "duel-open": Profile("duel-swiss-knockout", Parameters(best_of=3)),
        "duel-weekend": Profile("duel-swiss", Parameters(pace="live")),
        "duel-league": Profile("duel-league"),
        "castle-cup": Profile("duel-double-elimination", Parameters(game="the-castle", best_of=3)),
        "server-match": Profile("team-round-robin"),
        "server-swiss": Profile("team-swiss"),
    }
)
