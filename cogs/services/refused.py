"""What a cog itself refuses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discord import ui


class RefusedError(Exception):
    """What a cog itself refuses: a sentence under ``refusal``, its values, and perhaps buttons that help."""

    def __init__(
        self, key: str, /, *, offer: ui.Item[Any] | None = None, offers: Sequence[ui.Item[Any]] = (), **values: object
    ) -> None:
        super().__init__(key)
        self.key = key
        self.offers = (offer, *offers) if offer else tuple(offers)
        self.values = values
