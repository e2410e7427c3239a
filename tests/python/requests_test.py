#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Python package: messages, Reads, Writes, asyncio, failures and ends, each over every transport of software."""
import array
import asyncio
import contextlib
import gc
import os
import struct
import threading
import unittest

import opennd
from opennd import Kind, Notify, Rights

HOST = "127.0.0.1"
PATIENCE_S = 60


class Side:
    """An end of a connection with 4 KiB that the peer may read and write."""

    def __init__(self, adapter, stack, source=4096):
        self.memory = stack.enter_context(adapter.memory(source, Rights.REMOTE_READ | Rights.REMOTE_WRITE | Rights.READ_SINK))
        self.completions = stack.enter_context(adapter.completion_queue())
        self.queue_pair = stack.enter_context(adapter.queue_pair(self.completions))
        self.connector = None

    def grant(self):
        return struct.pack("=QI", self.memory[:].address, self.memory.remote_token)

    def next(self):
        results = self.completions.wait(PATIENCE_S)
        assert len(results) == 1, results
        return results[0]


class RequestsTest(unittest.TestCase):
    def setUp(self):
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)
        self.adapter = self.stack.enter_context(opennd.Adapter(HOST))

    def connected(self, sources=(4096, 4096)):
        """Two sides, and of each the private data of the other."""
        active, passive = (Side(self.adapter, self.stack, source) for source in sources)
        with self.adapter.listener() as listener:
            request = listener.request()
            active.connector = self.stack.enter_context(self.adapter.connector())
            connecting = active.connector.connect(active.queue_pair, listener.address, active.grant())
            passive.connector = self.stack.enter_context(request.wait(PATIENCE_S))
            passive.peer = struct.unpack("=QI", passive.connector.private_data())
            accepting = passive.connector.accept(passive.queue_pair, passive.grant())
            active.peer = struct.unpack("=QI", connecting.wait(PATIENCE_S))
            active.connector.complete().wait(PATIENCE_S)
            accepting.wait(PATIENCE_S)
        return active, passive

    def test_a_message_arrives(self):
        active, passive = self.connected()
        passive.queue_pair.receive(passive.memory[0:100], "the receive")
        active.memory.view[0:5] = b"hello"
        active.queue_pair.send(active.memory[0:5], {"the": "send"})
        sent, received = active.next(), passive.next()
        self.assertEqual((sent.check().kind, sent.context), (Kind.SEND, {"the": "send"}))
        self.assertEqual((received.check().kind, received.context, received.bytes), (Kind.RECEIVE, "the receive", 5))
        self.assertIs(received.queue_pair, passive.queue_pair)
        self.assertEqual(bytes(passive.memory.view[0:5]), b"hello")

    def test_the_programs_own_buffers_are_used_in_place(self):
        numbers, octets = array.array("d", range(512)), bytearray(4096)
        active, passive = self.connected((numbers, octets))
        address, token = active.peer
        active.queue_pair.write(active.memory[:], address, token)
        active.next().check()
        self.assertEqual(octets, numbers.tobytes())
        with self.assertRaises(BufferError):
            octets.append(1)
        passive.memory.close()
        octets.append(1)

    def test_memory_of_the_peer_is_read(self):
        active, passive = self.connected()
        passive.memory.view[8:16] = b"eight by"
        address, token = active.peer
        active.queue_pair.read(active.memory[100:108], address + 8, token, "read")
        result = active.next().check()
        self.assertEqual((result.kind, result.bytes), (Kind.READ, 8))
        self.assertEqual(bytes(active.memory.view[100:108]), b"eight by")

    def test_a_refused_call_explains_itself(self):
        active, _ = self.connected()
        count = self.adapter.limits["MaxInitiatorSge"] + 1
        with self.assertRaises(opennd.NetworkDirectError) as refused:
            active.queue_pair.send([active.memory[0:3]] * count)
        self.assertEqual(refused.exception.name, "ND_DATA_OVERRUN")
        self.assertEqual(refused.exception.object, "queue pair")
        self.assertEqual(refused.exception.requirement, "ND2-QP-POST-04")
        self.assertIn(f"{count} scatter/gather entries", str(refused.exception))

    def test_several_pieces_are_one_message(self):
        queue_pair_of = self.adapter.queue_pair
        self.adapter.queue_pair = lambda completions: queue_pair_of(completions, receive_sges=2, initiator_sges=2)
        active, passive = self.connected()
        passive.queue_pair.receive([passive.memory[0:4], passive.memory[100:200]])
        active.memory.view[0:6] = b"abcdef"
        active.queue_pair.send([active.memory[3:6], active.memory[0:3]])
        active.next().check()
        self.assertEqual(passive.next().check().bytes, 6)
        self.assertEqual(bytes(passive.memory.view[0:4]) + bytes(passive.memory.view[100:102]), b"defabc")

    def test_a_dead_token_is_refused(self):
        active, passive = self.connected()
        address, token = active.peer
        passive.memory.close()
        active.queue_pair.write(active.memory[0:8], address, token)
        result = active.next()
        self.assertFalse(result.ok)
        with self.assertRaises(opennd.NetworkDirectError) as failed:
            result.check()
        self.assertEqual(failed.exception.name, "ND_ACCESS_VIOLATION")

    def test_requests_end_with_the_connection(self):
        active, passive = self.connected()
        told = passive.connector.disconnected()
        passive.queue_pair.receive(passive.memory[0:8], "never filled")
        active.connector.disconnect().wait(PATIENCE_S)
        told.wait(PATIENCE_S)
        passive.connector.disconnect().wait(PATIENCE_S)
        result = passive.next()
        self.assertEqual(result.context, "never filled")
        with self.assertRaises(opennd.Canceled):
            result.check()

    def test_a_port_without_a_listener_refuses(self):
        side = Side(self.adapter, self.stack)
        with self.adapter.listener() as listener:
            address = listener.address
        with self.adapter.connector() as connector, self.assertRaises(ConnectionError) as refused:
            connector.connect(side.queue_pair, address).wait(PATIENCE_S)
        self.assertEqual(refused.exception.name, "ND_CONNECTION_REFUSED")

    def test_a_wait_that_is_over_cancels(self):
        with self.adapter.listener() as listener:
            with self.assertRaises(TimeoutError):
                listener.request().wait(0.01)
            request = listener.request()
            request.cancel()
            with self.assertRaises(opennd.Canceled):
                request.wait(PATIENCE_S)

    def test_a_complete_request_gives_its_value_without_a_wait(self):
        side = Side(self.adapter, self.stack)
        with self.adapter.listener() as listener, self.adapter.connector() as caller:
            request = listener.request()
            connecting = caller.connect(side.queue_pair, listener.address, b"here")
            while not request.done():
                pass
            with request.wait(0) as connector:
                self.assertEqual(connector.private_data(), b"here")
                connector.reject()
            with self.assertRaises(ConnectionError):
                connecting.wait(PATIENCE_S)

    def test_another_thread_ends_a_wait(self):
        with self.adapter.listener() as listener:
            request = listener.request()
            threading.Thread(target=request.cancel).start()
            with self.assertRaises(opennd.Canceled):
                request.wait(PATIENCE_S)

    def test_a_request_that_is_dropped_disturbs_nothing(self):
        active, passive = self.connected()
        passive.connector.disconnected()
        gc.collect()
        active.connector.disconnect().wait(PATIENCE_S)
        passive.connector.disconnect().wait(PATIENCE_S)

    def test_asyncio_waits_for_messages(self):
        active, passive = self.connected()

        async def serve():
            for _ in range(100):
                passive.queue_pair.receive(passive.memory[0:8])
                while not any(result.check().kind == Kind.RECEIVE for result in await passive.completions.results()):
                    pass
                passive.queue_pair.send(passive.memory[0:8])

        async def ask():
            for number in range(100):
                active.memory.view[0:8] = struct.pack("=Q", number)
                active.queue_pair.receive(active.memory[8:16])
                active.queue_pair.send(active.memory[0:8])
                seen = set()
                while seen != {Kind.SEND, Kind.RECEIVE}:
                    seen |= {result.check().kind for result in await active.completions.results()}
                self.assertEqual(struct.unpack("=Q", active.memory.view[8:16]), (number,))

        async def both():
            await asyncio.gather(serve(), ask())

        passive.queue_pair.receive(passive.memory[0:8])
        asyncio.run(asyncio.wait_for(both(), PATIENCE_S))

    def test_asyncio_cancels(self):
        with self.adapter.listener() as listener:
            async def too_long():
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(listener.request(), 0.01)

            asyncio.run(too_long())

    def test_limits_have_their_names(self):
        limits = self.adapter.limits
        self.assertEqual(limits["InfoVersion"], 0x20000)
        self.assertGreater(limits["MaxInitiatorQueueDepth"], 0)

    def test_the_transport_is_the_chosen_one(self):
        active, _ = self.connected()
        self.assertEqual(active.connector.transport, os.environ["OPENND_TRANSPORT"])
        self.assertEqual(active.connector.peer_address[0], HOST)
        self.assertEqual(Notify.ANY, 1)


if __name__ == "__main__":
    unittest.main()
