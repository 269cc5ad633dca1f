"""Shaping a release: which column plays which part, and how its values are made coarser.

All of it is facts and proposals for the person who decides. Functions whose name begins with `seen_` give values of the
table out; they are called behind an audited click only. A hierarchy is described by its *spec*: what the assessment
file says of it, or `{"rows": [[leaf, …, "*"], …], "header": [names of levels] or None}`, or None for value → `*`.
"""
