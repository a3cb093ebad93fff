"""The games, the matches played of them, and everything a visitor does with a match."""
