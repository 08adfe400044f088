"""What the bot does without being asked: posting, looking after what is over, noticing what happens in Discord."""
