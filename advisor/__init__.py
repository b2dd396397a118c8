"""Bridgette under uncertainty: advice for a player who sees one hand, and the command line."""
