"""``docs/tournaments.md`` says what the library does."""

from pathlib import Path

from tournaments.cli import field_table
from tournaments.facts import FACTS
from tournaments.formats import FORMATS
from tournaments.ranking import LEAVER_TIE_BREAKS, TIE_BREAKS

TEXT = Path("docs/tournaments.md").read_text(encoding="utf-8")


def test_every_field_is_tabulated() -> None:
    assert "\n".join(field_table()) in TEXT


def test_every_format_tie_break_and_reason_is_named() -> None:
    assert len(FACTS) == 13
    reasons = ("first-seats-uneven", "repeats-unavoidable", "repeats-no-better-found", "second-three", "no-legal-round")
    for name in (*FORMATS, *TIE_BREAKS, *LEAVER_TIE_BREAKS, *reasons):
        assert f"`{name}`" in TEXT, name
