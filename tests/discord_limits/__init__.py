"""Discord's hard limits and its request schemas, checked on plain JSON payloads.

`limits` holds the limits of the documentation, `openapi` the schemas of Discord's OpenAPI document, and `routes` the
mapping from a request to its checks. `recorder` records all requests that a bot sends to simcord, an in-process
Discord. Every check yields sentences, each of which begins with the location of the fault in the payload.
"""
