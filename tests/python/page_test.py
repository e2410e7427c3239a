#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each program of docs/python.md runs, and prints what it should.

    page_test.py PAGE
"""
import pathlib
import re
import subprocess
import sys

PRINTED = (
    "private data of the client\nand of the server\n['a message came', 'it was sent'] b'hello'\n",
    "24 True 1.5\n.*\n",
    "ND_CONNECTION_REFUSED b'not today'\n",
    "ND_INVALID_PARAMETER_5 \\| .*1000000.* \\| .*16384.* \\| .+\n.*: ND_INVALID_ADDRESS: .*192.0.2.1.*\n",
)


def main():
    programs = re.findall(r"^```python\n(.*?)^```$", pathlib.Path(sys.argv[1]).read_text(), re.DOTALL | re.MULTILINE)
    wrong = [] if len(programs) == len(PRINTED) else [f"{len(programs)} programs, {len(PRINTED)} expected"]
    for program, printed in zip(programs, PRINTED):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        text = re.escape(printed) if "\\" not in printed and ".*" not in printed else printed
        if done.returncode != 0 or not re.fullmatch(text, done.stdout):
            wrong.append(f"{program}\nprinted {done.stdout!r} {done.stderr}")
    print("\n".join(wrong) or f"{len(programs)} programs of the page run")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
