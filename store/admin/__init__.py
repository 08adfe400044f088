"""Statements for administration, as opposed to those for games.

``processes`` has the processes of the bot that share the database, ``operators`` the actions of the people who run the
bot, ``retention`` deletes obsolete rows, ``personal_data`` exports and erases what is stored about a person, and
``whole_database`` checks and copies everything.
"""
