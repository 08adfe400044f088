"""Tournaments, leagues and the ladder: from sign-up to the final table. The rules are in ``tournaments``."""
