"""Matches: challenges that were accepted, played as an event of two players.

So a match has what events have: seats that are exchanged from game to game, results, deadlines, and ratings. Its
players have agreed on it, so it has no organisers and no sign-up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from host.clock import Clock
from host.events.log import EventLog
from host.events.planning import Starts, check_plan
from host.events.views import MATCH_FORMAT, EventPlan, EventView
from host.lobbies import Lobbies, check_start
from host.naming import new_code, unique_names
from host.settings import HostSettings
from store import EntryRecord, EventState, Lobby, Store, Transaction, event_entries, events, lobbies
from store.tourneys.events import NewEvent
from tournaments.specification import PaceName, Parameters


def match_plan(lobby: Lobby) -> EventPlan:
    """Return the plan of the event that a challenge becomes."""
    settings = lobby.settings
    parameters = Parameters(
        game=lobby.game,
        pace=cast("PaceName", settings.pace),
        purist=not settings.hints,
        rated=lobby.rated,
        best_of=lobby.best_of or 1,
    )
    return EventPlan(
        format=MATCH_FORMAT,
        parameters=parameters,
        expansions=lobby.expansions,
        options=lobby.options,
        language=settings.language,
    )


@dataclass(eq=False)
class Matches:
    """Turns challenges that everybody has accepted into events."""

    _store: Store
    _clock: Clock
    _settings: HostSettings
    _log: EventLog
    _starts: Starts
    _lobbies: Lobbies

    async def begin(self, lobby_id: int, user_id: int, interaction_id: int) -> EventView:
        """Begin the match of a challenge; its players may, as soon as both have accepted.

        Raises:
            HostError: ``unknown_lobby``, ``lobby_started``, ``lobby_closed``, ``not_in_lobby``, ``too_few_players``.
        """
        async with self._lobbies.changing(lobby_id, interaction_id, "match begun", user_id) as (tx, lobby):
            if lobby is not None:
                check_start(lobby, user_id)
                await lobbies.set_event(tx, lobby_id, await self._add(tx, lobby))
        begun = await self._lobbies.get(lobby_id)
        return await self._store.read(self._log.view, begun.event_id or 0)

    async def _add(self, tx: Transaction, lobby: Lobby) -> int:
        """Store the event of a match with its two entries, and start it; return its id."""
        now, plan, code = self._clock.now(), match_plan(lobby), new_code()
        check_plan(plan)
        while await events.is_code_taken(tx, code):
            code = new_code()
        name, owner = " \N{EN DASH} ".join(unique_names(lobby.members)), lobby.owner or lobby.members[0]
        new = NewEvent(
            code=code,
            name=name,
            guild_id=lobby.guild_id,
            channel_id=lobby.channel_id,
            owner=owner,
            plan=plan.to_data(),
            seed=self._settings.new_seed(),
        )
        event_id = await events.add(tx, new, now)
        await events.update_event(tx, event_id, {"state": EventState.OPEN})
        for person in lobby.members:
            entry = EntryRecord(event_id=event_id, person=person, guild_id=lobby.guild_id, joined_at=now)
            await event_entries.add(tx, entry)
        await self._starts.start_in(tx, await self._log.lock(tx, event_id), (), owner.user_id)
        return event_id
