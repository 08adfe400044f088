"""From a table that is opened to a game that begins."""
