"""`python -m ritual_dsl` is `ritual`."""

import sys

from ritual_dsl.cli import main

if __name__ == "__main__":
    sys.exit(main())
