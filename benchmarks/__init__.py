"""Measurements: how fast, how strong, how well calibrated."""
