"""The web server. An upload has no time limit of its own: it is not cut off while its bytes arrive."""

from pathlib import Path
from typing import Any

from riskapp import environment as env
from riskapp.serving.leash import die_with_parent
from riskapp.serving.worker import Worker

bind = env.text("RISKAPP_BIND", "127.0.0.1:8000")
worker_class = Worker
workers = 2
threads = env.number("RISKAPP_WEB_THREADS", 24, least=2)

# With threads this limits the silence of a whole worker, not the length of a request.
timeout = 60
graceful_timeout = 20
keepalive = 5

# The sign of life is a file: on a disk it would wait whenever the disk does.
IN_MEMORY = Path("/dev/shm")  # noqa: S108  (gunicorn makes a file of its own there, without a name)
worker_tmp_dir = str(IN_MEMORY) if IN_MEMORY.is_dir() else None

limit_request_line = 4094
limit_request_fields = 60
limit_request_field_size = 8190

# Whoever connects is our own proxy when there is one; otherwise a browser, whose word about itself counts for nothing.
forwarded_allow_ips = "*" if env.number("RISKAPP_PROXIES", 0) else ""
forwarder_headers = ""

# No access log: addresses of pages may hold one-time tokens.
accesslog = None
errorlog = "-"
loglevel = "warning"
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "riskapp.logs.OneLine"}},
    "filters": {"no address": {"()": "riskapp.serving.quiet.NoAddress"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "gunicorn.error": {"handlers": ["stderr"], "level": "WARNING", "propagate": False, "filters": ["no address"]}
    },
}
control_socket_disable = True


def post_fork(server: Any, worker: Any) -> None:
    """A worker ends with its master, or it would keep the port from the next one."""
    die_with_parent(server.pid)
