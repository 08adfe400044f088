"""The stored transcript ``docs/by-ear.md`` of a game played with a screen reader, in every language.

The transcript shows what a screen reader reads aloud; it is written by ``python -m tests.golden.transcript``.
"""

from pathlib import Path

import pytest

from cogs.texts.languages import languages
from tests.golden.transcript import TRANSCRIPT_FILE, language_section


@pytest.mark.parametrize("language", languages())
def test_the_stored_transcript_is_up_to_date(language: str, tmp_path: Path) -> None:
    """Run ``python -m tests.golden.transcript`` after an intended change, and read the difference."""
    parts = TRANSCRIPT_FILE.read_text(encoding="utf-8").split("\n## ")
    [stored_section] = [part for part in parts if part.startswith(f"{languages()[language].name}\n")]
    assert f"## {stored_section}".strip().splitlines() == language_section(language, tmp_path).strip().splitlines()
