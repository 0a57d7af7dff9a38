"""`python -m minutebook` and the console script."""

import os
import sys


def main() -> int:
    """Exit code of the command line in sys.argv."""
    try:
        return _main(sys.argv[1:])
    except KeyboardInterrupt:  # while modules are still being imported; a verb that runs is interrupted in `cli.run`
        return 130


def _main(arguments: list[str]) -> int:
    if arguments[:1] == ["check"]:
        from minutebook.quick import look

        nothing, heard = look(arguments[1:])
        if nothing:
            return 0
        from minutebook.plain import asked

        plain = asked(arguments[1:])
        if plain is not None:
            from minutebook.gate import check
            from minutebook.terminal import ended

            return ended(lambda: check(plain, heard))
    from minutebook.cli import run

    return run(arguments)


def program() -> None:
    """The whole process, from its start to its end.

    A hook runs a moment and keeps little: looking for garbage now and then, and giving everything up piece by piece at
    the end, would take a tenth of its time. A verb that imports click may leave more to be done at the end.
    """
    import gc

    gc.set_threshold(100_000, 20, 20)
    code = main()
    if "click" in sys.modules:
        sys.exit(code)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    program()
