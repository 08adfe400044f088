"""The pinned py4swiss pairs by the edition that the documentation names: a round that the next one changed."""

from pathlib import Path

from py4swiss.engines import DutchEngine
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

FOLDER = Path(__file__).parent / "recorded"
POINTS = {"1": 10, "+": 10, "=": 5, "0": 0, "-": 0}


def player(number: int, line: str) -> PlayerSection:
    rounds = line.split()
    return PlayerSection(
        code=PlayerCode.PLAYER,
        starting_number=number,
        points_times_ten=sum(POINTS[each[-1]] for each in rounds),
        rank=number,
        results=[
            RoundResult(id=int(each[:-2]), color=ColorToken(each[-2]), result=ResultToken(each[-1])) for each in rounds
        ],
    )


def test_the_last_round_of_sixty_players_is_that_of_the_edition() -> None:
    lines = (FOLDER / "dutch_60_players.txt").read_text(encoding="ascii").splitlines()
    known = ParsedTrf(
        player_sections=[player(number, line) for number, line in enumerate(lines, 1)],
        x_section=XSection(number_of_rounds=15),
    )
    known.validate_contents()
    drawn = [f"{each.white} {each.black}" for each in DutchEngine.generate_pairings(known)]
    recorded = (FOLDER / "dutch_60_players_round_15.txt").read_text(encoding="ascii")
    assert drawn == [two.strip() for two in recorded.replace("\n", " ").split(",")]
