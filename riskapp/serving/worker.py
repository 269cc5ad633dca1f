"""Gunicorn's worker with threads, such that no visitor can keep the threads from the others by being slow.

A request that is small is gathered beside the threads and given to one when it is whole. One that is large is read by
a thread as it comes; a quarter of the threads is never used for that, so pages always find one.
"""

import selectors
import socket
import threading
import time
from functools import partial
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

from riskapp.serving.line import SILENCE, Line

BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: application/json\r\n\r\n"
    b'{"error": "The server is busy.", "advice": "Wait a few minutes, then send it again."}\n'
)


class Connection(TConn):  # type: ignore[misc]
    """A visitor's connection, on a line with an end to its patience."""

    def __init__(self, cfg: Any, sock: socket.socket, client: Any, server: Any) -> None:
        super().__init__(cfg, Line(fileno=sock.detach()), client, server)

    def close(self, graceful: bool = False) -> None:
        if self.sock.fileno() >= 0:
            super().close(graceful)


class Worker(ThreadWorker):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.for_large_ones = threading.BoundedSemaphore(max(1, self.cfg.threads * 3 // 4))

    # In the loop that all connections share, where nothing may wait

    def accept(self, listener: socket.socket) -> None:
        try:
            sock, client = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        self.nr_conns += 1
        connection = Connection(self.cfg, sock, client, listener.getsockname())
        ready = partial(self.on_first_bytes, connection)
        self.poller.register(connection.sock, selectors.EVENT_READ, ready)
        connection.timeout = time.monotonic() + self.cfg.keepalive
        self.pending_conns.append(connection)

    def on_client_socket_readable(self, conn: Connection, client: Line) -> None:
        """A further request on a connection that was kept."""
        self.keepalived_conns.remove(conn)
        self.pending_conns.append(conn)
        self.on_first_bytes(conn, client)

    def on_first_bytes(self, conn: Connection, client: Line) -> None:
        conn.timeout = time.monotonic() + SILENCE
        self.poller.modify(client, selectors.EVENT_READ, partial(self.on_pending_socket_readable, conn))
        self.on_pending_socket_readable(conn, client)

    def on_pending_socket_readable(self, conn: Connection, client: Line) -> None:
        if client.gather():
            super().on_pending_socket_readable(conn, client)

    def murder_pending(self) -> None:
        """Give up requests that did not come in time; when the server ends, all that are not whole."""
        now = time.monotonic()
        for conn in [conn for conn in self.pending_conns if conn.timeout <= now or not self.alive]:
            self.pending_conns.remove(conn)
            self.poller.unregister(conn.sock)
            self.nr_conns -= 1
            conn.close()

    # In a thread

    def handle(self, conn: Connection) -> Any:
        whole = conn.sock.whole
        conn.sock.expect_request()
        if whole:
            return self._answer(conn, polite=False)
        if not self.for_large_ones.acquire(blocking=False):
            return self._turn_away(conn)
        try:
            return self._answer(conn, polite=True)
        finally:
            self.for_large_ones.release()

    def _answer(self, conn: Connection, polite: bool) -> Any:
        """A polite end waits until the other side has heard it: here, and not in the loop that all share."""
        again = super().handle(conn)
        if not again:
            conn.close(graceful=polite)
        return again

    def _turn_away(self, conn: Connection) -> None:
        try:
            conn.sock.sendall(BUSY)
        except OSError:
            pass
        conn.close()
