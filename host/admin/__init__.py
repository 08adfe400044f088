"""Administration of a running bot, for its operators.

Checks of stored data, health, operators' decisions, erasure and retention of data, quotas of expensive requests, and
the processes that share a database.
"""
