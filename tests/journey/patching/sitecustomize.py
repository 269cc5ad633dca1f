"""Tells which pages a server shows, and kills or holds its processes at named points, without the product knowing.

Python imports this module at the start of every process whose PYTHONPATH has this folder.

TOLD_IN names a header: every answer of the web server says in it which templates it was rendered from as a whole.

KILL_AT names points, `module:function` each with a space between, and KILL_ARMED a folder. Nothing happens until a file
appears there that says `point when kind whom`: at which point, `before` or `after` it, in which kind of process, a word
of its command line, and whom to kill, `self`, `family` (the parent too) or `nobody`: then the process stands still. The
first process that gets there takes the file away and dies or stops, all later ones pass.
"""

import functools
import importlib.abc
import importlib.util
import os
import signal
import sys
import threading
from pathlib import Path

KIND = Path("/proc/self/cmdline").read_text().split("\0")


# Telling

shown = threading.local()


def rendering(plain):
    @functools.wraps(plain)
    def render(self, *args, **kwargs):
        text = plain(self, *args, **kwargs)
        if hasattr(shown, "templates"):
            shown.templates.append(self.origin.template_name)
        return text

    return render


def answering(plain):
    @functools.wraps(plain)
    def get_response(self, request):
        shown.templates = []
        answer = plain(self, request)
        answer[os.environ["TOLD_IN"]] = " ".join(shown.templates)
        return answer

    return get_response


# Killing


def die(point, when):
    for armed in Path(os.environ["KILL_ARMED"]).glob("*.armed"):
        try:
            wanted, moment, kind, whom = armed.read_text().split()
            if (wanted, moment) != (point, when) or kind not in KIND:
                continue
            armed.rename(armed.with_suffix(".fired"))
        except FileNotFoundError:  # another process was faster
            continue
        if whom == "family":
            os.kill(os.getppid(), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGSTOP if whom == "nobody" else signal.SIGKILL)


def deadly(point, plain):
    @functools.wraps(plain)
    def passing(*args, **kwargs):
        die(point, "before")
        result = plain(*args, **kwargs)
        die(point, "after")
        return result

    return passing


# Patching


class Finder(importlib.abc.MetaPathFinder):
    """Has functions of modules wrapped as soon as these are loaded."""

    def __init__(self, wrappers):
        self.wrappers = wrappers

    def find_spec(self, name, folders, target=None):
        wrappers = self.wrappers.pop(name, None)
        if wrappers is None:
            return None
        spec = importlib.util.find_spec(name)
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            for function, wrap in wrappers:
                *path, last = function.split(".")
                place = functools.reduce(getattr, path, module)
                setattr(place, last, wrap(getattr(place, last)))

        spec.loader.exec_module = exec_module
        return spec


def wanted():
    wrappers = {}
    if "TOLD_IN" in os.environ:
        wrappers["django.template.backends.django"] = [("Template.render", rendering)]
        wrappers["django.core.handlers.base"] = [("BaseHandler.get_response", answering)]
    for point in os.environ.get("KILL_AT", "").split():
        module, _, function = point.partition(":")
        wrappers.setdefault(module, []).append((function, functools.partial(deadly, point)))
    return wrappers


sys.meta_path.insert(0, Finder(wanted()))
