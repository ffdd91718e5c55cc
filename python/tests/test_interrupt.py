"""Ctrl-C while waiting: the program exits, and its output names the job."""

import signal
import subprocess
import sys
from textwrap import dedent

import pytest
from hostile import JOB_ID, HostileServer, job, reply

SYNC = f"""
    from trivium_client import Trivium
    client = Trivium()
    client.jobs.wait("{JOB_ID}", on_progress=lambda job: print(job.status, flush=True))
"""
ASYNC = f"""
    import asyncio
    from trivium_client import AsyncTrivium
    async def main():
        async with AsyncTrivium() as client:
            async def show(job):
                print(job.status, flush=True)
            await client.jobs.wait("{JOB_ID}", on_progress=show)
    asyncio.run(main())
"""
CAUGHT = f"""
    from trivium_client import Trivium
    client = Trivium()
    try:
        client.jobs.wait("{JOB_ID}", on_progress=lambda job: print(job.status, flush=True))
    except KeyboardInterrupt as stopped:
        print("again:", stopped.job_id)
"""


@pytest.mark.parametrize("program", [SYNC, ASYNC, CAUGHT])
def test_an_interrupted_wait_names_its_job(
    program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with HostileServer([reply(200, job("running"))]) as server:
        monkeypatch.setenv("TRIVIUM_URL", server.url)
        with subprocess.Popen(
            [sys.executable, "-c", dedent(program)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == "running\n"
            child.send_signal(signal.SIGINT)
            printed = child.stdout.read()
            code = child.wait()
    assert JOB_ID in printed
    if program is CAUGHT:
        assert (printed.splitlines()[-1], code) == (f"again: {JOB_ID}", 0)
    else:
        assert code != 0
