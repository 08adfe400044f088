"""The presentation of The Castle: its words, buttons, composer and pictures."""
