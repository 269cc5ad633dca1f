"""The compose file, the image, the Makefile and `manage.py serve` describe the same product."""

import os
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from packaging.requirements import Requirement

from benchmarks.addresses import EXCUSED, POSTED, names
from riskapp import environment
from riskapp.management.commands.serve import _parts
from riskapp.serving import parts
from scripts import requirements
from tests.app.test_policy_table import TABLE

ROOT = Path(__file__).resolve().parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()
OURS = ("migrate", "web", "worker", "beat")
OF_THE_IMAGES = {"db": {"POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD"}, "redis": {"REDISCLI_AUTH"}}
SECRETS = ("POSTGRES_PASSWORD", "REDIS_PASSWORD", "RISKAPP_SECRET_KEY", "RISKAPP_AUDIT_KEY")
ASKED_FOR = re.compile(r"\$\{([A-Z_]+)(:\?|:-)?([^}]*)\}")


def command(service: str) -> list[str]:
    """A service's command as its container sees it: without the shell that fills in a setting, and without $$."""
    words = SERVICES[service].get("command") or _image_command()
    if words[:2] == ["sh", "-c"]:
        words = shlex.split(words[2].removeprefix("exec "))
    return [word.replace("$$", "$") for word in words]


def _image_command() -> list[str]:
    last = re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)[-1]
    return list(yaml.safe_load(last))


def filled_in(text: str) -> str:
    """A value with its `${NAME:?…}` filled in as a careful administrator would."""
    wishes = {"RISKAPP_HOSTS": "riskapp.example.org", "RISKAPP_ORIGIN": "https://riskapp.example.org"}
    long = {name: f"{name.lower()}-9f1c2e7ab4d84c0e97d3b6a8" * 2 for name in SECRETS}
    return ASKED_FOR.sub(lambda hit: {**wishes, **long}.get(hit[1], hit[3]), text)


def test_the_five_services_and_the_migration_are_there() -> None:
    assert set(SERVICES) == {"db", "redis", *OURS}


@pytest.mark.parametrize("service", OURS)
def test_every_name_in_the_environment_is_a_setting_of_the_product(service: str) -> None:
    settings.VAR  # noqa: B018  (reading any setting reads them all)
    assert set(SERVICES[service]["environment"]) - environment.asked.keys() == set()


@pytest.mark.parametrize("service", OF_THE_IMAGES)
def test_the_other_images_get_only_what_they_ask_for(service: str) -> None:
    assert set(SERVICES[service]["environment"]) == OF_THE_IMAGES[service]


def test_the_images_own_environment_holds_settings_of_the_product_only() -> None:
    names = set(re.findall(r"\b((?:RISKAPP|DATABASE|REDIS)_[A-Z_]+)=", DOCKERFILE))
    assert names
    assert names - {*environment.asked, "RISKAPP_BIND"} == set()


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_must_be_given_and_has_no_default(name: str) -> None:
    hits = [hit for hit in ASKED_FOR.findall((ROOT / "docker-compose.yml").read_text()) if hit[0] == name]
    assert hits
    assert all(how == ":?" and advice for _, how, advice in hits)


def test_the_worker_and_the_beat_run_as_under_serve() -> None:
    assert command("worker") == ["python", "-m", *parts.celery_worker("$RISKAPP_WORKERS")]
    assert command("beat") == ["python", "-m", *parts.celery_beat()]


def test_the_web_server_runs_as_under_serve() -> None:
    assert command("web") == ["python", "-m", *parts.gunicorn()]


def test_the_guide_to_production_names_the_same_commands() -> None:
    guide = (ROOT / "docs" / "how-to" / "production.md").read_text()
    for words in (parts.celery_worker(2), parts.celery_beat(), parts.gunicorn()):
        assert f"python -m {shlex.join(words)}\n" in guide


@pytest.mark.parametrize("service", OURS)
def test_the_modules_that_a_command_runs_exist(service: str) -> None:
    words = command(service)
    assert words[0] == "python"
    assert find_spec(words[2]) if words[1] == "-m" else (ROOT / words[1]).is_file()


def test_the_health_check_of_the_image_exists() -> None:
    check = re.search(r"^HEALTHCHECK .* CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    assert check
    assert yaml.safe_load(check[1])[:2] == ["python", "-m"]
    assert find_spec(yaml.safe_load(check[1])[2])


@pytest.mark.parametrize("service", SERVICES)
def test_every_service_is_guarded(service: str) -> None:
    wishes = SERVICES[service]
    assert wishes["read_only"] is True
    assert wishes["cap_drop"] == ["ALL"]
    assert wishes["security_opt"] == ["no-new-privileges:true"]
    assert wishes["user"] not in {"root", "0", "0:0"}
    assert wishes["restart"] == ("no" if service == "migrate" else "unless-stopped")


def test_what_can_be_asked_is_asked_for_its_health() -> None:
    assert "test" in SERVICES["db"]["healthcheck"]
    assert "test" in SERVICES["redis"]["healthcheck"]
    assert "test" in SERVICES["worker"]["healthcheck"]
    assert "healthcheck" not in SERVICES["web"], "the web server's check is the image's own"


@pytest.mark.parametrize("service", ["web", "worker", "beat"])
def test_a_service_waits_for_the_migration_and_the_broker(service: str) -> None:
    waits = {name: wish["condition"] for name, wish in SERVICES[service]["depends_on"].items()}
    assert waits == {"migrate": "service_completed_successfully", "redis": "service_healthy"}


def test_nothing_but_the_web_server_can_be_reached_and_that_from_here_only() -> None:
    published = {name: wishes["ports"] for name, wishes in SERVICES.items() if "ports" in wishes}
    assert published == {"web": ["127.0.0.1:8000:8000"]}
    assert COMPOSE["networks"]["inside"]["internal"] is True
    assert SERVICES["db"]["networks"] == SERVICES["redis"]["networks"] == ["inside"]


def test_every_volume_is_named_and_used() -> None:
    used = {volume.split(":")[0] for wishes in SERVICES.values() for volume in wishes.get("volumes", [])}
    assert used == set(COMPOSE["volumes"])


def test_all_that_the_product_keeps_is_on_a_volume_that_its_services_share() -> None:
    """What stands in RISKAPP_VAR and on no volume is made for one machine, given as a secret, or part of the image."""
    elsewhere = {"keys", "log", "redis", "static", "riskapp.sqlite3", "test.sqlite3", "serve.lock"}
    source = "".join(path.read_text() for path in (ROOT / "riskapp").rglob("*.py"))
    kept = set(re.findall(r"""\b(?:VAR|var) / ['"]([\w.]+)['"]""", source)) - elsewhere
    var = re.search(r"RISKAPP_VAR=(\S+)", DOCKERFILE)
    assert var
    for service in OURS:
        places = {volume.split(":")[1] for volume in SERVICES[service]["volumes"]}
        assert places == {f"{var[1]}/{name}" for name in kept} | {_compiled()}
    assert all(f"{var[1]}/{name}" in DOCKERFILE for name in kept), "a volume takes its owner from the image"


def _compiled() -> str:
    """Where compiled code is kept, which the product can lose."""
    folder = re.search(r"^ +NUMBA_CACHE_DIR=(\S+) \\$", DOCKERFILE, re.MULTILINE)
    assert folder
    return folder[1]


def test_one_version_of_python_everywhere() -> None:
    images = re.findall(r"^FROM python:(\d+\.\d+)\.\d+-slim-\w+", DOCKERFILE, re.MULTILINE)
    assert images == ["3.11", "3.11"]
    assert len(re.findall(r"^FROM ", DOCKERFILE, re.MULTILINE)) == 2
    assert 'requires-python = ">=3.11,<3.12"' in (ROOT / "pyproject.toml").read_text()
    assert "(3, 11)" in (ROOT / "scripts" / "venv.sh").read_text()
    assert sys.version_info[:2] == (3, 11)


def test_the_image_runs_as_nobody_in_particular() -> None:
    user = re.findall(r"^USER (\S+)$", DOCKERFILE, re.MULTILINE)
    assert user == ["10001:10001"]
    assert {SERVICES[service]["user"] for service in OURS} == set(user)


def test_the_image_is_made_of_files_that_exist_and_reach_the_builder() -> None:
    wanted = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    allowed = set(re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE))
    assert {name for line in wanted for name in line.split()} == allowed
    assert all((ROOT / name).exists() for name in allowed)


def test_the_product_is_ready_for_production_with_the_settings_of_the_compose_file(tmp_path: Path) -> None:
    given = {name: filled_in(str(value)) for name, value in SERVICES["web"]["environment"].items()}
    given |= {"DATABASE_URL": f"sqlite:///{tmp_path}/check.sqlite3", "RISKAPP_VAR": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "INFO"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **given},
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "System check identified no issues (0 silenced).\n"


def test_serve_starts_and_stops_the_same_parts() -> None:
    assert {part.name for part in _parts("127.0.0.1", 8000)} == set(parts.STOPPING_ORDER)


@pytest.mark.parametrize("target", ["run", "test", "check", "bench", "clean", "help"])
def test_make_knows_each_command_and_explains_it(target: str) -> None:
    assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE)
    assert target == "help" or f'@echo "make {target} ' in MAKEFILE


def test_make_run_needs_only_what_the_product_needs() -> None:
    rule = re.search(r"^run: (.*)$", MAKEFILE, re.MULTILINE)
    assert rule
    assert rule[1] == ".venv/product.stamp"
    assert "requirements-dev" not in MAKEFILE.split(".venv/product.stamp: ")[1].split("\n\n")[0]


def test_every_bench_is_run() -> None:
    shown = subprocess.run(["make", "-n", "bench"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    benches = {path.name for path in (ROOT / "benchmarks").glob("*.py")} - {
        "tables.py",
        "people.py",
        "addresses.py",
        "busy_decisions.py",
        "busy_house.py",
        "__init__.py",
    }
    assert all(f"benchmarks/{name}" in shown for name in benches)
    assert "benchmarks/tables.py" not in shown


def test_the_bench_measures_every_page_that_can_be_looked_at() -> None:
    shown = {name for name, methods in TABLE.items() if 200 in methods["GET"].values()}
    assert shown - names() - set(EXCUSED) == set()
    assert names() - set(TABLE) == set()


def test_the_bench_measures_what_is_answered_while_a_form_is_filled_in() -> None:
    posted = {name for listed in POSTED.values() for name in listed}
    assert posted >= {"hierarchy-preview", "attacker-coverage"}
    assert {"template-apply", "dataset"} <= names()
    assert all(200 in TABLE[name]["POST"].values() or 302 in TABLE[name]["POST"].values() for name in posted)


@pytest.mark.parametrize("lists", ["requirements", "requirements-dev"])
def test_the_pinned_requirements_follow_from_those_asked_for(lists: str) -> None:
    assert requirements.faults(ROOT / f"{lists}.in", ROOT / f"{lists}.txt") == []
    assert requirements.disagreements() == []


def test_a_requirement_out_of_step_is_found(tmp_path: Path) -> None:
    source, pinned = tmp_path / "some.in", tmp_path / "some.txt"
    source.write_text("Django>=5.2,<5.3\n")
    pinned.write_text("django==5.1\nasgiref==3.13.0\nsegno==1.6.6\n")
    assert requirements.faults(source, pinned) == [
        "some.txt: django==5.1 is pinned, but Django<5.3,>=5.2 is needed",
        "some.txt: segno is pinned and not needed",
        "some.txt: sqlparse is needed and not pinned",
    ]


def test_what_is_asked_for_can_be_read() -> None:
    assert Requirement("Django>=5.2,<5.3") in requirements.asked(ROOT / "requirements-dev.in")
