"""The tests, with the slow oracle (`oracle`) and the random positions (`positions`) that they share."""
