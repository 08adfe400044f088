"""What the rules of events refuse, as refusals of the host."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from host.errors import ErrorCode, HostError
from tournaments.errors import EventRuleError

_CODES: Final = {
    "too-few": ErrorCode.TOO_FEW_ENTRIES,
    "too-many": ErrorCode.TOO_MANY_ENTRIES,
    "sign-up-closed": ErrorCode.SIGN_UP_CLOSED,
    "already-entered": ErrorCode.ENTERED_ALREADY,
    "already-withdrawn": ErrorCode.NOT_ENTERED,
    "no-such-player": ErrorCode.NOT_ENTERED,
    "not-withdrawn": ErrorCode.NOT_ENTERED,
    "no-such-round": ErrorCode.NO_SUCH_TABLE,
    "no-such-table": ErrorCode.NO_SUCH_TABLE,
    "game-running": ErrorCode.GAME_UNDECIDED,
    "seats-differ": ErrorCode.BAD_RESULT,
    "no-such-seat": ErrorCode.BAD_RESULT,
    "already-extended": ErrorCode.EXTENDED_ALREADY,
    "round-has-results": ErrorCode.ROUND_PLAYED,
    "stage-not-running": ErrorCode.NO_SUCH_TABLE,
    "line-up-length": ErrorCode.BAD_LINE_UP,
    "line-up-twice": ErrorCode.BAD_LINE_UP,
    "not-in-roster": ErrorCode.BAD_LINE_UP,
    "team-not-paired": ErrorCode.NO_LINE_UP_DUE,
    "board-decided": ErrorCode.LINE_UP_LATE,
    "no-such-board": ErrorCode.BAD_LINE_UP,
}


def refusal(error: EventRuleError) -> HostError:
    """The refusal of the host for one of the rules; ``reason`` is the code of the rules."""
    code = _CODES.get(error.code, ErrorCode.BAD_PLAN)
    values = {"players": "entries"}
    return HostError(code, reason=error.code, **{values.get(name, name): value for name, value in error.values.items()})


@contextmanager
def as_refusals() -> Iterator[None]:
    """Whatever the rules of events refuse within the block is refused by the host."""
    try:
        yield
    except EventRuleError as error:
        raise refusal(error) from error
