"""Tournaments, leagues and the ladder: from sign-up to the final table. The rules are in ``tournaments``."""

from host.events.events import Events
from host.events.organising import LONGEST_REPORT
from host.events.planning import profile_plan
from host.events.views import (
    REFUSED,
    ChoiceView,
    EventPlan,
    EventPost,
    EventSummary,
    EventView,
    RankView,
    RatingView,
    RoundView,
    TableView,
    TeamView,
)
from store import AuditRecord, EventPostKind, EventState, ReportRecord, TableState
