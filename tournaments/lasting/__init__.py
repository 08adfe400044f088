"""Results beyond a single event: the seasons of leagues, ratings of players, and the ladder."""
