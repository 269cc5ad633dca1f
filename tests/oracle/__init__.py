"""The slow twin: every definition transcribed plainly, to hold the fast product to it. It imports nothing of it."""

from tests.oracle.assessment import assess

__all__ = ["assess"]
