#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""src/spi/method_names.h has the methods of each interface in the order of the public headers.

    method_names.py ROOT
"""
import pathlib
import re
import sys

INTERFACE = re.compile(r"DECLARE_INTERFACE_\((\w+), (\w+)\) \{(.*?)\n\};", re.DOTALL)
METHOD = re.compile(r"STDMETHOD_?\((?:\w+, )?(\w+)\)")
NAMES = re.compile(r'kMethodNames<(\w+)> =\s+((?:"[^"]*"\s*)+);')
ROOT = "IUnknown"


def declared(header):
    """Interface -> (its base, its own methods)"""
    return {name: (base, METHOD.findall(body)) for name, base, body in INTERFACE.findall(header)}


def methods(interfaces, name):
    if name == ROOT:
        return []
    base, own = interfaces[name]
    return methods(interfaces, base) + own


def main():
    root = pathlib.Path(sys.argv[1])
    headers = "".join((root / "include/opennd" / name).read_text() for name in ("ndcom.h", "ndspi_v1.h", "ndspi_v2.h", "opennd_immediate.h"))
    interfaces = declared(headers)
    listed = {name: "".join(re.findall(r'"([^"]*)"', text)).split()
              for name, text in NAMES.findall((root / "src/spi/method_names.h").read_text())}
    wrong = [name for name in listed if name not in interfaces or listed[name] != methods(interfaces, name)]
    for name in wrong:
        print(f"src/spi/method_names.h: {name} has {listed[name]}; the header declares "
              f"{methods(interfaces, name) if name in interfaces else 'no such interface'}", file=sys.stderr)
    if len(listed) < 17:
        print(f"src/spi/method_names.h: {len(listed)} interfaces are found", file=sys.stderr)
    return 1 if wrong or len(listed) < 17 else 0


if __name__ == "__main__":
    sys.exit(main())
