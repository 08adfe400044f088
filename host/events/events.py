"""Events: everything that the cogs ask for about tournaments, leagues and the ladder."""

from __future__ import annotations

from functools import partial

from host.agreements.substituting import Substituting
from host.clock import Clock
from host.events.exporting import Exporting
from host.events.games.ladder import Ladder
from host.events.games.rating import Ratings
from host.events.posts import EventPosts
from host.events.shown.known import GOING
from host.play.hooks import EventGame
from host.play.outbox import Outbox
from host.rights import Asker
from host.settings import HostSettings
from store import Game, Store, event_tables


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
