"""What outlasts an event: seasons of leagues, ratings, the ladder."""
