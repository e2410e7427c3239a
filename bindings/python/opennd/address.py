# SPDX-License-Identifier: MIT
"""Addresses as Python's socket module has them, (host, port), in the form of the system."""
import ctypes
import ipaddress
import socket
import struct


def packed(host, port=0):
    """The sockaddr of a numeric host and a port, as a buffer."""
    address = ipaddress.ip_address(host)
    if address.version == 4:
        return ctypes.create_string_buffer(
            struct.pack("=H", socket.AF_INET) + struct.pack("!H", port) + address.packed + bytes(8), 16)
    zone = socket.if_nametoindex(address.scope_id) if address.scope_id else 0
    return ctypes.create_string_buffer(
        struct.pack("=H", socket.AF_INET6) + struct.pack("!HI", port, 0) + address.packed + struct.pack("=I", zone), 28)


def unpacked(octets):
    """(host, port)"""
    (family,), (port,) = struct.unpack("=H", octets[:2]), struct.unpack("!H", octets[2:4])
    return str(ipaddress.ip_address(octets[4:8] if family == socket.AF_INET else octets[8:24])), port
