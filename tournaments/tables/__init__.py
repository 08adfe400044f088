"""Rounds of tables: how a field divides, who meets whom, and who sits where."""
