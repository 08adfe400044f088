"""Records of punctuality in words."""

from __future__ import annotations

from cogs.texts import t
from host import PunctualityRecord


def record_values(record: PunctualityRecord) -> dict[str, object]:
    """Return the values of a sentence about a record."""
    counts = {"finished": record.finished, "timeouts": record.timeouts, "withdrawals": record.withdrawals}
    return {**counts, "percent": record.percent}


def player_line(name: str, record: PunctualityRecord | None) -> str:
    """Return the line of a player in a list, with their record if they show it."""
    if record is None:
        return t("lobby.member", player=name)
    return t("punctuality.player", player=name, **record_values(record))
