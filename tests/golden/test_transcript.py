"""The transcript of a game by ear: ``docs/by-ear.md`` has what is said today, in every language."""

from pathlib import Path

import pytest

from cogs.texts.languages import languages
from tests.golden.transcript import FILE, heard


@pytest.mark.parametrize("language", languages())
def test_the_transcript_is_what_is_heard(language: str, tmp_path: Path) -> None:
    """If the change is intended, run ``python -m tests.golden.transcript`` and read the difference."""
    parts = FILE.read_text(encoding="utf-8").split("\n## ")
    [written] = [part for part in parts if part.startswith(f"{languages()[language].name}\n")]
    assert f"## {written}".strip().splitlines() == heard(language, tmp_path).strip().splitlines()
