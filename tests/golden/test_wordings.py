"""Two whole games as they are read in every language: read through by eye once, and noticed when they change."""

from collections.abc import Iterator, Sequence

import pytest

from cogs.texts import UNSAID, catalogue, missing_in
from cogs.texts.languages import languages
from tests.golden.wording import FOLDER, Played, games_read, wording


@pytest.fixture(scope="module")
def games() -> Iterator[Sequence[Played]]:
    """The games, played once; nothing is drawn."""
    with pytest.MonkeyPatch.context() as patch:
        yield games_read(patch)


@pytest.mark.parametrize("language", languages())
def test_what_is_read_is_what_was_read_through(language: str, games: Sequence[Played]) -> None:
    """If the change is intended, run ``python -m tests.golden.wording`` and read the difference."""
    UNSAID.clear()
    catalogue(language).unsaid.clear()
    assert wording(language, games).splitlines() == (FOLDER / f"{language}.md").read_text(encoding="utf-8").splitlines()
    in_english = {key for spoken, key in UNSAID if spoken == language}
    assert in_english <= {*missing_in(catalogue(language))}, "nothing else is said in English instead"
    assert not catalogue(language).unsaid


def test_everything_is_decided_in_the_games(games: Sequence[Played]) -> None:
    carcassonne, the_castle = ({type(entry.action).__name__ for entry in game.whole.actions} for game in games)
    auction = {"SelectLot", "Bid", "Buy", "Sell"}
    castles = {"BuildCastle", "ScoreTown", "ChooseSource"}
    assert carcassonne == {"Place", "Deploy", "Pass", "Resign"} | auction | castles
    assert the_castle == {"Place", "Deploy", "Pass", "ScoreFeature", "Double", "PlayAgain"}
