"""The pinned version of py4swiss draws a round as the documented edition of the Dutch system requires it.

The Dutch system is FIDE's way to pair players of equal scores. A later edition of it draws the recorded round
differently. The file has one line for each of 60 players, with the opponent, colour and result of each round, as in
FIDE's format TRF.
"""

from pathlib import Path

from py4swiss.engines import DutchEngine
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

FOLDER = Path(__file__).parent / "recorded"
POINTS = {"1": 10, "+": 10, "=": 5, "0": 0, "-": 0}
"""Points of each result, times ten: a win, a win by default, a draw, losses."""


def player_section(number: int, line: str) -> PlayerSection:
    """Parse the line of a player."""
    rounds = line.split()
    return PlayerSection(
        code=PlayerCode.PLAYER,
        starting_number=number,
        points_times_ten=sum(POINTS[result[-1]] for result in rounds),
        rank=number,
        results=[
            RoundResult(id=int(result[:-2]), color=ColorToken(result[-2]), result=ResultToken(result[-1]))
            for result in rounds
        ],
    )


def test_the_recorded_round_of_sixty_players_is_reproduced() -> None:
    lines = (FOLDER / "dutch_60_players.txt").read_text(encoding="ascii").splitlines()
    tournament = ParsedTrf(
        player_sections=[player_section(number, line) for number, line in enumerate(lines, 1)],
        x_section=XSection(number_of_rounds=15),
    )
    tournament.validate_contents()
    drawn = [f"{result.white} {result.black}" for result in DutchEngine.generate_pairings(tournament)]
    recorded = (FOLDER / "dutch_60_players_round_15.txt").read_text(encoding="ascii")
    assert drawn == [pair.strip() for pair in recorded.replace("\n", " ").split(",")]
