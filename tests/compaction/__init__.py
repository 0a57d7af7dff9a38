"""Memories to compact, and faults to put into what compaction writes."""
