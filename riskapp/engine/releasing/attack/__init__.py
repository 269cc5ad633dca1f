"""A release attacked once, as somebody would who holds a dictionary, knows the rule, or has earlier releases."""
