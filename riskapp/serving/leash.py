"""A process on a leash dies with the one that started it, even when that one is killed and cannot say so.

`python -m riskapp.serving.leash PID COMMAND…` puts itself on the leash of PID and becomes COMMAND. The kernel drops the
leash of a program that changes its user, and it holds to the thread that started us: start parts from the main one.
Only Linux has it; elsewhere the product still stops cleanly, but a killed supervisor leaves its parts behind.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """Be killed when `parent`, which must be our parent, ends; end at once if it has already."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def on_leash(command: list[str]) -> list[str]:
    """The command that runs `command` on the leash of this very process."""
    return [sys.executable, "-m", "riskapp.serving.leash", str(os.getpid()), *command]


if __name__ == "__main__":
    die_with_parent(int(sys.argv[1]))
    os.execv(sys.argv[2], sys.argv[2:])  # noqa: S606  (the supervisor names the program)
