"""Settings of tables: their stored form, and which hints they allow.

Settings are stored as JSON. Older versions wrote other fields, which are ignored; hints, such as the one on tiles,
are switched off by name.
"""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from store import TableSettings


@pytest.mark.parametrize(
    "settings",
    [TableSettings(), TableSettings(hints=False), TableSettings(hints_off=("cells", "tiles"), theme="night")],
)
def test_settings_survive_a_round_trip(settings: TableSettings) -> None:
    assert TableSettings.of(json.loads(json.dumps(asdict(settings)))) == settings


def test_settings_of_older_versions_are_read() -> None:
    assert TableSettings.of({"hints": False, "theme": "day"}) == TableSettings(hints=False)
    assert TableSettings.of({}) == TableSettings()
    assert TableSettings.of({"hints": True, "unheard": [1]}) == TableSettings()


def test_hints_are_switched_off_singly_or_all_together() -> None:
    assert TableSettings().allows("tiles")
    without_tiles = TableSettings(hints_off=("tiles",))
    assert (without_tiles.allows("tiles"), without_tiles.allows("cells")) == (False, True)
    assert not TableSettings(hints=False).allows("cells")
