"""All services for events (tournaments, leagues and the ladder) as one object, which builds and connects them.

An event is stored as a log of *facts* (:mod:`host.events.log`). The *driver* adds facts that follow from the rules
alone, such as the draw of the next round, and organisers add others. Each *table* of a round becomes an ordinary game.
"""

from __future__ import annotations

from host.clock import Clock
from host.events.driver import Driver, EventGameSync, TableOpenings
from host.events.exports import Exports
from host.events.ladder import Ladder
from host.events.log import EventLog
from host.events.organising import Deadlines, Organising, Reports
from host.events.planning import Plans, Starts
from host.events.posts import EventPosts
from host.events.reader import ChannelAccess, EventReader
from host.events.results import Ratings, Results
from host.events.seasons import SeasonGames
from host.events.sign_up import SignUp
from host.events.teams import Teams
from host.games.moves import Moves
from host.games.outbox import Outbox
from host.games.reader import GameReader
from host.rights import GameLimits
from host.settings import HostSettings
from host.votes.seats import Seats
from store import Store


class Events:
    """The services for events, from the plan to the final standings.

    Each change is stored in one transaction with the id of the interaction that asked for it, so that a repeated
    interaction changes nothing.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        settings: HostSettings,
        outbox: Outbox,
        games: GameReader,
        moves: Moves,
        seats: Seats,
    ) -> None:
        log = EventLog(store, clock)
        limits = GameLimits(store, settings)
        self.log = log
        self.access = ChannelAccess()
        self.reader = EventReader(store, log, self.access)
        self.plans = Plans(store, clock, settings, log)
        self.sign_up = SignUp(store, clock, log, self.reader, self.access, limits)
        self.starts = Starts(store, clock, log, self.access)
        self.openings = TableOpenings(store, clock, settings, outbox, log)
        self.ratings = Ratings(store, clock)
        self.ladder = Ladder(store, clock, settings, outbox, limits)
        self.results = Results(store, clock, log, games, self.ratings)
        self.deadlines = Deadlines(store, clock, outbox, log)
        game_sync = EventGameSync(store, clock, log, self.results, moves, seats, SeasonGames(store, clock, log, games))
        self.driver = Driver(store, clock, log, self.starts, self.deadlines, game_sync, self.access)
        self.organising = Organising(clock, outbox, log, self.sign_up, self.results, self.ratings)
        self.reports = Reports(clock, log)
        self.teams = Teams(store, clock, log, self.sign_up)
        self.exports = Exports(store, log, self.reader)
        self.posts = EventPosts(store, clock, settings, self.reader)
