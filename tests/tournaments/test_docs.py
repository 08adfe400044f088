"""``docs/tournaments.md`` is complete and up to date with the library.

The library generates the tables of that document. `field_table` lists the sizes of the game tables for each number of
players. The number of kinds of facts is fixed here as a reminder: a new kind has to be documented, too.
"""

from pathlib import Path

from tournaments.cli import field_table
from tournaments.facts import FACTS
from tournaments.formats import FORMATS
from tournaments.ranking import LEAVER_TIE_BREAKS, TIE_BREAKS

TOURNAMENTS_DOCUMENT = Path("docs/tournaments.md").read_text(encoding="utf-8")
"""The text of the document."""


def test_the_table_of_fields_is_up_to_date() -> None:
    assert "\n".join(field_table()) in TOURNAMENTS_DOCUMENT


def test_every_format_tie_break_and_reason_is_mentioned() -> None:
    assert len(FACTS) == 17
    reasons = ("first-seats-uneven", "repeats-unavoidable", "repeats-no-better-found", "second-three", "no-legal-round")
    for name in (*FORMATS, *TIE_BREAKS, *LEAVER_TIE_BREAKS, *reasons):
        assert f"`{name}`" in TOURNAMENTS_DOCUMENT, name
