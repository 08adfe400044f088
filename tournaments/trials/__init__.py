"""Events that nobody plays: simulated ones, and how well formats rank."""
