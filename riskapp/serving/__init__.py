"""One command that runs the whole product: a lock, a free port, and a supervisor over its parts."""
