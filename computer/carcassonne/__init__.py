"""The evaluation and the decisions of Carcassonne."""
