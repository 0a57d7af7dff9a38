"""The words by which claims are told apart: what denies, what binds to a condition, what excludes what."""

NEGATIONS = frozenset({
    "not", "never", "no", "don't", "doesn't", "mustn't", "shouldn't", "cannot", "can't", "won't", "isn't", "aren't",
    "without", "avoid",
})  # fmt: skip
"""Words that deny a sentence."""
MODALS = frozenset({
    "a", "an", "the", "is", "are", "be", "been", "being", "was", "were", "must", "should", "shall", "always", "will",
    "may", "can", "has", "have", "to", "of", "in", "on", "at", "by", "for", "with", "and", "or", "it", "its", "this",
    "that", "these", "those", "we", "our", "all", "every", "each", "any", "as", "do", "does", "from", "into", "use",
    "used", "using", "get", "gets", "only", "just", "please", "now", "also", "there",
})  # fmt: skip
"""Words that say nothing of what a sentence is about."""
CONDITIONS = frozenset({
    "if", "when", "unless", "except", "instead", "before", "until", "while", "for", "legacy", "old", "was", "were",
    "than", "either",
})  # fmt: skip
"""Words by which a sentence speaks of another time or of some cases alone."""
LABELS = frozenset({
    "number", "no", "part", "chapter", "issue", "pr", "version", "step", "rule", "phase", "page", "line", "section",
    "item", "ticket", "sprint", "v", "level", "note", "id",
})  # fmt: skip
"""Words before a number that is a name and no amount."""
OPPOSITES = {
    word: (pair, side)
    for pair in ("enabled disabled", "allowed forbidden", "required optional", "public private", "sync async",
                 "synchronous asynchronous", "mutable immutable", "manual automatic", "tabs spaces",
                 "ascending descending", "before after", "blocking non-blocking", "eager lazy", "signed unsigned")
    for side, word in enumerate(pair.split())
}  # fmt: skip
"""Word to the pair of opposites that it is a side of, and which side."""
EXCLUSIVE = {
    word: group
    for group, words in {
        "package manager": "npm pnpm yarn bun", "python packaging": "poetry pipenv pip-tools uv pdm",
        "test runner": "jest vitest mocha jasmine ava", "python tests": "pytest unittest nose",
        "python formatter": "black yapf autopep8", "merge": "squash rebase",
    }.items()
    for word in words.split()
}  # fmt: skip
"""Tool to the group of which a project uses one."""
UNITS = {
    "ms": ("s", 0.001), "millisecond": ("s", 0.001), "s": ("s", 1), "sec": ("s", 1), "second": ("s", 1),
    "min": ("s", 60), "minute": ("s", 60), "h": ("s", 3600), "hour": ("s", 3600), "day": ("s", 86400),
    "week": ("s", 604800), "kb": ("b", 1e3), "mb": ("b", 1e6), "gb": ("b", 1e9),
}  # fmt: skip
"""Unit to the one that amounts are compared in, and how many of that one it is."""
