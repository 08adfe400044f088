"""The levels of computers that a table may choose."""

from __future__ import annotations

from typing import Final

QUICK: Final = "quick"
"""The level that also decides in place of another one which has failed."""
LEVELS: Final = (QUICK, "standard", "strong")
"""The levels that a table may choose, weakest first."""
