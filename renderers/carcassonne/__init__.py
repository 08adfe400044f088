"""Pictures of Carcassonne with its boxes, on the sheets, pieces and themes that all games share."""

from renderers.carcassonne.cards import composer, turn_card, whole_board
from renderers.carcassonne.film import replay
from renderers.carcassonne.pile import remaining
from renderers.carcassonne.scoreboard import Tally, score_panel
from renderers.carcassonne.values import Ghost
from renderers.carcassonne.warming import warm_up

__all__ = ["Ghost", "Tally", "composer", "remaining", "replay", "score_panel", "turn_card", "warm_up", "whole_board"]
