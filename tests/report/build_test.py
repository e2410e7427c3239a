# SPDX-License-Identifier: MIT
"""benchmarks/report --short on the nd of a build: each row gets figures, and a floor or peer that is not there is named."""
import json
import pathlib
import subprocess
import sys
import tempfile

report, build = map(pathlib.Path, sys.argv[1:])
with tempfile.TemporaryDirectory() as out:
    subprocess.run([sys.executable, report, "--short", "--build", build, "--out", out], check=True, timeout=600)
    lines = [json.loads(line) for line in (pathlib.Path(out) / "results.jsonl").read_text().splitlines()]
    figures = {(line["row"], line["contender"]) for line in lines if line["kind"] == "figure"}
    wanted = {("shm.send_lat", "OpenND"), ("shm.send_lat", "OpenND, private memory"), ("tcp.send_lat", "OpenND"), ("tcp.send_lat", "OpenND, CRC off")}
    missing = wanted - figures
    for line in lines:
        if line["kind"] == "failure":
            print(f"{line['row']}, {line['contender']}: {line['reason']}")
    if missing:
        sys.exit(f"no figure of {sorted(missing)}")
