"""`python -m advisor.cli`: the command line where `bridgette` itself is not on the path."""

from advisor.cli import main

main()
