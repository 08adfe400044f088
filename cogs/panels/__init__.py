"""Cards, the messages beside them, and panels that several commands show."""
