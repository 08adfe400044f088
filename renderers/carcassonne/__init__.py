"""Pictures of Carcassonne with its expansions, drawn with the sheets, pieces and themes that all games share."""

from renderers.carcassonne.cards import composer, replay, turn_card, warm_up, whole_board
from renderers.carcassonne.figures import Ghost
from renderers.carcassonne.inset import remaining
from renderers.carcassonne.scoreboard import Tally, score_panel
