"""Why the product cannot start: one line for the person at the terminal, saying what to do."""


class CannotServe(Exception):
    """The product does not start; nothing has been started or changed yet."""
