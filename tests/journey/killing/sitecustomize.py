"""Kills a process of the product at a named point, without the product knowing.

Python imports this module at the start of every process whose PYTHONPATH has this folder. KILL_AT names the point,
`module:function:before` or `module:function:after`; KILL_IN the kind of process, a word of its command line; KILL_WHOM
is `self` or `family` (its parent too). Nothing happens until the file KILL_ARMED appears; the first process that gets
to the point takes the file away and dies, all later ones pass.
"""

import functools
import importlib.abc
import importlib.util
import os
import signal
import sys

MODULE, _, POINT = os.environ.get("KILL_AT", "").partition(":")
FUNCTION, _, WHEN = POINT.partition(":")


def die():
    try:
        os.rename(os.environ["KILL_ARMED"], os.environ["KILL_ARMED"] + ".fired")
    except FileNotFoundError:
        return
    if os.environ.get("KILL_WHOM") == "family":
        os.kill(os.getppid(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


def patch(module):
    *path, name = FUNCTION.split(".")
    place = functools.reduce(getattr, path, module)
    plain = getattr(place, name)

    @functools.wraps(plain)
    def deadly(*args, **kwargs):
        if WHEN == "before":
            die()
        result = plain(*args, **kwargs)
        if WHEN == "after":
            die()
        return result

    setattr(place, name, deadly)


class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != MODULE:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            patch(module)

        spec.loader.exec_module = exec_module
        return spec


def of_the_right_kind():
    with open("/proc/self/cmdline", "rb") as file:
        return os.environ.get("KILL_IN", "").encode() in file.read().split(b"\0")


if MODULE and of_the_right_kind():
    sys.meta_path.insert(0, Finder())
