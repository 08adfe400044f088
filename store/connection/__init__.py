"""The database itself: engines of SQLite and PostgreSQL, transactions, what differs between the two, files."""
