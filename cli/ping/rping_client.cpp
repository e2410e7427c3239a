// SPDX-License-Identifier: MIT
//
// The asking side of `nd ping --rping`. Read rping_protocol.h first.
#include "ping/ping.h"
#include "ping/ping_rounds.h"
#include "ping/rping_protocol.h"

#include <chrono>
#include <cstring>
#include <stdexcept>

namespace nd {
namespace {

struct RpingBuffers {
    RpingBuffers(Adapter& adapter, std::size_t bytes)
        : source(adapter, bytes, MemoryKind::ordinary), sink(adapter, bytes, MemoryKind::ordinary) {}

    MemoryBuffer source, sink;
};

// Microseconds of one round, without filling and checking here.
double exchange(MessageChannel& channel, RpingBuffers& buffers, const RpingOffer& source, const RpingOffer& sink,
                std::uint32_t round) {
    fill_rping_text(buffers.source.data(), buffers.source.size(), round);
    std::memset(buffers.sink.data(), 0, buffers.sink.size());

    const auto start = std::chrono::steady_clock::now();
    channel.send(source);
    (void)channel.receive<RpingOffer>();
    channel.send(sink);
    (void)channel.receive<RpingOffer>();
    const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;

    verify_rping_text(buffers.sink.data(), buffers.sink.size(), round, "RDMA Write of the server");
    return spent.count();
}

}  // namespace

bool rping_server(const PingOptions& options, const SocketAddress& server) {
    Adapter adapter(options.local_for(server), options.api.api());
    check_ping_size(adapter, options.size);
    RpingBuffers buffers(adapter, options.size);
    MessageChannel channel(adapter);
    ConnectWait wait(options.timeout_seconds);
    (void)channel.connection().connect(server, {}, wait);
    channel.stop_on_interrupt(false);  // the server expects that a client leaves between two rounds
    announce_connection(server, channel.connection(), "no private data");

    const RpingOffer source = make_offer(channel.grant(buffers.source)), sink = make_offer(channel.grant(buffers.sink));
    const bool verified = run_rounds(options, [&](std::uint32_t round) {
        return exchange(channel, buffers, source, sink, round - 1);  // rping counts from 0
    });
    if (!channel.connection().lost()) channel.connection().disconnect();
    return verified;
}

}  // namespace nd
