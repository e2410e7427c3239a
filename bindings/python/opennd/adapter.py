# SPDX-License-Identifier: MIT
"""The adapter of a local address, which makes all other objects."""
import ctypes

from . import _abi
from ._errors import check
from .address import packed
from .connection import Connector, Listener
from .memory import Memory, Rights
from .owned import Closing
from .queues import CompletionQueue, QueuePair


class Adapter(Closing):
    """Opens the adapter of a local address, "127.0.0.1" or another one that `nd info` lists."""

    def __init__(self, host):
        self.host = host
        self.object = self._file = None
        check(_abi.startup())
        try:
            here, place = packed(host), ctypes.c_void_p()
            check(_abi.open_adapter(ctypes.byref(_abi.IIDS["IND2Adapter"]), ctypes.byref(here), len(here),
                                    ctypes.byref(place)))
            self.object = _abi.Object("IND2Adapter", place.value)
            handle = ctypes.c_void_p()
            check(self.object.CreateOverlappedFile(ctypes.byref(handle)))
            self._file = handle
        except BaseException:
            self.close()
            raise

    def make(self, interface, create, words=()):
        """For the classes of this package: an object of that interface."""
        place = ctypes.c_void_p()
        check(create(ctypes.byref(_abi.IIDS[interface]), self._file, *words, ctypes.byref(place)))
        return _abi.Object(interface, place.value)

    @property
    def limits(self):
        """The limits of ND2_ADAPTER_INFO by their names: limits["MaxReadSge"]."""
        info, size = _abi.AdapterInfo(InfoVersion=_abi.VERSION_2), ctypes.c_uint32(ctypes.sizeof(_abi.AdapterInfo))
        check(self.object.Query(ctypes.byref(info), ctypes.byref(size)))
        return {name: getattr(info, name) for name, _ in _abi.AdapterInfo._fields_}

    def memory(self, source, rights=Rights.LOCAL_WRITE):
        """Registers memory: a number of bytes of the library's own, which peers on this host can map, or a buffer of the program that
        may be changed (bytearray, array, numpy array, mmap)."""
        return Memory(self, source, rights)

    def completion_queue(self, depth=256):
        return CompletionQueue(self, depth)

    def queue_pair(self, completions, receive_depth=16, initiator_depth=16, receive_sges=1, initiator_sges=1, receives=None):
        """A queue pair whose results go to `completions`, or those of Receives to `receives`."""
        return QueuePair(self, receives or completions, completions, receive_depth, initiator_depth, receive_sges,
                         initiator_sges)

    def connector(self):
        return Connector(self)

    def listener(self, port=0, backlog=0):
        """Listens at a port; 0: one that is free."""
        return Listener(self, port, backlog)

    def close(self):
        """Lets the adapter go; what it made stays usable until it is closed itself."""
        if self._file:
            _abi.handle_close(self._file)
        if self.object:
            self.object.Release()
        if self.host:
            _abi.cleanup()
        self.object = self._file = self.host = None
