"""The stored texts of two whole games in every language, proofread by people; a changed text fails the test.

Run ``python -m tests.golden.wording`` after an intended change of texts.
"""

from collections.abc import Iterator, Sequence

import pytest

from cogs.texts import FAILED_TEXTS, catalogue, missing_in
from cogs.texts.languages import languages
from tests.golden.wording import FOLDER, PlayedGame, play_whole_games, wording


@pytest.fixture(scope="module")
def games() -> Iterator[Sequence[PlayedGame]]:
    """Yield the games, played once and without drawing pictures."""
    with pytest.MonkeyPatch.context() as patch:
        yield play_whole_games(patch)


@pytest.mark.parametrize("language", languages())
def test_the_stored_texts_are_up_to_date(language: str, games: Sequence[PlayedGame]) -> None:
    """Run ``python -m tests.golden.wording`` after an intended change, and read the difference."""
    FAILED_TEXTS.clear()
    catalogue(language).unsaid.clear()
    assert wording(language, games).splitlines() == (FOLDER / f"{language}.md").read_text(encoding="utf-8").splitlines()
    in_english = {key for spoken, key in FAILED_TEXTS if spoken == language}
    assert in_english <= {*missing_in(catalogue(language))}, "nothing else is said in English instead"
    assert not catalogue(language).unsaid


def test_the_games_contain_every_kind_of_action(games: Sequence[PlayedGame]) -> None:
    carcassonne, the_castle = ({type(entry.action).__name__ for entry in game.whole.actions} for game in games)
    auction = {"SelectLot", "Bid", "Buy", "Sell"}
    castles = {"BuildCastle", "ScoreTown", "ChooseSource"}
    assert carcassonne == {"Place", "Deploy", "Pass", "Resign"} | auction | castles
    assert the_castle == {"Place", "Deploy", "Pass", "ScoreFeature", "Double", "PlayAgain"}
