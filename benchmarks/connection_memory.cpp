// SPDX-License-Identifier: MIT
//
// The heap that a connection takes, both of whose ends are in this process: connector, queue pair of depth 8 and what the transport
// keeps, once it is connected and once a message went each way. The completion queue is one for all. OPENND_TRANSPORT says over what.
//
// Usage: connection_memory [CONNECTIONS]
#include "connected_sides.h"

#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

using namespace nd;

constexpr ULONG kDepth = 8;

std::size_t heap_bytes() {
    const struct mallinfo2 info = ::mallinfo2();
    return info.uordblks + info.hblkhd;
}

struct End {
    End(Adapter& adapter, CompletionQueue& results)
        : connection(adapter, [this, &results] {
              queue_pair = connection.make_queue_pair(results, {kDepth, kDepth, 64}, nullptr);
          }) {}

    QueuePair queue_pair;
    Connection connection;
};

void send(End& from, End& to, CompletionQueue& results, MemoryBuffer& memory) {
    benchmark::need(to.queue_pair.receive(memory.part(0, 8)), "Receive");
    benchmark::need(from.queue_pair.send(nullptr, memory.part(8, 8), 0), "Send");
    for (int i = 0; i < 2; ++i) (void)results.wait_one<WaitBy::events>("message");
}

}  // namespace

int main(int count, char** words) {
    const std::size_t connections = count > 1 ? std::strtoul(words[1], nullptr, 10) : 1000;
    if (connections == 0) {
        std::fprintf(stderr, "usage: connection_memory [CONNECTIONS]\n");
        return 2;
    }
    const Library library;
    Adapter adapter(SocketAddress::parse("127.0.0.1"), Api::nd2);
    Listener listener(adapter, 0);
    MemoryBuffer memory(adapter, 16, MemoryKind::ordinary);
    CompletionQueue results(adapter, static_cast<ULONG>(4 * connections + 16));
    std::vector<std::unique_ptr<End>> ends;
    ends.reserve(2 * connections + 2);
    const auto connect = [&] {
        End& active = *ends.emplace_back(std::make_unique<End>(adapter, results));
        End& passive = *ends.emplace_back(std::make_unique<End>(adapter, results));
        Connection::connect_both(listener, active.connection, passive.connection);
    };
    connect();  // what all share is made by the first
    send(*ends[0], *ends[1], results, memory);

    const std::size_t before = heap_bytes();
    for (std::size_t i = 0; i < connections; ++i) connect();
    const std::size_t connected = heap_bytes();
    for (std::size_t i = 2; i < ends.size(); i += 2) {
        send(*ends[i], *ends[i + 1], results, memory);
        send(*ends[i + 1], *ends[i], results, memory);
    }
    const std::size_t used = heap_bytes();
    const double all = 2.0 * static_cast<double>(connections);
    std::printf("%zu connections: %.0f bytes of the heap an end once connected, %.0f after a message each way\n",
                connections, static_cast<double>(connected - before) / all, static_cast<double>(used - before) / all);
}
