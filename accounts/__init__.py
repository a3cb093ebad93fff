"""People, guests and bots as users of the site. Knows nothing of games."""
