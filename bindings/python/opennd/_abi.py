# SPDX-License-Identifier: MIT
"""The C ABI of libopennd: structures, identifiers, functions, and calls through the tables of methods. The tests compare every number
here with the headers."""
import ctypes
import pathlib
from ctypes import (POINTER, Structure, byref, c_char_p, c_int, c_int32, c_size_t, c_uint16, c_uint32, c_uint64, c_uint8,
                    c_void_p)

PENDING = 0x103
TIMEOUT = 0x102
SUCCESS = 0
FOREVER = 0xFFFFFFFF
VERSION_2 = 0x20000

def _load():
    """The library of the same installation (PREFIX/lib/python3/dist-packages/opennd), or that which the system's loader finds."""
    beside = pathlib.Path(__file__).resolve().parents[3] / "libopennd.so.0"
    return ctypes.CDLL(str(beside) if beside.exists() else "libopennd.so.0")


_library = _load()


class Guid(Structure):
    _fields_ = [("Data1", c_uint32), ("Data2", c_uint16), ("Data3", c_uint16), ("Data4", c_uint8 * 8)]


def _guid(text):
    parts = text.split("-")
    tail = bytes.fromhex(parts[3] + parts[4])
    return Guid(int(parts[0], 16), int(parts[1], 16), int(parts[2], 16), (c_uint8 * 8)(*tail))


class Overlapped(Structure):
    _fields_ = [("Internal", c_size_t), ("InternalHigh", c_size_t), ("Pointer", c_void_p), ("hEvent", c_void_p)]


class Sge(Structure):
    _fields_ = [("Buffer", c_void_p), ("BufferLength", c_uint32), ("MemoryRegionToken", c_uint32)]


class Result(Structure):
    _fields_ = [("Status", c_int32), ("BytesTransferred", c_uint32), ("QueuePairContext", c_void_p),
                ("RequestContext", c_void_p), ("RequestType", c_int)]


class AdapterInfo(Structure):
    _fields_ = [("InfoVersion", c_uint32), ("VendorId", c_uint16), ("DeviceId", c_uint16), ("AdapterId", c_uint64),
                ("MaxRegistrationSize", c_size_t), ("MaxWindowSize", c_size_t), ("MaxInitiatorSge", c_uint32),
                ("MaxReceiveSge", c_uint32), ("MaxReadSge", c_uint32), ("MaxTransferLength", c_uint32),
                ("MaxInlineDataSize", c_uint32), ("MaxInboundReadLimit", c_uint32), ("MaxOutboundReadLimit", c_uint32),
                ("MaxReceiveQueueDepth", c_uint32), ("MaxInitiatorQueueDepth", c_uint32),
                ("MaxSharedReceiveQueueDepth", c_uint32), ("MaxCompletionQueueDepth", c_uint32),
                ("InlineRequestThreshold", c_uint32), ("LargeRequestThreshold", c_uint32), ("MaxCallerData", c_uint32),
                ("MaxCalleeData", c_uint32), ("AdapterFlags", c_uint32)]


class Error(Structure):
    _fields_ = [("bytes", c_uint32), ("status", c_int32), ("status_name", c_char_p), ("object", c_char_p),
                ("operation", c_char_p), ("asked", c_char_p), ("limit", c_char_p), ("remedy", c_char_p),
                ("requirement", c_char_p)]


IIDS = {name: _guid(text) for name, text in {
    "IND2CompletionQueue": "20CC445E-64A0-4CBB-AA75-F6A7251FDA9E",
    "IND2MemoryRegion": "55DFEA2F-BC56-4982-8A45-0301BE46C413",
    "IND2QueuePair": "EEF2F332-B75D-4063-BCE3-3A0BAD2D02CE",
    "IND2Connector": "7DD615C4-6B4C-4866-950C-F3B1D25A5302",
    "IND2Listener": "65D23D83-3A57-4E02-86A4-350165C2D130",
    "IND2Adapter": "D89C798C-4823-4D69-846C-DFDCCFF9E5F3",
}.items()}

_UNKNOWN = ("QueryInterface", "AddRef", "Release")
_OVERLAPPED = _UNKNOWN + ("CancelOverlappedRequests", "GetOverlappedResult")
# The methods of each interface, in the order of its table.
METHODS = {
    "IND2CompletionQueue": _OVERLAPPED + ("GetNotifyAffinity", "Resize", "Notify", "GetResults"),
    "IND2MemoryRegion": _OVERLAPPED + ("Register", "Deregister", "GetLocalToken", "GetRemoteToken"),
    "IND2QueuePair": _UNKNOWN + ("Flush", "Send", "Receive", "Bind", "Invalidate", "Read", "Write"),
    "IND2Connector": _OVERLAPPED + ("Bind", "Connect", "CompleteConnect", "Accept", "Reject", "GetReadLimits",
                                    "GetPrivateData", "GetLocalAddress", "GetPeerAddress", "NotifyDisconnect", "Disconnect"),
    "IND2Listener": _OVERLAPPED + ("Bind", "Listen", "GetLocalAddress", "GetConnectionRequest"),
    "IND2Adapter": _UNKNOWN + ("CreateOverlappedFile", "Query", "QueryAddressList", "CreateCompletionQueue",
                               "CreateMemoryRegion", "CreateMemoryWindow", "CreateSharedReceiveQueue", "CreateQueuePair",
                               "CreateQueuePairWithSrq", "CreateConnector", "CreateListener"),
}
# The types of their arguments behind `this`; all return 32 bits.
_ARGUMENTS = {
    "Release": (), "CancelOverlappedRequests": (), "GetOverlappedResult": (c_void_p, c_int), "Notify": (c_uint32, c_void_p),
    "GetResults": (c_void_p, c_uint32), "Resize": (c_uint32,),
    "Register": (c_void_p, c_size_t, c_uint32, c_void_p), "Deregister": (c_void_p,), "GetLocalToken": (),
    "GetRemoteToken": (),
    "Flush": (), "Send": (c_void_p, c_void_p, c_uint32, c_uint32), "Receive": (c_void_p, c_void_p, c_uint32),
    "Read": (c_void_p, c_void_p, c_uint32, c_uint64, c_uint32, c_uint32),
    "Write": (c_void_p, c_void_p, c_uint32, c_uint64, c_uint32, c_uint32),
    "Bind": (c_void_p, c_uint32),
    "Connect": (c_void_p, c_void_p, c_uint32, c_uint32, c_uint32, c_void_p, c_uint32, c_void_p),
    "CompleteConnect": (c_void_p,), "Accept": (c_void_p, c_uint32, c_uint32, c_void_p, c_uint32, c_void_p),
    "Reject": (c_void_p, c_uint32), "GetReadLimits": (c_void_p, c_void_p), "GetPrivateData": (c_void_p, c_void_p),
    "GetLocalAddress": (c_void_p, c_void_p), "GetPeerAddress": (c_void_p, c_void_p), "NotifyDisconnect": (c_void_p,),
    "Disconnect": (c_void_p,), "Listen": (c_uint32,), "GetConnectionRequest": (c_void_p, c_void_p),
    "CreateOverlappedFile": (c_void_p,), "Query": (c_void_p, c_void_p),
    "CreateCompletionQueue": (c_void_p, c_void_p, c_uint32, c_uint16, c_size_t, c_void_p),
    "CreateMemoryRegion": (c_void_p, c_void_p, c_void_p),
    "CreateQueuePair": (c_void_p, c_void_p, c_void_p, c_void_p, c_uint32, c_uint32, c_uint32, c_uint32, c_uint32, c_void_p),
    "CreateConnector": (c_void_p, c_void_p, c_void_p), "CreateListener": (c_void_p, c_void_p, c_void_p),
}


class Object:
    """A reference to an object of the library; its methods are attributes. Release() ends it, once."""

    def __init__(self, interface, pointer):
        table = ctypes.cast(pointer, POINTER(POINTER(c_void_p)))[0]
        self.pointer = pointer
        for slot, name in enumerate(METHODS[interface]):
            if name in _ARGUMENTS:
                setattr(self, name, self._method(table[slot], _ARGUMENTS[name]))

    def _method(self, address, arguments):
        # Python's lock is let go during the call: another thread may be the one that ends its wait.
        function = ctypes.CFUNCTYPE(c_uint32, c_void_p, *arguments)(address)
        pointer = self.pointer
        return lambda *words: function(pointer, *words)


def _function(name, *arguments, result=c_uint32):
    function = getattr(_library, name)
    function.argtypes, function.restype = arguments, result
    return function


startup = _function("NdStartup")
cleanup = _function("NdCleanup")
open_adapter = _function("NdOpenAdapter", c_void_p, c_void_p, c_size_t, c_void_p)
event_create = _function("opennd_event_create", c_int, c_int, c_void_p)
event_wait = _function("opennd_event_wait", c_void_p, c_uint32)
event_descriptor = _function("opennd_event_descriptor", c_void_p, c_void_p)
handle_close = _function("opennd_handle_close", c_void_p)
overlapped_result = _function("opennd_overlapped_result", c_void_p, c_int)
memory_allocate = _function("opennd_memory_allocate", c_size_t, c_void_p)
memory_free = _function("opennd_memory_free", c_void_p)
last_error = _function("opennd_last_error", c_void_p)
last_error_clear = _function("opennd_last_error_clear", result=None)
status_name = _function("opennd_status_name", c_uint32, result=c_char_p)
connection_transport = _function("opennd_connection_transport", c_void_p, c_char_p, c_size_t, c_char_p, c_size_t)
version = _function("opennd_version", result=c_char_p)

__all__ = [name for name in dir() if not name.startswith("_")] + ["byref"]
