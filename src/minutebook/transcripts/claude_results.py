"""Tool results of Claude Code, and whose words they are: the tool's, or a person's that the harness writes there.

Answers to questions, approved and corrected plans and refused tool calls come out of the tool results in which the
harness writes them; a tool could write the same words itself, so a refusal needs the harness's own note of it
(`toolUseResult`), and a tool of an MCP server can't speak for the person at all.
"""

from typing import Any

from minutebook.ground.frozen import EMPTY
from minutebook.transcripts.calls import answered
from minutebook.transcripts.claude_records import Block, Part, Record, State
from minutebook.transcripts.said import Said, Told

WRITES = frozenset(("Edit", "MultiEdit", "Write", "NotebookEdit"))
_REFUSED = (
    "The user doesn't want to proceed with this tool use.",
    "The user doesn't want to take this action right now.",
)
_REFUSAL_NOTES = ("User rejected tool use", *(f"Error: {words}" for words in _REFUSED))
"""How `toolUseResult` begins when a person refused the call."""
_REASON = "the user said:\n"
_HINT = "\n\nNote: The user's next message may contain a correction"
_APPROVED = "User has approved your plan"
_KEEP_PLANNING = "User chose to stay in plan mode"
_PLAN, _QUESTION = "ExitPlanMode", "AskUserQuestion"


def result(block: Block, record: Record, state: State) -> list[Told]:
    """What a tool result says."""
    (tool, path, planned), text = state.calls.returned(block.tool_use_id), _text(block.content)
    if block.is_error:
        if text.startswith(_REFUSED) and _speaks_for_the_person(tool, record):
            return [_refusal(tool, planned, _reason(text))]
    elif tool == _QUESTION and (answers := _answers(getattr(record.toolUseResult, "answers", None))):
        return [answered(state.draft, question, answer) for question, answer in dict(answers).items()]
    elif tool == _PLAN and text.startswith(_APPROVED):
        state.plan = None
        plan = getattr(record.toolUseResult, "plan", None) or planned
        return [Said("user", "plan-approved", plan or text, {"plan": plan})]
    if tool == _PLAN and text.startswith(_KEEP_PLANNING):
        state.plan = planned
        return [Said("user", "tool-refused", "", {"tool": tool, "reason": ""})]
    if tool in WRITES and not block.is_error:
        state.draft.wrote(path)
    return [("tool", "tool-result", text, {"tool": tool} if tool else EMPTY, False)]


def _text(content: str | list[Part] | None) -> str:
    if isinstance(content, list):
        return "\n".join([part.text for part in content if part.text])
    return content or ""


def _refusal(tool: str, plan: str, reason: str) -> Said:
    if tool == _PLAN and reason:
        return Said("user", "plan-corrected", reason, {"plan": plan, "correction": reason})
    return Said("user", "tool-refused", reason, {"tool": tool, "reason": reason})


def _speaks_for_the_person(tool: str, record: Record) -> bool:
    note = record.toolUseResult
    noted = isinstance(note, str) and note.startswith(_REFUSAL_NOTES)
    return noted and tool != "" and not tool.startswith("mcp__")


def _reason(text: str) -> str:
    _, found, said = text.partition(_REASON)
    return said.split(_HINT)[0].strip() if found else ""


def _answers(answers: Any) -> list[tuple[str, str]]:
    """Question and answer, in the order they were asked. Several choices are one answer, with commas."""
    pairs = answers.items() if isinstance(answers, dict) else ()
    joined = ((question, ", ".join(map(str, one)) if isinstance(one, list) else one) for question, one in pairs)
    return [(question, answer) for question, answer in joined if isinstance(answer, str) and answer.strip()]
