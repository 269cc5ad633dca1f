"""Releasing after an approval: build the file, measure it again, attack it once, seal it and report on it."""
