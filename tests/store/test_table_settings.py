"""Settings of tables: their stored form, and which hints they allow."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from store import TableSettings


@pytest.mark.parametrize(
    "settings",
    [TableSettings(), TableSettings(hints=False), TableSettings(hints_off=("cells", "tiles"), theme="night")],
)
def test_settings_come_back_as_they_were_stored(settings: TableSettings) -> None:
    assert TableSettings.of(json.loads(json.dumps(asdict(settings)))) == settings


def test_what_was_stored_before_there_were_single_hints_reads_as_it_did() -> None:
    assert TableSettings.of({"hints": False, "theme": "day"}) == TableSettings(hints=False)
    assert TableSettings.of({}) == TableSettings()
    assert TableSettings.of({"hints": True, "unheard": [1]}) == TableSettings()


def test_hints_are_off_one_by_one_or_all_together() -> None:
    assert TableSettings().allows("tiles")
    one = TableSettings(hints_off=("tiles",))
    assert (one.allows("tiles"), one.allows("cells")) == (False, True)
    assert not TableSettings(hints=False).allows("cells")
