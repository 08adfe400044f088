"""The buttons of a composer's panel."""

from __future__ import annotations

from cogs.presenting.presenter import Panel


def labels(panel: Panel) -> dict[str, str]:
    """Return the arguments of the buttons by their labels."""
    return {offer.label: offer.argument for row in panel.offers for offer in row}
