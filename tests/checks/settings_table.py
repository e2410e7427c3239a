#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The README has the table of settings as `nd generate settings` writes it."""
import pathlib
import subprocess
import sys


def main():
    command, readme = sys.argv[1], pathlib.Path(sys.argv[2])
    table = subprocess.run([command, "generate", "settings"], check=True, capture_output=True, text=True).stdout
    if table and table in readme.read_text():
        return 0
    print(f"{readme.name}: its table of settings is not what `nd generate settings` writes:\n{table}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
