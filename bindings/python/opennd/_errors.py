# SPDX-License-Identifier: MIT
"""Failures as exceptions, with the explanation that the library keeps for the thread."""
import ctypes

from . import _abi


class NetworkDirectError(OSError):
    """A call or a request failed. `status` is its number, `name` its name ("ND_CONNECTION_REFUSED"); object, operation, asked, limit,
    remedy and requirement explain the failure, where it was found by a call of this thread, and else are empty."""

    def __init__(self, status):
        self.status = status & 0xFFFFFFFF
        self.name = _abi.status_name(self.status).decode()
        error = _abi.Error(bytes=ctypes.sizeof(_abi.Error))
        known = _abi.last_error(ctypes.byref(error)) == 0 and error.status & 0xFFFFFFFF == self.status
        for field in ("object", "operation", "asked", "limit", "remedy", "requirement"):
            setattr(self, field, (getattr(error, field) or b"").decode(errors="replace") if known else "")
        super().__init__(self._text())

    def _text(self):
        text = ": ".join(part for part in (self.object, self.operation, self.name) if part)
        text += f": {self.asked}" if self.asked else ""
        text += f"; limit: {self.limit}" if self.limit else ""
        text += f"; {self.remedy}" if self.remedy else ""
        return text + (f" ({self.requirement})" if self.requirement else "")


class Canceled(NetworkDirectError):
    """The request was canceled, by the program or by the end of its connection: it was not carried out."""


class ConnectionFailed(NetworkDirectError, ConnectionError):
    """No connection: refused, aborted, ended, or out of reach."""


CANCELED = 0xC0000120
_CLASSES = {CANCELED: Canceled} | dict.fromkeys(
    (0xC0000236, 0xC000023A, 0xC000023C, 0xC000023D, 0xC0000241), ConnectionFailed)


def error_of(status):
    return _CLASSES.get(status & 0xFFFFFFFF, NetworkDirectError)(status)


def check(status):
    """Raises unless the call succeeded, or is in progress; returns the status."""
    if status & 0x80000000:
        raise error_of(status)
    return status
