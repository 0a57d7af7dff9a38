"""What was seen in a talk, in the words that a reviewer reads. One table; a candidate's `signal` is one of its keys."""

from collections.abc import Mapping

SEEN: Mapping[str, str] = {
    "answer": "the user answered the agent's question",
    "option": "the user picked one of the options that the agent offered",
    "accepted": "the user accepted what the agent recommended",
    "plan-approved": "the user approved this plan",
    "plan-corrected": "the user corrected a plan with these words",
    "tool-refused": "the user refused a tool call with these words",
    "cue:adoption": "the user said what is to be used",
    "cue:rejection": "the user ruled it out",
    "cue:rule": "the user said that it is a standing rule",
    "cue:preference": "the user said what they prefer",
    "cue:correction": "the user corrected the agent",
    "cue:fact": "the user stated a fact",
    "tool-output": "the output of a tool says so, nobody else",
}
