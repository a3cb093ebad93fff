"""How a notice leaves the page: made out by the user's choices, held while it may still be too early, sent once."""
