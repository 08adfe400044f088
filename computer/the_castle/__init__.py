"""The evaluation and the decisions of The Castle."""
