"""Loaded by pytest before anything else: the tests have a folder of their own and never touch a developer's var/."""

import os
import tempfile

folder = tempfile.TemporaryDirectory(prefix="riskapp-tests-")
os.environ["RISKAPP_VAR"] = folder.name
for name in [name for name in os.environ if name.startswith("RISKAPP_") and name != "RISKAPP_VAR"]:
    del os.environ[name]
