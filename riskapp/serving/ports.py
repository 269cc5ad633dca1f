"""The address the product listens on: whether it can be had, and how a browser writes it."""

import errno
import socket

from riskapp.serving.errors import CannotServe

EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  (only asked about)


def check(host: str, port: int) -> None:
    """Raise `CannotServe` unless a server could listen on this address now."""
    if not 1 <= port <= 65535:
        raise CannotServe(f"{port} is not a port. Choose one from 1024 to 65535 with --port.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as attempt:
        attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            attempt.bind((host, port))
            attempt.listen()
        except OSError as trouble:
            raise CannotServe(_why(trouble, host, port)) from None


def _why(trouble: OSError, host: str, port: int) -> str:
    if trouble.errno == errno.EADDRINUSE:
        return (
            f"Port {port} on {host} is in use by another program. Stop that program or choose another port: "
            f"`make run PORT={port + 1 if port < 65535 else 8001}` or `manage.py serve --port …`."
        )
    if trouble.errno == errno.EACCES:
        return f"Port {port} is kept for the system's own services. Choose one from 1024 upwards with --port."
    if trouble.errno == errno.EADDRNOTAVAIL or isinstance(trouble, socket.gaierror):
        return f"{host} is not an address of this machine. Choose another with --host."
    return f"Port {port} on {host} cannot be opened. Choose another address with --host and --port."


def bind(host: str, port: int) -> str:
    """The address as gunicorn takes it."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def url(host: str, port: int) -> str:
    """Where to point the browser, without a closing slash."""
    return f"http://{bind(EVERY_ADDRESS.get(host, host), port)}"
