"""Services of the client that every cog reaches by ``interaction.client``: lookups, limits, rendering, memory."""
