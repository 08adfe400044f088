"""The game host without Discord: lobbies, tables (lock, legality, log) and the outbox."""

from host.chores import PUT_AWAY_AFTER, Chores
from host.clock import Clock, SystemClock
from host.epochs import CardSeen, Epoch
from host.errors import ErrorCode, HostError
from host.founding import Label, moved_on
from host.host import Host
from host.lobbies import Lobbies
from host.outbox import Outbox
from host.personal import Drafts, PersonalPreferences
from host.settings import HostSettings
from host.values import CheckReport, Game, GameSummary, LoggedAction, Moment, Outcome, Post, Table
from store import (
    Chore,
    ChoreKind,
    Draft,
    GameStatus,
    Lobby,
    LobbyState,
    NewLobby,
    Person,
    PostKind,
    Preferences,
    TableSettings,
)

__all__ = [
    "PUT_AWAY_AFTER",
    "CardSeen",
    "CheckReport",
    "Chore",
    "ChoreKind",
    "Chores",
    "Clock",
    "Draft",
    "Drafts",
    "Epoch",
    "ErrorCode",
    "Game",
    "GameStatus",
    "GameSummary",
    "Host",
    "HostError",
    "HostSettings",
    "Label",
    "Lobbies",
    "Lobby",
    "LobbyState",
    "LoggedAction",
    "Moment",
    "NewLobby",
    "Outbox",
    "Outcome",
    "Person",
    "PersonalPreferences",
    "Post",
    "PostKind",
    "Preferences",
    "SystemClock",
    "Table",
    "TableSettings",
    "moved_on",
]
