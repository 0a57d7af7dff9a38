"""The promise over a whole history: every commit judged by the gate's own rules."""
