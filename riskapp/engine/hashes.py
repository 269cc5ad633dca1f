"""What a file is, whatever it is called: the SHA-256 of its bytes."""

import hashlib
from pathlib import Path


def sha256(path: Path) -> str:
    """The hash of a file's bytes, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
