"""Tournaments, leagues and the ladder: from sign-up to the final table. The rules are in ``tournaments``."""

from host.events.events import Events
from host.events.organising import LONGEST_REPORT
from host.events.planning import profile_plan
from host.events.views import (
    INHERITED_AFTER,
    MOST_EXTENSION,
    MOST_PAUSE,
    REFUSED,
    ChoiceView,
    EntryView,
    EventPlan,
    EventPost,
    EventSummary,
    EventView,
    LineUpView,
    RankView,
    RatingView,
    RoundView,
    TableView,
    TeamView,
)
from store import AuditRecord, EventPostKind, EventState, ReportRecord, TableState

__all__ = [
    "INHERITED_AFTER",
    "LONGEST_REPORT",
    "MOST_EXTENSION",
    "MOST_PAUSE",
    "REFUSED",
    "AuditRecord",
    "ChoiceView",
    "EntryView",
    "EventPlan",
    "EventPost",
    "EventPostKind",
    "EventState",
    "EventSummary",
    "EventView",
    "Events",
    "LineUpView",
    "RankView",
    "RatingView",
    "ReportRecord",
    "RoundView",
    "TableState",
    "TableView",
    "TeamView",
    "profile_plan",
]
