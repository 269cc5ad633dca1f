"""Settings come from the environment; each one asked for is remembered, so that a test can look for it in the docs."""

import os
import secrets
import tempfile
from pathlib import Path

asked: dict[str, str] = {}


class BadSetting(Exception):
    """A setting that cannot be used: the product does not start on a guess."""


def text(name: str, default: str = "") -> str:
    asked[name] = default
    return os.environ.get(name, "").strip() or default


def number(name: str, default: int, *, least: int = 0) -> int:
    asked[name] = str(default)
    given = os.environ.get(name, "").strip() or str(default)
    if not given.isdecimal() or int(given) < least:
        raise BadSetting(f"{name} must be a whole number, {least} or more.")
    return int(given)


def flag(name: str, default: bool = False) -> bool:
    asked[name] = "true" if default else "false"
    given = (os.environ.get(name, "").strip() or asked[name]).lower()
    if given not in {"true", "false"}:
        raise BadSetting(f"{name} must be true or false.")
    return given == "true"


def words(name: str, default: str = "") -> list[str]:
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def without_settings() -> dict[str, str]:
    """The surroundings of a process that is to know nothing of the house: neither where data are nor a key."""
    ours = {*asked, "DJANGO_SETTINGS_MODULE"}
    return {name: told for name, told in os.environ.items() if name not in ours and not name.startswith("RISKAPP_")}


def lay_temporary_files(folder: Path) -> None:
    """From now on temporary files of this process, and of those that it starts, lie in a folder that is there."""
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = str(folder)


def secret(name: str, file: Path) -> str:
    """The secret given, or one of our own, made once and kept in a file that only this account can read."""
    given = text(name)
    if not given:
        return _made_once(file)
    if len(given) < 50:
        raise BadSetting(f"{name} must have at least 50 characters.")
    return given


def _made_once(file: Path) -> str:
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = file.with_name(f"{file.name}.{os.getpid()}")
    fresh.write_text(secrets.token_urlsafe(64))
    fresh.chmod(0o600)
    try:
        os.link(fresh, file)
    except FileExistsError:
        pass
    finally:
        fresh.unlink()
    return file.read_text().strip()
