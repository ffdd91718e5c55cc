"""A server that returns prepared bytes, valid or not, and records its requests."""

import json
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType

from typing_extensions import Self

Answer = bytes | Callable[[socket.socket], None]


@dataclass
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class HostileServer:
    """Each connection gets the next answer; the last one is repeated."""

    def __init__(self, answers: Sequence[Answer], *, keep_bodies: bool = True) -> None:
        self._keep_bodies = keep_bodies
        self.asked: list[Asked] = []
        self._answers = answers
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: list[socket.socket] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            connection.close()
        self._thread.join()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            self.asked.append(_read_request(connection, self._keep_bodies))
            answer = self._answers[min(len(self.asked), len(self._answers)) - 1]
            if callable(answer):
                answer(connection)
            else:
                connection.sendall(answer)
        except OSError:
            pass
        finally:
            connection.close()


def _read_request(connection: socket.socket, keep_body: bool) -> Asked:
    data = b""
    while b"\r\n\r\n" not in data:
        data += _receive(connection)
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    received = len(body)
    while received < int(headers.get("content-length", "0")):
        piece = _receive(connection)
        received += len(piece)
        body = body + piece if keep_body else b""
    method, path, _ = first.split(" ")
    return Asked(method, path, headers, body)


def _receive(connection: socket.socket) -> bytes:
    piece = connection.recv(65536)
    if not piece:
        raise OSError("The client disconnected.")
    return piece


def reply(status: int, body: bytes | object, *more: tuple[str, str]) -> bytes:
    """A complete response; a body that is not bytes is encoded as JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = [
        ("content-type", "application/json"),
        ("content-length", str(len(content))),
        ("connection", "close"),
        *more,
    ]
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"HTTP/1.1 {status} Prepared\r\n{lines}\r\n".encode() + content


def refusal(status: int, type_: str, *more: tuple[str, str], detail: object = None) -> bytes:
    error = {"type": type_, "message": "It was refused.", "detail": detail}
    return reply(status, {"error": error}, ("x-request-id", "req_1"), *more)


FOUND = {
    "id": "srch_0198c0de000070008000000000000001",
    "provider": "engine_a",
    "results": [],
    "warnings": [],
    "usage": {"cost_usd": 0.007, "credits": 7},
    "latency_ms": 12,
}
JOB_ID = "job_0198c0de-0000-7000-8000-000000000001"


def job(status: str) -> dict[str, object]:
    ended = status in ("completed", "failed")
    result = {"text": "Hello there.", "provider": "stt_a", "model": "universal"}
    reason = {"type": "audio_unreachable", "message": "The recording is gone.", "retryable": False}
    return {
        "id": JOB_ID,
        "tool": "transcription",
        "status": status,
        "provider": "stt_a",
        "model": "universal",
        "attempt_status": status,
        "created_at": "2026-11-15T12:00:00.000Z",
        "updated_at": "2026-11-15T12:00:01.000Z",
        "finished_at": "2026-11-15T12:00:02.000Z" if ended else None,
        "result": result if status == "completed" else None,
        "error": reason if status == "failed" else None,
    }
