"""Rounds of two: matches of one or several games, Dutch Swiss, round robins and brackets."""
