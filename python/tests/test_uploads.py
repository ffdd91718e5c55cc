"""Recordings on a disk: sent piece by piece, read back, deleted, and transcribed."""

import io
import json
import os
import socket
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from conftest import Ask
from hostile import HostileServer, job, refusal, reply
from trivium_client import ApiError, ArgumentError, InvalidRequestError, NotFoundError
from trivium_client._upload import PIECE_BYTES, open_recording

UPLOAD = {
    "id": "upl_" + "0" * 32,
    "audio_url": "https://gateway.example/files/upl_1",
    "bytes": 3,
    "expires_at": "2026-11-15T12:00:00.000Z",
}
ACCEPTED = {**job("queued"), "warnings": []}


def make_wav(size: int) -> bytes:
    """A WAV file of exactly this size."""
    head = b"RIFF" + (size - 8).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
    head += bytes.fromhex("0100010080 3e0000 007d0000 0200 1000".replace(" ", ""))
    return (head + b"data" + (size - 44).to_bytes(4, "little")).ljust(size, b"\0")


WAV = make_wav(2 * PIECE_BYTES + 1000)


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "talk.wav"
    path.write_bytes(WAV)
    return path


class Pipe:
    """Bytes without a size, as from a socket."""

    def __init__(self, data: bytes) -> None:
        self._file = io.BytesIO(data)

    def read(self, size: int, /) -> bytes:
        return self._file.read(size)


@pytest.mark.parametrize("form", ["path", "text", "bytes", "bytearray", "file", "pipe"])
def test_every_kind_of_recording_is_uploaded_whole(ask: Ask, talk: Path, form: str) -> None:
    reported: list[tuple[int, int | None]] = []
    with talk.open("rb") as file:
        source: Any = {
            "path": talk,
            "text": str(talk),
            "bytes": WAV,
            "bytearray": bytearray(WAV),
            "file": file,
            "pipe": Pipe(WAV),
        }[form]
        made = ask(
            lambda client: client.uploads.create(
                source, on_progress=lambda sent, total: reported.append((sent, total))
            )
        )
        assert not file.closed
    assert made.bytes == len(WAV)
    size = None if form == "pipe" else len(WAV)
    assert reported == [(PIECE_BYTES, size), (2 * PIECE_BYTES, size), (len(WAV), size)]
    read = ask(lambda client: client.uploads.get(made.id))
    assert read.model_dump(exclude={"audio_url"}) == made.model_dump(exclude={"audio_url"})
    assert ask(lambda client: client.uploads.delete(made.id)).deleted is True
    with pytest.raises(NotFoundError):
        ask(lambda client: client.uploads.get(made.id))


def test_a_path_tells_the_name_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "Café's 会議.wav"
    path.write_bytes(WAV)
    for source in (path, str(path)):
        with open_recording(source, None) as recording:
            found = recording.headers(None).get("content-disposition", "")
        assert unquote(found) == f"attachment; filename*=UTF-8''{path.name}"
    with open_recording(WAV, None) as recording:
        assert "content-disposition" not in recording.headers(None)


def test_an_open_file_is_sent_from_its_position(ask: Ask, talk: Path) -> None:
    with HostileServer([reply(201, UPLOAD)]) as server, talk.open("rb") as file:
        file.seek(len(WAV) - 3)
        ask(lambda client: client.uploads.create(file, content_type="audio/wav"), url=server.url)
    asked = server.asked[0]
    assert (asked.method, asked.path, asked.body) == ("POST", "/v1/uploads", b"\0\0\0")
    assert (asked.headers["content-length"], asked.headers["content-type"]) == ("3", "audio/wav")
    assert "idempotency-key" not in asked.headers


def test_a_large_file_is_never_in_memory(ask: Ask, tmp_path: Path) -> None:
    size = 64 * 1024 * 1024
    path = tmp_path / "large.wav"
    with path.open("wb") as file:
        file.write(make_wav(44))
        file.truncate(size)

    def swallow(connection: socket.socket) -> None:
        connection.sendall(reply(201, {**UPLOAD, "bytes": size}))

    tracemalloc.start()
    try:
        with HostileServer([swallow], keep_bodies=False) as server:
            assert ask(lambda c: c.uploads.create(path), url=server.url).bytes == size
        assert tracemalloc.get_traced_memory()[1] < size / 8
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "source",
    [None, 7, 1.5, [], {}, object(), io.StringIO("text"), ["talk.wav"]],
)
def test_what_is_no_recording_is_refused_and_not_sent(ask: Ask, source: Any) -> None:
    with HostileServer([reply(201, UPLOAD)]) as server, pytest.raises(ArgumentError):
        ask(lambda client: client.uploads.create(source), url=server.url)
    assert server.asked == []


@pytest.mark.parametrize("type_", ["", "audio", "a/b\r\nx: y", "a/ü", 7])
def test_a_wrong_content_type_is_refused(ask: Ask, type_: Any) -> None:
    with pytest.raises(ArgumentError, match="content_type"):
        ask(lambda client: client.uploads.create(WAV, content_type=type_))


def test_a_missing_file_is_the_error_of_the_system(ask: Ask, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ask(lambda client: client.uploads.create(tmp_path / "none.wav"))
    with pytest.raises(IsADirectoryError):
        ask(lambda client: client.uploads.create(tmp_path))


def test_a_file_that_shrinks_or_grows_is_refused(ask: Ask, talk: Path) -> None:
    for length in (PIECE_BYTES, 4 * PIECE_BYTES):
        talk.write_bytes(WAV)

        def cut(sent: int, total: int | None) -> None:
            os.truncate(talk, length)

        with HostileServer([reply(201, UPLOAD)]) as server:
            with pytest.raises(ArgumentError, match="changed while it was sent"):
                ask(lambda c: c.uploads.create(talk, on_progress=cut), url=server.url)


def test_what_is_no_audio_is_refused_by_the_gateway(ask: Ask) -> None:
    for source in (b"", b"plain text, no audio at all"):
        with pytest.raises(InvalidRequestError):
            ask(lambda client: client.uploads.create(source))


def test_a_recording_on_the_disk_is_transcribed(ask: Ask, talk: Path, kind: str) -> None:
    accepted = ask(lambda client: client.transcribe(file=talk, provider="stt_b"))
    assert accepted.status == "queued"
    if kind != "sync":
        return
    done = ask(lambda client: client.jobs.wait(accepted.id, poll=0.05))
    assert done.result.text


def test_the_upload_of_a_refused_request_is_deleted(ask: Ask) -> None:
    refused = refusal(400, "invalid_request")
    deleted = reply(200, {"id": UPLOAD["id"], "deleted": True})
    with HostileServer([reply(201, UPLOAD), refused, deleted]) as server:
        with pytest.raises(InvalidRequestError):
            ask(lambda client: client.transcribe(file=b"abc"), url=server.url)
    assert [(one.method, one.path) for one in server.asked] == [
        ("POST", "/v1/uploads"),
        ("POST", "/v1/transcriptions"),
        ("DELETE", f"/v1/uploads/{UPLOAD['id']}"),
    ]


def test_the_upload_of_a_failed_request_is_kept(ask: Ask) -> None:
    with HostileServer([reply(201, UPLOAD), refusal(500, "internal_error")]) as server:
        with pytest.raises(ApiError):
            ask(lambda client: client.transcribe(file=b"abc"), url=server.url)
    assert len(server.asked) == 2


def test_a_wrong_argument_is_refused_before_the_upload(ask: Ask, talk: Path) -> None:
    wrong: Iterator[dict[str, Any]] = iter(
        [
            {},
            {"file": talk, "audio_url": "https://recordings.example/interview.wav"},
            {"file": talk, "diarise": True},
            {"file": talk, "provider": 7},
            {"file": talk, "webhook": "https://a.example/ x"},
        ]
    )
    with HostileServer([reply(201, UPLOAD)]) as server:
        for arguments in wrong:
            with pytest.raises(ArgumentError):
                ask(lambda client: client.transcribe(**arguments), url=server.url)
    assert server.asked == []


def test_the_address_of_a_webhook_is_sent(ask: Ask) -> None:
    with HostileServer([reply(202, ACCEPTED)]) as server:
        ask(
            lambda client: client.transcribe(
                "https://a.example/b", webhook="https://hooks.example/done"
            ),
            url=server.url,
        )
    asked = server.asked[0]
    assert asked.headers["x-trivium-webhook"] == "https://hooks.example/done"
    assert json.loads(asked.body) == {"audio_url": "https://a.example/b"}


@pytest.mark.parametrize("seconds", [-1, 1.5, True, "60", 10_000_000])
def test_a_wrong_age_of_a_cached_answer_is_refused(ask: Ask, seconds: Any) -> None:
    with pytest.raises(ArgumentError, match="cache_seconds"):
        ask(lambda client: client.search("solar", cache_seconds=seconds))
    with pytest.raises(ArgumentError, match="cache_seconds"):
        ask(lambda client: client.extract(["https://a.example"], cache_seconds=seconds))


@pytest.mark.parametrize("tokens", [99, 1_000_001, 100.5, True, "500"])
def test_a_wrong_budget_of_tokens_is_refused(ask: Ask, tokens: Any) -> None:
    with pytest.raises(ArgumentError, match="max_tokens"):
        ask(lambda client: client.search("solar", max_tokens=tokens))


def test_an_unknown_content_mode_is_refused(ask: Ask) -> None:
    wrong: Any = "loud"
    with pytest.raises(ArgumentError, match="content_mode"):
        ask(lambda client: client.extract(["https://a.example"], content_mode=wrong))
    with pytest.raises(ArgumentError, match="content_mode"):
        ask(lambda client: client.jobs.get(f"job_{'0' * 36}", content_mode=wrong))


def test_a_content_mode_and_a_budget_reach_the_gateway(ask: Ask) -> None:
    url = "https://hostile.example/1"
    checked = ask(lambda client: client.extract([url], content_mode="annotate"))
    assert [one.code for one in checked.warnings] == ["content_flagged"]
    blocked = ask(lambda client: client.extract([url], content_mode="block"))
    assert (blocked.results, len(blocked.failed)) == ([], 1)
    page = "https://pages.example/huge"
    cut = ask(lambda client: client.extract([page], max_tokens=500))
    assert 500 < len(cut.results[0].content or "") < 5000


def test_a_cached_answer_is_marked(ask: Ask, kind: str) -> None:
    def once() -> Any:
        return ask(lambda client: client.search(f"cached for {kind}", cache_seconds=600))

    assert [once().meta.cache.split(";")[0] for _ in range(2)] == ["miss", "hit"]
    assert ask(lambda client: client.balance()).meta.cache is None
