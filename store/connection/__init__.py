"""The database itself: opening an SQLite file or a PostgreSQL server, transactions, outages, and migrations.

``database.Store`` is what the rest of the bot uses; ``dialect`` hides the differences between the two databases.
"""
