"""A recording to upload: its size if it is known, and its bytes piece by piece."""

import os
import re
import stat
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import isawaitable
from io import BytesIO, TextIOBase
from typing import Protocol
from urllib.parse import quote

from anyio import to_thread

from .errors import ArgumentError

PIECE_BYTES = 256 * 1024
_CONTENT_TYPE = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+(; ?[\x20-\x7e]+)?", re.ASCII)

_NOT_BYTES = 'A file must be opened in binary mode ("rb").'

OnUploadProgress = Callable[[int, int | None], object]
"""Called with the bytes sent so far, and the size or None; the async client also awaits it."""


class ReadableBytes(Protocol):
    def read(self, size: int, /) -> bytes: ...


UploadSource = str | os.PathLike[str] | bytes | bytearray | memoryview | ReadableBytes


@dataclass(frozen=True)
class Recording:
    file: ReadableBytes
    size: int | None
    on_progress: OnUploadProgress | None
    name: str | None = None

    def headers(self, content_type: str | None) -> dict[str, str]:
        headers = {"content-type": _check_content_type(content_type)}
        if self.name:
            name = quote(self.name, safe="", errors="replace")
            headers["content-disposition"] = f"attachment; filename*=UTF-8''{name}"
        # Without a known size, the body is sent in chunks.
        return headers if self.size is None else {**headers, "content-length": str(self.size)}

    def pieces(self) -> Iterator[bytes]:
        sent = 0
        while piece := self._check(self.file.read(PIECE_BYTES), sent):
            yield piece
            sent += len(piece)
            self._report(sent)

    async def async_pieces(self) -> AsyncIterator[bytes]:
        """Reads in a thread, so that a slow disk does not stop the other tasks."""
        sent = 0
        while piece := self._check(await to_thread.run_sync(self.file.read, PIECE_BYTES), sent):
            yield piece
            sent += len(piece)
            reported = self._report(sent)
            if isawaitable(reported):
                await reported

    def _check(self, piece: bytes, sent: int) -> bytes:
        if not isinstance(piece, bytes):
            raise ArgumentError(_NOT_BYTES)
        if self.size is not None:
            total = sent + len(piece)
            if total > self.size or (not piece and total < self.size):
                raise ArgumentError("The file changed while it was sent.")
        return piece

    def _report(self, sent: int) -> object:
        return None if self.on_progress is None else self.on_progress(sent, self.size)


@contextmanager
def open_recording(
    source: UploadSource, on_progress: OnUploadProgress | None
) -> Iterator[Recording]:
    """Closes only a file that it opened itself."""
    given: object = source
    if isinstance(given, TextIOBase):
        raise ArgumentError(_NOT_BYTES)
    if isinstance(source, (bytes, bytearray, memoryview)):
        yield Recording(BytesIO(source), memoryview(source).nbytes, on_progress)
    elif isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            found = os.fstat(file.fileno())
            size = found.st_size if stat.S_ISREG(found.st_mode) else None
            yield Recording(file, size, on_progress, os.path.basename(os.fsdecode(source)))
    elif callable(getattr(source, "read", None)):
        yield Recording(source, _size_left(source), on_progress)
    else:
        raise ArgumentError("A recording must be a path, a file opened in binary mode, or bytes.")


def _size_left(file: ReadableBytes) -> int | None:
    """The size from the current position to the end; None if it is unknown, as for a pipe."""
    seek, tell = getattr(file, "seek", None), getattr(file, "tell", None)
    if seek is None or tell is None:
        return None
    try:
        start = tell()
        end = seek(0, os.SEEK_END)
        seek(start)
        return int(end) - int(start)
    except (OSError, ValueError, TypeError):
        return None


def _check_content_type(content_type: str | None) -> str:
    if content_type is None:
        return "application/octet-stream"
    if not isinstance(content_type, str) or not _CONTENT_TYPE.fullmatch(content_type):
        raise ArgumentError('content_type must look like "audio/mpeg".')
    return content_type
