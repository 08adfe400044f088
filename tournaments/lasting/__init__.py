"""Results that outlast an event: league seasons, ratings and the ladder."""
