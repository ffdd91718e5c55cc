"""All checks with the vendors' clients in one program: loading the clients takes most of its time.

    python check_clients.py http://127.0.0.1:8790 server/src/providers [more folders]

Prints one line of JSON: the readings of the sandbox, the requests of the adapters, and the public
types of the clients.
"""
import json
import sys

from check_requests import check_requests
from read_sandbox import read_sandbox
from types_of_clients import types_of_clients

report = {
    "readings": read_sandbox(),
    "requests": check_requests(sys.argv[2:]),
    "clients": types_of_clients(),
}
print(json.dumps(report))
