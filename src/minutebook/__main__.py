"""`python -m minutebook` and the console script."""

import sys


def main() -> int:
    """Exit code of the command line in sys.argv."""
    try:
        return _main(sys.argv[1:])
    except KeyboardInterrupt:  # while modules are still being imported; a verb that runs is interrupted in `cli.run`
        return 130


def _main(arguments: list[str]) -> int:
    if arguments[:1] == ["check"]:
        from minutebook.quick import nothing_to_judge

        if nothing_to_judge(arguments[1:]):
            return 0
    from minutebook.cli import run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
