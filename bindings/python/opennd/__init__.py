# SPDX-License-Identifier: MIT
"""Network Direct for Python: RDMA between processes and hosts, over libopennd.

    adapter = opennd.Adapter("127.0.0.1")
    memory = adapter.memory(4096)
    completions = adapter.completion_queue()
    queue_pair = adapter.queue_pair(completions)
    connector = adapter.connector()
    answer = connector.connect(queue_pair, ("127.0.0.1", 7174)).wait()      # or await, in asyncio

docs/python.md tells more, and docs/tutorial what the objects are."""
from . import _abi
from ._errors import Canceled, ConnectionFailed, NetworkDirectError
from .adapter import Adapter
from .connection import Connector, Listener
from .memory import Memory, Piece, Rights
from .pending import Pending
from .queues import CompletionQueue, Kind, Notify, QueuePair, Result

__version__ = _abi.version().decode()
__all__ = ["Adapter", "Canceled", "CompletionQueue", "ConnectionFailed", "Connector", "Kind", "Listener", "Memory",
           "NetworkDirectError", "Notify", "Pending", "Piece", "QueuePair", "Result", "Rights"]
