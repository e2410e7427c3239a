# SPDX-License-Identifier: MIT
"""Connectors and listeners."""
import ctypes

from . import _abi
from ._errors import check
from .address import packed, unpacked
from .owned import Owned
from .pending import Pending

MOST_PRIVATE_DATA = 4096  # more than any adapter takes


def _address(call):
    buffer, size = ctypes.create_string_buffer(28), ctypes.c_uint32(28)
    check(call(ctypes.byref(buffer), ctypes.byref(size)))
    return unpacked(buffer.raw)


class Connector(Owned):
    """Connects a queue pair, and ends the connection. Made by Adapter.connector(), or by Listener.request()."""

    def __init__(self, adapter):
        self._adapter = adapter
        self._object = adapter.make("IND2Connector", adapter.object.CreateConnector)

    def connect(self, queue_pair, address, private_data=b"", inbound_reads=16, outbound_reads=16):
        """Asks the listener at (host, port). The value of the request is the private data of the answer; then comes complete(), or reject()."""
        here, there = packed(self._adapter.host), packed(*address)
        check(self._object.Bind(ctypes.byref(here), len(here)))
        return Pending(self._object, lambda to: self._object.Connect(
            queue_pair.object.pointer, ctypes.byref(there), len(there), inbound_reads, outbound_reads, private_data or None,
            len(private_data), to), self.private_data)

    def complete(self):
        """Establishes the connection after connect()."""
        return Pending(self._object, self._object.CompleteConnect)

    def accept(self, queue_pair, private_data=b"", inbound_reads=16, outbound_reads=16):
        """Answers a request with yes. Complete once the peer has called complete()."""
        return Pending(self._object, lambda to: self._object.Accept(
            queue_pair.object.pointer, inbound_reads, outbound_reads, private_data or None, len(private_data), to))

    def reject(self, private_data=b""):
        """Answers a request, or an answer, with no."""
        check(self._object.Reject(private_data or None, len(private_data)))

    def private_data(self):
        """What the peer's program sent with its request or answer."""
        buffer, size = ctypes.create_string_buffer(MOST_PRIVATE_DATA), ctypes.c_uint32(MOST_PRIVATE_DATA)
        check(self._object.GetPrivateData(ctypes.byref(buffer), ctypes.byref(size)))
        return buffer.raw[:size.value]

    @property
    def read_limits(self):
        """How many Reads may be in progress at a time: from the peer, and to it."""
        inbound, outbound = ctypes.c_uint32(), ctypes.c_uint32()
        check(self._object.GetReadLimits(ctypes.byref(inbound), ctypes.byref(outbound)))
        return inbound.value, outbound.value

    @property
    def local_address(self):
        return _address(self._object.GetLocalAddress)

    @property
    def peer_address(self):
        return _address(self._object.GetPeerAddress)

    @property
    def transport(self):
        """The transport of the connection: "shm", "iwarp" ..."""
        name, path = ctypes.create_string_buffer(32), ctypes.create_string_buffer(64)
        check(_abi.connection_transport(self._object.pointer, name, len(name), path, len(path)))
        return name.value.decode()

    def disconnected(self):
        """A request that completes when the peer disconnects, or the connection is lost."""
        return Pending(self._object, self._object.NotifyDisconnect)

    def disconnect(self):
        """Ends the connection: what was sent arrives, what is not done ends with Canceled."""
        return Pending(self._object, self._object.Disconnect)


class Listener(Owned):
    """Takes requests for connections, made by Adapter.listener()."""

    def __init__(self, adapter, port, backlog):
        self._adapter = adapter
        self._object = adapter.make("IND2Listener", adapter.object.CreateListener)
        try:
            here = packed(adapter.host, port)
            check(self._object.Bind(ctypes.byref(here), len(here)))
            check(self._object.Listen(backlog))
        except BaseException:
            self.close()
            raise

    @property
    def address(self):
        """(host, port)"""
        return _address(self._object.GetLocalAddress)

    def request(self):
        """The next request: the value is a Connector with its private data, for accept() or reject()."""
        connector = Connector(self._adapter)
        try:
            return Pending(self._object, lambda to: self._object.GetConnectionRequest(connector.object.pointer, to),
                           lambda: connector, connector.close)
        except BaseException:
            connector.close()
            raise
