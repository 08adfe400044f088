"""The presentation of each game: its words, buttons and pictures."""
