"""Work of the bot that no user waits for.

Sending the messages that the host has stored, periodic tasks, direct messages, the connections to Discord, and
reactions to events that Discord reports.
"""
