"""Events: everything that the cogs ask for about tournaments, leagues and the ladder."""

from __future__ import annotations

from functools import partial

from host.agreements.substituting import Substituting
from host.clock import Clock
from host.errors import ErrorCode, HostError
from host.events.exporting import Exporting
from host.events.games.ladder import Ladder
from host.events.games.rating import Ratings
from host.events.posts import EventPosts
from host.events.views.known import GOING
from host.events.views.values import EventSummary, EventView
from host.play.hooks import EventGame
from host.play.outbox import Outbox
from host.rights import Asker
from host.settings import HostSettings
from store import EventState, Game, Store, event_tables


class Events(Exporting):
    """From sign-up to the podium; each change in one transaction with the interaction that asked for it.

    ``posts`` is what is to be posted, ``ratings`` the lists. ``access`` is set by whoever is connected to Discord.
    """

    def __init__(
        self, store: Store, clock: Clock, settings: HostSettings, messages: Outbox, play: Substituting
    ) -> None:
        super().__init__(store, clock, settings, messages, play)
        self.posts = EventPosts(store, clock, settings, self)
        self.ratings = Ratings(store, clock)
        self.ladder = Ladder(store, clock, settings, self, self.ratings)

    async def view_for(self, ref: int | str, asker: Asker) -> EventView:
        """An event as it is seen in its own server; one that is still being planned only by its organisers.

        Raises:
            HostError: ``unknown_event``, for all others, too.
        """
        view = await self.view(ref)
        hidden = view.state == EventState.DRAFT and not await self.organises(ref, asker)
        if view.guild_id != asker.guild_id or hidden:
            raise HostError(ErrorCode.UNKNOWN_EVENT, ref=ref)
        return view

    async def check_open_to(self, view: EventView, user_id: int) -> None:
        """Make sure that somebody in another server may know of an event: he is known to see where it is played.

        Raises:
            HostError: ``unknown_event``.
        """
        if view.state == EventState.DRAFT or await self.access(view.guild_id, view.channel_id, user_id) is not True:
            raise HostError(ErrorCode.UNKNOWN_EVENT, ref=view.code)

    async def check_organiser(self, view: EventView, asker: Asker) -> None:
        """Make sure that somebody may organise an event.

        Raises:
            HostError: ``unknown_event``, ``not_event_organiser``.
        """
        if not await self.organises(view.code, asker):
            raise HostError(ErrorCode.NOT_EVENT_ORGANISER, code=view.code)

    async def meant_in(self, guild_id: int) -> list[EventSummary]:
        """The events of a server that somebody may mean who names none: those not over, else the newest that is.

        Raises:
            HostError: ``unknown_event``: there is none.
        """
        found = await self.listed(guild_id) or (await self.over(guild_id))[:1]
        if not found:
            raise HostError(ErrorCode.UNKNOWN_EVENT, ref="")
        return found

    async def event_of(self, game: Game) -> EventGame | None:
        """The event of a game, for whoever may undo there or move its end."""
        async with self._store.reading() as tx:
            table = await event_tables.of_game(tx, game.id)
            if table is None:
                return None
            known = await self._known(tx, table.event_id)
            rated = known.running.specification.parameters.rated
            inherited = self._inherited(known.record)
        organisers = {person.user_id for person in known.organisers}

        def organises(asker: Asker) -> bool:
            has_role = known.plan.organiser_role is not None and known.plan.organiser_role in asker.roles
            here = asker.guild_id == known.record.guild_id
            return here and (asker.user_id in organisers or has_role or (inherited and asker.manages))

        going = known.record.state in GOING
        return EventGame(rated, organises, partial(self.extend_game, game) if going else None, known.record.code)
