"""What the tests ask of the pinned clients, and `npm test -- --suite vendors` of the newest: whether they
know what the adapters send, and which public types they have.

    python vendor_drift.py report.json folder [more folders]

Writes one report in JSON.
"""
import json
import sys
from pathlib import Path

from check_requests import check_requests
from types_of_clients import types_of_clients

report = {"requests": check_requests(sys.argv[2:]), "clients": types_of_clients()}
Path(sys.argv[1]).write_text(json.dumps(report), encoding="utf-8")
