"""Events: what was announced, who entered, rounds and tables, results, ratings, the ladder."""
