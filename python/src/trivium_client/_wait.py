"""Waiting for a job, without any network access: evaluates each read and lengthens the pauses."""

import time
from collections.abc import Awaitable, Callable

from ._call import check_job_id
from ._settings import check_seconds
from .errors import GatewayConnectionError, JobFailedError, TimedOutError, UnansweredError
from .models import CompletedJob, Job

# A little more than the two hours after which the gateway fails a job.
DEFAULT_WAIT = 7800.0
DEFAULT_POLL = 0.5
PAUSE_GROWTH = 1.5
MOST_GROWTH = 10.0
# A restarting gateway is unreachable for a moment; that must not end a long wait.
MOST_LOST_READS = 10

OnProgress = Callable[[Job], None]
AsyncOnProgress = Callable[[Job], Awaitable[None] | None]


class JobWait:
    def __init__(self, job_id: str, timeout: float, poll: float) -> None:
        self.job_id = check_job_id(job_id)
        self._timeout = check_seconds("timeout", timeout)
        self._pause = check_seconds("poll", poll)
        self._longest = self._pause * MOST_GROWTH
        self._deadline = time.monotonic() + self._timeout
        self._lost = 0

    def remaining(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise self.timed_out()
        return left

    def timed_out(self) -> TimedOutError:
        return TimedOutError(
            f"The job {self.job_id} had not ended after {self._timeout:g} seconds; it continues.",
            job_id=self.job_id,
        )

    def judge(self, job: Job) -> CompletedJob | None:
        """Returns the completed job, or None if it has not ended; raises if it failed."""
        self._lost = 0
        if job.status == "completed" and job.result is not None:
            completed = CompletedJob.model_validate(job.model_dump())
            completed._meta = job.meta
            return completed
        if job.error is not None:
            raise JobFailedError(job, job.error)
        return None

    def lost(self, error: UnansweredError) -> None:
        """Counts a read without an answer. Many in a row end the wait, and so does its timeout."""
        self.remaining()
        self._lost += 1
        if self._lost > MOST_LOST_READS:
            raise GatewayConnectionError(f"{error} The job {self.job_id} continues.", job_id=self.job_id) from error

    def next_pause(self) -> float:
        pause = min(self._pause, self.remaining())
        self._pause = min(self._pause * PAUSE_GROWTH, self._longest)
        return pause
