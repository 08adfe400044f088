"""A game going on: its table in memory, moves and plans, what is published and posted, and where."""
