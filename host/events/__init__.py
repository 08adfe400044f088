"""Events: tournaments, leagues and the ladder, from sign-up to the final standings.

This package stores events and runs them. Their rules, such as pairings, standings and ratings, are pure functions in
the package ``tournaments``. The bot uses :class:`Events`, which has all services, and the values exported here.
"""

from host.events.events import Events
from host.events.organising import MAX_REPORT_LENGTH
from host.events.planning import profile_plan
from host.events.views import (
    REFUSAL_DETAIL,
    AllTimeView,
    ChoiceView,
    EntrantKey,
    EventPlan,
    EventPost,
    EventSummary,
    EventView,
    ExchangeView,
    RankView,
    RatingView,
    RoundView,
    TableView,
    TeamView,
    computer_key,
    computer_of,
)
from store import AuditRecord, EventPostKind, EventState, ReportRecord, TableState
