"""The plane of risk and utility: what a page needs of RESULT.json, made once at the end of a run.

Two files are written. The *index* says where in RESULT.json each rule's line begins, so that one rule is read without
the others. The *plane* is the JSON that the frontier's page draws: every rule as a point, or how many lie where when
there are too many, and in full those rules that somebody could choose.
"""
