"""Ask a running product how it is. `python -m riskapp.serving.probe [PATH]` is the health check of the container."""

import http.client
import socket
import sys
from pathlib import Path

from riskapp import environment as env
from riskapp.serving.ports import EVERY_ADDRESS

ANY_HOST = "127.0.0.1,localhost,[::1]"


def page(address: str, path: str, *, seconds: float = 5) -> int | None:
    """The status of the answer to GET `path` at HOST:PORT, or None when nobody answers."""
    connection = http.client.HTTPConnection(address, timeout=seconds)
    try:
        connection.request("GET", path, headers={"Host": known_host()})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def known_host() -> str:
    """A host name that the product answers to; it refuses requests for any other."""
    first = env.words("RISKAPP_HOSTS", ANY_HOST)[0]
    return "localhost" if first == "*" else first.removeprefix(".")


def redis_answers(path: Path, *, seconds: float = 1) -> bool:
    """Whether a Redis behind this socket has loaded what it had and takes commands."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(seconds)
        try:
            line.connect(str(path))
            line.sendall(b"PING\r\n")
            return line.recv(16).startswith(b"+PONG")
        except OSError:
            return False


if __name__ == "__main__":
    host, port = env.text("RISKAPP_BIND", "127.0.0.1:8000").rsplit(":", 1)
    where = f"{EVERY_ADDRESS.get(host, host)}:{port}"
    sys.exit(page(where, sys.argv[1] if len(sys.argv) > 1 else "/readyz") != 200)
