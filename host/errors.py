"""What the host refuses: machine codes with values, which the cogs turn into a player's words."""

from __future__ import annotations

from enum import StrEnum


class ErrorCode(StrEnum):
    """Why something was refused; the values that come with it stand in brackets."""

    UNKNOWN_GAME = "unknown_game"
    """No game has this code or id (ref)."""
    UNKNOWN_LOBBY = "unknown_lobby"
    """No lobby has this id (lobby_id)."""
    NOT_A_PLAYER = "not_a_player"
    """Only players of the game may do this (code)."""
    RESIGNED = "resigned"
    """This player has left the game (code)."""
    NOT_YOUR_TURN = "not_your_turn"
    """Somebody else has to decide (player: the name)."""
    STALE = "stale"
    """The game has moved on since (revision, current)."""
    ILLEGAL = "illegal"
    """The rules do not allow it (reason, action)."""
    WAITS = "waits"
    """A move of this player waits already to be published (code)."""
    NOTHING_WAITS = "nothing_waits"
    """No move of this player waits to be published: it is published, or was taken back (code)."""
    NOTHING_TO_UNDO = "nothing_to_undo"
    """This player has decided nothing that could be undone (code)."""
    ASKED_ALREADY = "asked_already"
    """Something is asked of the players already (code)."""
    NOT_ASKED = "not_asked"
    """This player is not asked (code)."""
    REQUEST_GONE = "request_gone"
    """The request was answered, has lapsed, or the game has gone on (code)."""
    GAME_OVER = "game_over"
    """The game has ended (code)."""
    NOT_OVER = "not_over"
    """The game goes on (code)."""
    FROZEN = "frozen"
    """The game no longer replays to its stored position and rests until the bot is mended (code)."""
    UNREADABLE = "unreadable"
    """The game cannot be read just now; it stays as it is (code, or what else it was asked for by)."""
    LOBBY_FULL = "lobby_full"
    """Every chair is taken (capacity)."""
    LOBBY_STARTED = "lobby_started"
    """The lobby is a game by now (game_id)."""
    LOBBY_CLOSED = "lobby_closed"
    """The lobby was closed, or everybody has left it."""
    ALREADY_JOINED = "already_joined"
    """A member cannot join once more."""
    NOT_IN_LOBBY = "not_in_lobby"
    """Only members may do this."""
    NOT_OWNER = "not_owner"
    """Only the owner may start before the lobby is full, change its rules or say who sits there (owner: the name)."""
    NOT_MANAGER = "not_manager"
    """Only who manages the server may do this."""
    NOTE_TOO_LONG = "note_too_long"
    """Nobody can write down so much about a game (most, length)."""
    NOT_OPENER = "not_opener"
    """Only members with a role may open games in this server (role: its id)."""
    REMOVED_FROM_LOBBY = "removed_from_lobby"
    """Who was removed from a lobby cannot join it again."""
    TOO_MANY_LOBBIES = "too_many_lobbies"
    """One owner has as many open lobbies in the server as may be (most)."""
    TOO_MANY_LOBBIES_HERE = "too_many_lobbies_here"
    """The server has as many open lobbies as may be (most)."""
    TOO_MANY_GAMES = "too_many_games"
    """Somebody plays as many games in the server as may be (player: the name, most)."""
    TOO_MANY_GAMES_HERE = "too_many_games_here"
    """As many games go on in the server as may be (most)."""
    CHANNEL_CLOSED = "channel_closed"
    """The server's managers do not let games be played here (channels: the ids of those in which they may be)."""
    NOT_SEEN = "not_seen"
    """A player cannot see the place to which the game would move (player: the name)."""
    MOVED_LATELY = "moved_lately"
    """The game was moved a short while ago (minutes: the wait between two moves)."""
    TOO_FEW_PLAYERS = "too_few_players"
    """Not enough members to start (players, least)."""
    BAD_PLAYERS = "bad_players"
    """Nobody can play with so many (capacity, least, most)."""
    BAD_OPTIONS = "bad_options"
    """There is no such option or expansion (reason)."""


class HostError(Exception):
    """A refusal; nothing has been changed."""

    def __init__(self, code: ErrorCode, /, **values: object) -> None:
        super().__init__(code.value, values)
        self.code = code
        self.values = values

    def __str__(self) -> str:
        return " ".join([self.code.value, *(f"{name}={value!r}" for name, value in self.values.items())])
