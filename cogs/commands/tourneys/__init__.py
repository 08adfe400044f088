"""Slash commands about events and ratings.

An *event* is a tournament or a league; its organisers and its players have commands of their own. The *ladder* is a
queue in which players wait for an opponent of similar strength. Ratings have a leaderboard for each server.
"""
