# SPDX-License-Identifier: MIT
"""What Linux's netem does to packets, done in user space: for kernels that lack it. A wire of two taps, one for each end,
and a thread that carries the frames between them; from `far` to `near` it delays, loses, doubles and disorders them.
"""
import fcntl
import heapq
import itertools
import os
import random
import select
import struct
import threading
import time

_TUNSETIFF = 0x400454CA
_IFF_TAP, _IFF_NO_PI = 0x0002, 0x1000
_FRAME = 65536


class Impairment:
    """Parsed from netem's words: "delay TIME [JITTER]", "loss P%", "duplicate P%", "reorder P% [CORRELATION%]".

    As netem has it, a packet that is reordered goes at once where the others are delayed. The correlation is not
    imitated: each packet is judged by itself.
    """

    def __init__(self, how, seed=None):
        self._random = random.Random(seed)
        self._delay = self._jitter = self._loss = self._duplicate = self._reorder = 0.0
        words = how.split()
        while words:
            verb, *words = words
            values = list(itertools.takewhile(lambda word: word[0].isdigit(), words))
            words = words[len(values):]
            if verb == "delay":
                self._delay = _seconds(values[0])
                self._jitter = _seconds(values[1]) if len(values) > 1 else 0.0
            elif verb in ("loss", "duplicate", "reorder"):
                setattr(self, "_" + verb, float(values[0].removesuffix("%")) / 100)
            else:
                raise ValueError(f"no impairment is called {verb}")

    def fates(self):
        """The delay, in seconds, of each copy of one packet: none when it is lost, two when it is doubled."""
        copies = (0 if self._happens(self._loss) else 1) + (1 if self._happens(self._duplicate) else 0)
        return [0.0 if self._happens(self._reorder)
                else max(0.0, self._delay + self._random.uniform(-self._jitter, self._jitter)) for _ in range(copies)]

    def _happens(self, probability):
        return self._random.random() < probability


def _seconds(word):
    for unit, worth in (("us", 1e-6), ("ms", 1e-3), ("s", 1.0)):
        if word.endswith(unit):
            return float(word.removesuffix(unit)) * worth
    raise ValueError(f"{word} is no time: us, ms or s")


class BadWire:
    """Makes the taps `near` and `far` in this namespace (the caller may move them) and carries frames until close().
    OSError: this host gives no tap."""

    def __init__(self, near, far, how):
        self._near, self._far = _tap(near), _tap(far)
        self._impairment = Impairment(how)
        self._stop = os.eventfd(0)
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    def close(self):
        os.eventfd_write(self._stop, 1)
        self._thread.join()
        for descriptor in (self._near, self._far, self._stop):
            os.close(descriptor)

    def _carry(self):
        due, order = [], itertools.count()  # (when, order of arrival, frame)
        while True:
            patience = max(0.0, due[0][0] - time.monotonic()) if due else None
            ready, _, _ = select.select([self._near, self._far, self._stop], [], [], patience)
            if self._stop in ready:
                return
            if self._near in ready:
                for frame in _frames(self._near):
                    _put(self._far, frame)
            if self._far in ready:
                now = time.monotonic()
                for frame in _frames(self._far):
                    for delay in self._impairment.fates():
                        heapq.heappush(due, (now + delay, next(order), frame))
            now = time.monotonic()
            while due and due[0][0] <= now:
                _put(self._near, heapq.heappop(due)[2])


def _tap(name):
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    fcntl.ioctl(descriptor, _TUNSETIFF, struct.pack("16sH22x", name.encode(), _IFF_TAP | _IFF_NO_PI))
    return descriptor


def _frames(descriptor, most=64):
    """What has come, at most so much that the other direction need not wait long."""
    for _ in range(most):
        try:
            yield os.read(descriptor, _FRAME)
        except OSError:  # nothing more, or the interface is down
            return


def _put(descriptor, frame):
    try:
        os.write(descriptor, frame)
    except OSError:  # a full queue, or an interface that is down: a wire loses such frames
        pass
