"""Rounds of duels, which are matches between two sides: their games and winners, and Swiss pairing."""
