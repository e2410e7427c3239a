# SPDX-License-Identifier: MIT
"""Requests that complete later: to be waited for by a thread, or awaited in asyncio."""
import asyncio
import ctypes
import time

from . import _abi
from ._errors import Canceled, check, error_of

# The library writes into the OVERLAPPED of a request until it completes: those that a program dropped stay here until then.
_in_progress = set()
# A thread that waits looks this often whether Python has a signal for it.
_LOOK_MS = 200


class Pending:
    """A request in progress, of the object `owner`. Wait once: `pending.wait()`, or `await pending`."""

    def __init__(self, owner, begin, then=None, without=None):
        """`begin` gets a pointer to the OVERLAPPED and submits the request; `then` makes the value of a success; `without` is called where
        nobody gets that value."""
        self._owner, self._then, self._without = owner, then, without
        event = ctypes.c_void_p()
        check(_abi.event_create(1, 0, ctypes.byref(event)))
        self._overlapped = _abi.Overlapped(hEvent=event.value)
        try:
            check(begin(ctypes.byref(self._overlapped)))
        except BaseException:
            _abi.handle_close(event.value)
            raise
        _in_progress.add(self)

    def done(self):
        """True once the request is complete."""
        return self not in _in_progress or self._status() != _abi.PENDING

    def wait(self, timeout=None):
        """The value of the request. After `timeout` seconds it is canceled, with all others of its object, and TimeoutError is raised,
        unless the request was complete before the cancellation."""
        end = None if timeout is None else time.monotonic() + timeout
        try:
            while not self._is_set(end):
                if end is not None and time.monotonic() >= end:
                    return self._value_in_spite_of_cancel(timeout)
        except KeyboardInterrupt:
            self.cancel()
            raise
        return self._value()

    def cancel(self):
        """Cancels all requests of the object that are in progress; this one then ends with Canceled, or had been complete."""
        self._owner.CancelOverlappedRequests()

    def __await__(self):
        return self._awaited().__await__()

    async def _awaited(self):
        loop = asyncio.get_running_loop()
        descriptor = ctypes.c_int()
        check(_abi.event_descriptor(self._overlapped.hEvent, ctypes.byref(descriptor)))
        ready = loop.create_future()
        loop.add_reader(descriptor.value, lambda: ready.done() or ready.set_result(None))
        try:
            await ready
        except asyncio.CancelledError:
            loop.remove_reader(descriptor.value)
            self.cancel()
            _abi.overlapped_result(ctypes.byref(self._overlapped), 1)
            self._forget()
            self._give_up()
            raise
        loop.remove_reader(descriptor.value)
        return self._value()

    def _is_set(self, end):
        left = _LOOK_MS if end is None else min(_LOOK_MS, max(0, int((end - time.monotonic()) * 1000)))
        return check(_abi.event_wait(self._overlapped.hEvent, left)) == _abi.SUCCESS

    def _value_in_spite_of_cancel(self, timeout):
        self.cancel()
        _abi.overlapped_result(ctypes.byref(self._overlapped), 1)  # another thread may be about to complete it
        try:
            return self._value()
        except Canceled as error:
            raise TimeoutError(f"the request was not complete within {timeout} s, and is canceled") from error

    def _give_up(self):
        if self._without:
            self._without()

    def _status(self):
        return _abi.overlapped_result(ctypes.byref(self._overlapped), 0)

    def _value(self):
        status = self._status()
        if status & 0x80000000:
            error = error_of(status)
            self._forget()
            self._give_up()
            raise error
        self._forget()
        return self._then() if self._then else None

    def _forget(self):
        if self in _in_progress:
            _in_progress.remove(self)
            _abi.handle_close(self._overlapped.hEvent)
