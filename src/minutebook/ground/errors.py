"""One family of expected failures; the door shows them and turns them into exit codes."""


class MinutebookError(Exception):
    """An expected failure. `hint` is the next step, as a command or a sentence."""

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class CannotJudge(MinutebookError):
    """Bad usage, bad config, unknown baseline: never a pass (exit 2)."""


class Refused(MinutebookError):
    """What was asked for is against the rules or was planned from an older state (exit 1)."""

    exit_code = 1


class OutsideFailed(MinutebookError):
    """A service that we depend on did not do its part (exit 3)."""

    exit_code = 3
