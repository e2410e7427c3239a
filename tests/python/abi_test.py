#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The numbers of the Python package are those of the headers: layouts, places of methods, identifiers and statuses, as a C compiler says.

    abi_test.py COMPILER INCLUDES
"""
import ctypes
import pathlib
import subprocess
import sys
import tempfile

from opennd import _abi, _errors, memory, queues

STRUCTURES = {"OVERLAPPED": _abi.Overlapped, "ND2_SGE": _abi.Sge, "ND2_RESULT": _abi.Result, "ND2_ADAPTER_INFO": _abi.AdapterInfo,
              "opennd_error": _abi.Error, "GUID": _abi.Guid}
NUMBERS = {"ND_PENDING": _abi.PENDING, "ND_TIMEOUT": _abi.TIMEOUT, "ND_SUCCESS": _abi.SUCCESS, "ND_VERSION_2": _abi.VERSION_2,
           "OPENND_FOREVER": _abi.FOREVER, "ND_CANCELED": _errors.CANCELED,
           "ND_MR_FLAG_ALLOW_LOCAL_WRITE": memory.Rights.LOCAL_WRITE, "ND_MR_FLAG_ALLOW_REMOTE_READ": memory.Rights.REMOTE_READ,
           "ND_MR_FLAG_ALLOW_REMOTE_WRITE": memory.Rights.REMOTE_WRITE, "ND_MR_FLAG_RDMA_READ_SINK": memory.Rights.READ_SINK,
           "ND_CQ_NOTIFY_ERRORS": queues.Notify.ERRORS, "ND_CQ_NOTIFY_ANY": queues.Notify.ANY,
           "ND_CQ_NOTIFY_SOLICITED": queues.Notify.SOLICITED,
           "ND_OP_FLAG_READ_FENCE": 0x2, "ND_OP_FLAG_SEND_AND_SOLICIT_EVENT": 0x4} | {
               f"Nd2RequestType{kind.name.capitalize()}": kind for kind in queues.Kind}
FAILED_CONNECTIONS = ("ND_CONNECTION_REFUSED", "ND_CONNECTION_INVALID", "ND_NETWORK_UNREACHABLE", "ND_HOST_UNREACHABLE",
                      "ND_CONNECTION_ABORTED")


def facts():
    """What the package says, by an expression of C."""
    for name, structure in STRUCTURES.items():
        yield f"sizeof({name})", ctypes.sizeof(structure)
        for field, _ in structure._fields_:
            yield f"offsetof({name}, {field})", getattr(structure, field).offset
    for interface, methods in _abi.METHODS.items():
        for slot, method in enumerate(methods):
            yield f"offsetof({interface}Vtbl, {method})", slot * ctypes.sizeof(ctypes.c_void_p)
    for interface, guid in _abi.IIDS.items():
        for number, octet in enumerate(bytes(guid)):
            yield f"((const unsigned char*)&IID_{interface})[{number}]", octet
    for name, number in NUMBERS.items():
        yield name, int(number)


def main():
    compiler, includes = sys.argv[1], sys.argv[2]
    told = list(facts())
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "abi.c")
        lines = "".join(f'    printf("%llu\\n", (unsigned long long)(unsigned)({expression}));\n' for expression, _ in told)
        lines += "".join(f'    printf("%u\\n", (unsigned){name});\n' for name in FAILED_CONNECTIONS)
        source.write_text("#define INITGUID\n#include <stddef.h>\n#include <stdio.h>\n#include <opennd.h>\n#include <ndsupport.h>\n"
                          f"int main(void) {{\n{lines}    return 0;\n}}\n")
        program = str(source.with_suffix(""))
        subprocess.run([compiler, "-std=c11", "-w", f"-I{includes}", str(source), "-o", program], check=True)
        numbers = [int(line) for line in subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()]
    wrong = [f"{expression}: {there} in the headers, {here} in the package"
             for (expression, here), there in zip(told, numbers) if here != there]
    for name, status in zip(FAILED_CONNECTIONS, numbers[len(told):]):
        if not isinstance(_errors.error_of(status), ConnectionError):
            wrong.append(f"{name} is no ConnectionError")
    print("\n".join(wrong) or f"{len(told)} numbers are those of the headers")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
