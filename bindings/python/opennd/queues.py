# SPDX-License-Identifier: MIT
"""Completion queues and queue pairs."""
import ctypes
import enum
import itertools
import time

from . import _abi
from ._errors import check, error_of
from .memory import entries_of
from .owned import Owned
from .pending import Pending


class Notify(enum.IntEnum):
    """What CompletionQueue.notify() waits for."""
    ERRORS = 0
    ANY = 1
    SOLICITED = 2


class Kind(enum.IntEnum):
    """The kind of request that a result is of."""
    RECEIVE = 0
    SEND = 1
    BIND = 2
    INVALIDATE = 3
    READ = 4
    WRITE = 5


class Result:
    """What became of one request: `context` is the program's own object, `bytes` what a Receive or Read brought."""

    __slots__ = ("status", "bytes", "context", "queue_pair", "kind")

    def __init__(self, status, count, context, queue_pair, kind):
        self.status, self.bytes, self.context, self.queue_pair, self.kind = status, count, context, queue_pair, kind

    @property
    def ok(self):
        return not self.status & 0x80000000

    def check(self):
        """Raises the error of a request that failed; returns this."""
        if not self.ok:
            raise error_of(self.status)
        return self

    def __repr__(self):
        name = _abi.status_name(self.status).decode()
        return f"<{self.kind.name.capitalize()} {name}, {self.bytes} bytes, {self.context!r}>"


class CompletionQueue(Owned):
    """Where results arrive, made by Adapter.completion_queue(). One thread at a time takes them."""

    def __init__(self, adapter, depth):
        self._object = adapter.make("IND2CompletionQueue", adapter.object.CreateCompletionQueue, (depth, 0, 0))
        self.queue_pairs = {}  # by their contexts
        self._batch = (_abi.Result * 64)()

    def poll(self, most=64):
        """The oldest results, as many as are there, at most `most`. Does not wait."""
        count = self._object.GetResults(ctypes.byref(self._batch), min(most, len(self._batch)))
        return [self._made(self._batch[number]) for number in range(count)]

    def _made(self, raw):
        queue_pair = self.queue_pairs.get(raw.QueuePairContext)
        context = queue_pair.take_context(raw.RequestContext) if queue_pair else None
        return Result(raw.Status & 0xFFFFFFFF, raw.BytesTransferred, context, queue_pair, Kind(raw.RequestType))

    def notify(self, what=Notify.ANY):
        """A request that completes once there is a result of that sort."""
        return Pending(self._object, lambda to: self._object.Notify(int(what), to))

    def wait(self, timeout=None):
        """The next results, at least one. After `timeout` seconds TimeoutError."""
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            if results := self.poll():
                return results
            self.notify().wait(None if end is None else max(0, end - time.monotonic()))

    async def results(self):
        """As wait(), in asyncio."""
        while True:
            if results := self.poll():
                return results
            await self.notify()


class QueuePair(Owned):
    """One end of a connection, made by Adapter.queue_pair(). Requests are posted to it, and return at once; their memory stays registered,
    and is not looked at, until the result has come."""

    _numbers = itertools.count(1)

    def __init__(self, adapter, receives, initiators, receive_depth, initiator_depth, receive_sges, initiator_sges):
        self._number = next(self._numbers)
        self._contexts, self._posted = {}, itertools.count(1)
        self._queues = {receives, initiators}
        place = ctypes.c_void_p()
        check(adapter.object.CreateQueuePair(
            ctypes.byref(_abi.IIDS["IND2QueuePair"]), receives.object.pointer, initiators.object.pointer, self._number,
            receive_depth, initiator_depth, receive_sges, initiator_sges, 0, ctypes.byref(place)))
        self._object = _abi.Object("IND2QueuePair", place.value)
        for queue in self._queues:
            queue.queue_pairs[self._number] = self

    def receive(self, pieces, context=None):
        """Offers memory for one message of the peer. Allowed before the connection is there, and best done then."""
        self._post(self._object.Receive, context, *entries_of(pieces))

    def send(self, pieces, context=None, solicited=False, fence=False):
        """Sends a message; it needs a Receive at the peer. solicited: it wakes a peer that waits for Notify.SOLICITED; fence: it begins
        after all Reads before it."""
        flags = (0x4 if solicited else 0) | (0x2 if fence else 0)
        self._post(self._object.Send, context, *entries_of(pieces), flags)

    def write(self, pieces, address, token, context=None, fence=False):
        """Stores the pieces in the peer's memory. The peer's program is not told: a Send behind it is."""
        self._post(self._object.Write, context, *entries_of(pieces), address, token, 0x2 if fence else 0)

    def read(self, pieces, address, token, context=None):
        """Fetches the peer's memory into the pieces."""
        self._post(self._object.Read, context, *entries_of(pieces), address, token, 0)

    def flush(self):
        """Ends all requests with Canceled; their results are there when it returns."""
        check(self._object.Flush())

    def take_context(self, number):
        """For the completion queue: the object that was given to a request."""
        return self._contexts.pop(number, None)

    def _post(self, call, context, entries, count, *more):
        number = next(self._posted)
        self._contexts[number] = context
        try:
            check(call(number, ctypes.byref(entries), count, *more))
        except BaseException:
            del self._contexts[number]
            raise

    def close(self):
        """Releases it. Results of its requests that come out of the queues later have neither queue pair nor context."""
        super().close()
        for queue in self._queues:
            queue.queue_pairs.pop(self._number, None)
