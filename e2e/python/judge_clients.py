"""Both judgements of the vendors' clients in one program: loading the clients takes most of its time.

    python judge_clients.py http://127.0.0.1:8790 server/src/providers [more folders]

Prints one line of JSON: the readings of the sandbox, and the requests of the adapters.
"""
import json
import sys

from judge_requests import judge_requests
from read_sandbox import read_sandbox

print(json.dumps({"readings": read_sandbox(), "requests": judge_requests(sys.argv[2:])}))
