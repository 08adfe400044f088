"""Services of the bot's client that all of its commands and buttons share.

Queries to Discord with cached answers, rate limits, threads that draw pictures, and state in memory. They are
attributes of the client, which every interaction knows as ``interaction.client``.
"""
