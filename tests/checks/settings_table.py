#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A document has the table that `nd generate settings`, or another of its documents, writes.

    settings_table.py COMMAND DOCUMENT [KIND]
"""
import pathlib
import subprocess
import sys


def main():
    command, document = sys.argv[1], pathlib.Path(sys.argv[2])
    kind = sys.argv[3] if len(sys.argv) > 3 else "settings"
    table = subprocess.run([command, "generate", kind], check=True, capture_output=True, text=True).stdout
    text = document.read_text()
    if table and table in text:
        return 0
    print(f"{document.name}: its table is not what `nd generate {kind}` writes:\n{table}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
