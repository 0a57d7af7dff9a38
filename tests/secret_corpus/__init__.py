"""A corpus for redaction, made anew at every run: no secret that anybody has had, and none written into a file."""
