"""Files appear whole or not at all, are named by their bytes, and leave nothing behind."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from riskapp import storage

PROJECT = uuid4()
LETTER = b"Dear Sir"
SHA = hashlib.sha256(LETTER).hexdigest()


def keep(content: bytes = LETTER) -> Path:
    with storage.Incoming() as file:
        file.write(content)
        file.sync()
        place = storage.place(PROJECT, file.sha256)
        file.keep(place)
    return place


def everything() -> list[Path]:
    return [path for path in storage.root().rglob("*") if path.is_file()]


def test_a_file_is_named_by_its_bytes() -> None:
    assert keep().name == SHA
    assert keep().read_bytes() == LETTER


def test_the_same_bytes_are_stored_once() -> None:
    keep()
    keep()
    assert everything() == [storage.place(PROJECT, SHA)]


def test_a_file_that_is_not_kept_leaves_nothing() -> None:
    with storage.Incoming() as file:
        file.write(LETTER)
    assert everything() == []


def test_a_file_whose_arrival_fails_leaves_nothing() -> None:
    with pytest.raises(ConnectionError), storage.Incoming() as file:
        file.write(LETTER)
        raise ConnectionError
    assert everything() == []


def test_only_this_account_can_read_it() -> None:
    assert keep().stat().st_mode & 0o077 == 0


def test_a_full_disk_leaves_nothing(settings: Any) -> None:
    """A limit on file size set for a process of its own: the kernel refuses the write as it does on a full disk."""
    program = (
        "import resource, sys, django; django.setup()\n"
        "from pathlib import Path\n"
        "from django.conf import settings; settings.FILES = Path(sys.argv[1])\n"
        "from riskapp import storage\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "try:\n"
        "    with storage.Incoming() as file:\n"
        "        for _ in range(1000): file.write(bytes(1000))\n"
        "        file.sync()\n"
        "except OSError: print('refused')\n"
    )
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "riskapp.settings"}
    command = [sys.executable, "-c", program, str(settings.FILES)]
    answer = subprocess.run(
        command, env=environment, capture_output=True, text=True, cwd=settings.BASE_DIR, check=False
    )
    assert (answer.stdout, answer.returncode) == ("refused\n", 0)
    assert everything() == []


def test_shredding_overwrites_before_it_removes(monkeypatch: pytest.MonkeyPatch) -> None:
    place = keep()
    other_name = place.with_name("still-linked")
    os.link(place, other_name)
    storage.shred(place)
    assert not place.exists()
    assert other_name.read_bytes() == bytes(len(LETTER))


def test_shredding_a_folder_takes_everything_in_it() -> None:
    folder = storage.table_place(PROJECT, uuid4())
    (folder / "values").mkdir(parents=True)
    (folder / "values" / "0.parquet").write_bytes(LETTER)
    (folder / "codes.parquet").write_bytes(LETTER)
    storage.shred(folder)
    assert not folder.exists()


def test_shredding_what_is_gone_is_no_error() -> None:
    storage.shred(storage.place(PROJECT, SHA))


def test_an_abandoned_arrival_is_swept_and_a_living_one_is_not() -> None:
    with storage.Incoming() as living:
        living.write(LETTER)
        abandoned = storage.incoming() / f"{uuid4()}.part"
        abandoned.write_bytes(b"half a letter")
        assert storage.remove_abandoned() == 1
        assert not abandoned.exists()
        living.sync()
        living.keep(storage.place(PROJECT, living.sha256))
    assert everything() == [storage.place(PROJECT, SHA)]


def test_a_file_set_aside_is_no_longer_in_its_place() -> None:
    place = keep()
    aside = storage.set_aside(place)
    assert aside is not None
    assert not place.exists()
    assert storage.set_aside(place) is None
    assert storage.remove_abandoned() == 1
    assert everything() == []


@pytest.mark.parametrize("size", [0, 1, storage.BLOCK - 1, storage.BLOCK, storage.BLOCK + 1])
def test_the_hash_is_that_of_all_blocks(size: int) -> None:
    content = os.urandom(size)
    with storage.Incoming() as file:
        for start in range(0, size, 1000):
            file.write(content[start : start + 1000])
        assert (file.sha256, file.size) == (hashlib.sha256(content).hexdigest(), size)


def test_what_is_stored_can_be_listed() -> None:
    keep()
    table = storage.table_place(PROJECT, uuid4())
    table.mkdir(parents=True)
    assert list(storage.stored_files()) == [(PROJECT, SHA)]
    assert list(storage.stored_tables()) == [(UUID(table.name), table)]
