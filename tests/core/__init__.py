"""The pure core of the append-only promise, judged in memory: what mutation testing runs."""
