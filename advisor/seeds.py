"""What may be the start of the random numbers of an advice."""

from solver.errors import BridgetteError

MOST_SEED = (1 << 62) - 1
"""Every random stream of the package can be started with it, and with the one after it."""


def check_seed(seed: int) -> None:
    """Refuses a seed that no random stream can be started with.

    Raises:
        BridgetteError: it is negative or above `MOST_SEED`.
    """
    if not 0 <= seed <= MOST_SEED:
        raise BridgetteError(f"the seed is {seed}; expected 0 to {MOST_SEED}")
