"""`python -m minutebook` and the console script."""

import sys


def main() -> int:
    """Exit code of the command line in sys.argv."""
    from minutebook.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
