"""Statements about games.

``games`` has games with their seats and logs, ``lobbies`` the gatherings before them, ``moves`` undos and pending
moves, ``outbox`` the messages to send, ``clocks`` and ``timers`` the time of players, ``absences`` their vacations, and
``requests`` what players ask of each other. ``game_headers`` has the row that every click reads.
"""
