# SPDX-License-Identifier: MIT
"""Registered memory, and pieces of it for requests."""
import ctypes
import enum

from . import _abi
from ._errors import check
from .owned import Closing
from .pending import Pending


# Memory that a program dropped is still registered, and stays until close().
_registered = set()


class Rights(enum.IntFlag):
    """What may be done with registered memory beside sending from it."""
    LOCAL_WRITE = 0x1
    REMOTE_READ = 0x2
    REMOTE_WRITE = 0x5
    READ_SINK = 0x8


class Piece:
    """Some bytes of registered memory."""

    def __init__(self, memory, begin, end):
        self.memory, self.begin, self.end = memory, begin, end

    def __len__(self):
        return self.end - self.begin

    @property
    def view(self):
        """The bytes, to be read and changed."""
        return self.memory.view[self.begin:self.end]

    @property
    def address(self):
        """For a peer's Read and Write, with memory.remote_token."""
        return self.memory.address + self.begin


class Memory(Closing):
    """Memory that is registered with an adapter, made by Adapter.memory(). memory[a:b] is a piece of it."""

    def __init__(self, adapter, source, rights):
        self._region = self._own = None
        if isinstance(source, int):
            place = ctypes.c_void_p()
            check(_abi.memory_allocate(source, ctypes.byref(place)))
            self._own, self._bytes, self.address = place, source, place.value
            self._buffer = (ctypes.c_char * source).from_address(place.value)
        else:
            whole = memoryview(source).cast("B")
            self._bytes = len(whole)
            # Holds the program's buffer, which therefore cannot be resized while it is registered.
            self._buffer = (ctypes.c_char * self._bytes).from_buffer(whole)
            self.address = ctypes.addressof(self._buffer)
        self.view = memoryview(self._buffer).cast("B")
        try:
            self._region = adapter.make("IND2MemoryRegion", adapter.object.CreateMemoryRegion)
            Pending(self._region, lambda to: self._region.Register(self.address, self._bytes, int(rights), to)).wait()
            _registered.add(self)
        except BaseException:
            self._free()
            raise

    def __len__(self):
        return self._bytes

    def __getitem__(self, part):
        if not isinstance(part, slice) or part.step not in (None, 1):
            raise TypeError("a piece of memory is named by memory[begin:end]")
        begin, end, _ = part.indices(self._bytes)
        return Piece(self, begin, max(begin, end))

    @property
    def local_token(self):
        return self._region.GetLocalToken()

    @property
    def remote_token(self):
        """What a peer's Read or Write needs beside an address; its program gets it by a message, or by private data."""
        return self._region.GetRemoteToken()

    def close(self):
        """Ends the registration: when it returns, nobody touches the memory any more. Memory of the library's own is freed, and must not
        be looked at afterwards."""
        if self._region:
            Pending(self._region, self._region.Deregister).wait()
            _registered.discard(self)
        self._free()

    def _free(self):
        if self._region:
            self._region.Release()
            self._region = None
        self.view = self._buffer = None
        if self._own:
            _abi.memory_free(self._own)
            self._own = None


def entries_of(pieces):
    """The scatter/gather list of a piece, or of several, and how many there are."""
    pieces = (pieces,) if isinstance(pieces, Piece) else tuple(pieces)
    entries = (_abi.Sge * len(pieces))()
    for entry, piece in zip(entries, pieces):
        entry.Buffer, entry.BufferLength = piece.address, len(piece)
        entry.MemoryRegionToken = piece.memory.local_token
    return entries, len(pieces)
