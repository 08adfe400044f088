"""Commands of events, ratings and the ladder."""
