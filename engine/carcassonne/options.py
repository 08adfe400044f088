"""The options of Carcassonne with all boxes, and the presets of the editions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.carcassonne.base import BaseOptions
from engine.carcassonne.expansions import REGISTRY
from engine.options import Value, combine_options

STANDARD: Final = "standard"
"""The name of the preset in which every option has its default."""

Options: Final = combine_options(BaseOptions, [box.options for box in REGISTRY.values() if box.options is not None])
"""The options of the base game and of all boxes; the defaults are the preset ``standard``."""


def _editions() -> Mapping[str, BaseOptions]:
    """Return the options of each edition, the standard rules first."""
    values: dict[str, dict[str, Value]] = {STANDARD: {}}
    for box in REGISTRY.values():
        for edition, differences in box.presets.items():
            values.setdefault(edition, {}).update(differences)
    return MappingProxyType({edition: Options.of(differences) for edition, differences in values.items()})


PRESETS: Final = _editions()
"""The options of each edition, by the name of its preset."""
