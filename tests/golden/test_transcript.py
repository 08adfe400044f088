"""The stored transcripts of a game played with a screen reader, in every language, and the samples of its guide.

They show what a screen reader reads aloud; ``python -m tests.golden.transcript`` and ``python -m
tests.golden.guide_samples`` write them.
"""

from pathlib import Path

import pytest

from cogs.texts.languages import languages
from tests.golden import guide_samples
from tests.golden.guide_samples import GUIDE, SAMPLE
from tests.golden.transcript import FOLDER, transcript

README = Path(__file__).parents[2] / "README.md"


@pytest.mark.parametrize("language", languages())
def test_the_stored_transcript_is_up_to_date(language: str, tmp_path: Path) -> None:
    """Run ``python -m tests.golden.transcript`` after an intended change, and read the difference."""
    stored = (FOLDER / f"{language}.md").read_text(encoding="utf-8")
    assert stored.splitlines() == transcript(language, tmp_path).splitlines()


def test_the_samples_of_the_guide_are_up_to_date(tmp_path: Path) -> None:
    """Run ``python -m tests.golden.guide_samples`` after an intended change, and read the difference."""
    document = GUIDE.read_text(encoding="utf-8")
    samples = guide_samples.samples(tmp_path)
    assert {found[2] for found in SAMPLE.finditer(document)} == samples.keys()
    assert document.splitlines() == guide_samples.with_samples(document, samples).splitlines()
