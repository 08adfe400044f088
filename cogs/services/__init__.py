"""Services that every cog finds in ``interaction.client``: the bot as its cogs see it, and what it keeps for them."""
