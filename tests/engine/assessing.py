"""Running `assess` in this process or in one of its own, on small assessments."""

import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from django.core.management import call_command

ROOT = Path(__file__).resolve().parents[2]

MEMBERS = """member,city,born,sex,illness
1,Lafayette,1975-05-10,f,none
2,Lafayette,1975-05-21,f,mild
3,Delphi,NA,m,none
4,Delphi,1981-11-30,m,"severe, ""very"" so"
5,Monon,1990-07-07,f,
6,Monon,1975-08-15,,mild
"""
ASSESSMENT = """
dataset: {file: members.csv, identifier: member}
attributes:
  illness: {role: keep, sensitive: true}
  city: {hierarchy: {groups: {north: [Delphi, Monon], Lafayette: [Lafayette]}}}
  born: {hierarchy: {dates: [year]}, fall: harmonic}
  sex: {weight: .inf}
search: {least_utility: 2, limits: {smallest_group: 2}, seed: 3}
"""


def small(folder: Path, assessment: str = ASSESSMENT, members: str = MEMBERS) -> Path:
    """A small assessment and its dataset in a folder."""
    (folder / "members.csv").write_text(members, encoding="utf-8")
    path = folder / "assessment.yaml"
    path.write_text(assessment, encoding="utf-8")
    return path


@dataclass(frozen=True)
class Answer:
    """What a command said and with which code it ended."""

    code: int
    out: str
    err: str


def here(*words: object) -> Answer:
    """Run `assess` in this process."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    try:
        call_command("assess", *map(str, words), stdout=out, stderr=err, no_color=True)
    except SystemExit as end:
        code = int(str(end.code))
    return Answer(code, out.getvalue(), err.getvalue())


def environment(folder: Path) -> dict[str, str]:
    """A database and a broker at a port where nobody listens, and a folder of its own that is not there yet."""
    nobody = {"DATABASE_URL": "postgres://nobody@127.0.0.1:9/none", "REDIS_URL": "redis://127.0.0.1:9/0"}
    return {**os.environ, **nobody, "RISKAPP_VAR": str(folder / "var")}


def apart(folder: Path, *words: object) -> Answer:
    """Run `assess` as a command of its own, in a folder."""
    command = [sys.executable, str(ROOT / "manage.py"), "assess", *map(str, words)]
    ended = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=120)
    return Answer(ended.returncode, ended.stdout, ended.stderr)
