"""What every test module shares: hypothesis draws the same examples each time, and no test is timed."""

from hypothesis import settings

settings.register_profile("bridgette", deadline=None, derandomize=True)
settings.load_profile("bridgette")
