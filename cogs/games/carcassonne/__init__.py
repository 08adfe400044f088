"""What Carcassonne presents on Discord: its words, its buttons, its composer, its pictures."""
