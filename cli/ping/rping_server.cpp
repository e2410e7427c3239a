// SPDX-License-Identifier: MIT
//
// The serving side of `nd ping --rping`. Read rping_protocol.h first.
#include "interruption.h"
#include "nd_error.h"
#include "ping/ping_service.h"
#include "ping/rping_protocol.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace nd {
namespace {

constexpr std::uint64_t kMostOfRping = 64 * 1024;

void check_offer(const RemoteMemory& offered, const MemoryBuffer& buffer) {
    if (offered.bytes <= buffer.size()) return;
    throw std::runtime_error("the client offers " + std::to_string(offered.bytes) +
                             " bytes, this server has room for " + std::to_string(buffer.size()) +
                             "; use a larger -s here");
}

// In version 2 a failed request tells that the peer disconnected.
bool client_left(const Connection& connection, const std::exception& failure) {
    const auto* const told = dynamic_cast<const NdError*>(&failure);
    return connection.lost() || (told != nullptr && told->status() == ND_CANCELED);
}

// Returns false if the client has left. After its last round it does so without a word, maybe before the last message to it is known
// to have come.
bool serve_round(MessageChannel& channel, MemoryBuffer& buffer, const RemoteMemory& source, std::uint32_t round) {
    check_offer(source, buffer);
    const Piece all = buffer.part(0, source.bytes);
    channel.read(all, source);
    verify_rping_text(buffer.data(), source.bytes, round, "RDMA Read of the client");
    channel.send(RpingOffer{});
    const RemoteMemory sink = memory_of(channel.receive<RpingOffer>());
    channel.write(buffer.part(0, std::min(source.bytes, sink.bytes)), sink);
    try {
        channel.send(RpingOffer{});
    } catch (const NdError& failure) {
        if (!client_left(channel.connection(), failure)) throw;
        return false;
    }
    return true;
}

}  // namespace

// Only the client knows how many rounds there are: it leaves between two.
bool serve_rping_client(Adapter& adapter, MessageChannel& channel, std::uint64_t size) {
    MemoryBuffer buffer(adapter, std::max(size, kMostOfRping), MemoryKind::ordinary);
    channel.connection().accept({});
    for (std::uint32_t round = 0;; round++) {
        RpingOffer offer;
        try {
            offer = channel.receive<RpingOffer>();
        } catch (const Interrupted&) {
            throw;
        } catch (const std::exception& failure) {
            if (round > 0 && client_left(channel.connection(), failure)) return true;
            throw;
        }
        if (!serve_round(channel, buffer, memory_of(offer), round)) return true;
    }
}

}  // namespace nd
