"""Random histories, an oracle that knows what was done to which entry, and the gate's word on every commit."""
