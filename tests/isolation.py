"""Loaded by pytest before anything else.

The tests have a folder of their own and never touch a developer's var/. Hypothesis draws the same examples every time
and measures no time: a test fails for what it found, not for when it ran.
"""

import os
import tempfile

from hypothesis import settings

folder = tempfile.TemporaryDirectory(prefix="riskapp-tests-")
os.environ["RISKAPP_VAR"] = folder.name
for name in [name for name in os.environ if name.startswith("RISKAPP_") and name != "RISKAPP_VAR"]:
    del os.environ[name]

settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")
