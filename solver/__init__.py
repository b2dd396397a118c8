"""Bridgette exactly: the rules of the game, and the exact search on top of them (imported only when asked for)."""
