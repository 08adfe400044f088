"""Tournaments, leagues and the ladder: from sign-up to the final table. The rules are in ``tournaments``."""

from host.events.events import Events
from host.events.organising import MAX_REPORT_LENGTH
from host.events.planning import profile_plan
from host.events.views import (
    REFUSAL_DETAIL,
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
