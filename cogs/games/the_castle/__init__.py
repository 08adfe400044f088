"""What The Castle presents on Discord: its words, its buttons, its composer, its pictures."""
