"""Discord's hard limits and its request schemas, checked on plain JSON payloads.

`limits` knows the limits of the documentation, `openapi` the schemas of Discord's OpenAPI document, `routes`
which of them hold for a request, and `recorder` collects everything that the bot sends under simcord.
"""
