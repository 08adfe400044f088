"""Pictures of Carcassonne: The Castle, in the style of the first game and on its sheets, pieces and themes."""

from renderers.panels import summary
from renderers.the_castle.cards import composer, order_question, turn_card, whole_board
from renderers.the_castle.values import Area, Choice, Ghost

__all__ = [
    "Area",
    "Choice",
    "Ghost",
    "composer",
    "order_question",
    "summary",
    "turn_card",
    "whole_board",
]
