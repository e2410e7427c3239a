// SPDX-License-Identifier: MIT
//
// Two connected sides in one process, by any of the interfaces, made of the command's classes (cli/network). What a benchmark counts
// or times it calls on the objects of the interface themselves. Errors end the program.
#pragma once

#include "network/adapter.h"
#include "network/connection/completion_queue.h"
#include "network/connection/connection.h"
#include "network/memory/memory_buffer.h"

#include <cstdio>
#include <cstdlib>

namespace benchmark {

// For a call that is counted or timed.
inline void need(HRESULT status, const char* call) {
    if (SUCCEEDED(status)) return;
    std::fprintf(stderr, "%s: %s\n", call, opennd_status_name(status));
    std::exit(2);
}

// One end: memory that the peer may read and write, queues for its requests, and where the peer's memory is.
struct Side {
    Side(nd::Adapter& adapter, std::size_t bytes, nd::MemoryKind kind, ULONG depth)
        : memory(adapter, bytes, kind), results(adapter, 2 * depth), connection(adapter, [this, depth] {
              queue_pair = connection.make_queue_pair(results, {depth, depth, 64}, nullptr);
          }) {}

    nd::MemoryBuffer memory;
    nd::CompletionQueue results;
    nd::QueuePair queue_pair;
    nd::Connection connection;
    nd::RemoteTarget peer;
};

class ConnectedSides {
public:
    ConnectedSides(nd::Api api, std::size_t bytes, nd::MemoryKind kind, ULONG depth, const char* address = "127.0.0.1")
        : adapter_(nd::SocketAddress::parse(address), api),
          listener_(adapter_, 0),
          active(adapter_, bytes, kind, depth),
          passive(adapter_, bytes, kind, depth) {
        nd::Connection::connect_both(listener_, active.connection, passive.connection);
        const auto grant = [bytes](Side& side) {
            return side.connection.grant(side.queue_pair, side.memory, 0, bytes);
        };
        active.peer = nd::RemoteTarget(grant(passive));
        passive.peer = nd::RemoteTarget(grant(active));
    }

private:
    nd::Library library_;
    nd::Adapter adapter_;
    nd::Listener listener_;  // outlives the passive side, which NDK's waits for

public:
    Side active, passive;
};

}  // namespace benchmark
