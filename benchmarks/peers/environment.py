"""An environment of their own for programs that we are compared with: what they need never meets what we need."""

import hashlib
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
FOLDER = HERE.parents[1] / ".venv-peers"
NEEDED = HERE / "requirements.txt"


def interpreter() -> Path | None:
    """The Python of that environment, made where it is not there or no longer right; None where there is no network."""
    python, stamp = FOLDER / "bin" / "python", FOLDER / "installed"
    wanted = hashlib.sha256(NEEDED.read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text() == wanted:
        return python
    install = [python, "-m", "pip", "--disable-pip-version-check", "-q", "install", "-r", NEEDED]
    for command in ([sys.executable, "-m", "venv", "--clear", FOLDER], install):
        if subprocess.run(command, capture_output=True).returncode:
            return None
    stamp.write_text(wanted)
    return python
