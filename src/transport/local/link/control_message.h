// SPDX-License-Identifier: MIT
// The records that two processes on one host exchange beside the data: one fixed record a packet, with descriptors attached. The
// request that finds a listener travels on a socket of its own; all else travels on the link that it begins (link.h). Both ends
// are on one machine, so fields have the host's byte order; every field is checked on arrival.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "model/address.h"
#include "model/limits.h"
#include "platform/descriptor/local_socket.h"

namespace opennd::local {

enum class ControlType : std::uint32_t {
    request,          // active -> passive, on the caller's socket; descriptor: token table
    accept,           // passive -> active; descriptor: the token table, if it is another than the link's
    reject,           // either refuses; private data
    ready,            // active -> passive: CompleteConnect
    cancel,           // active -> passive: the pending Connect was given up; also on the caller's socket
    disconnect,       // either: the connection ends
    segment_request,  // either: please send the descriptor of `segment`
    segment,          // the answer; descriptor: the segment
    abort,            // either: a request failed here, and with it the connection
    finished,         // either: the sender has sent its last message, and waits for the same or for a disconnect
    busy,             // passive -> active: no room for this process's request now; connect again later
    ask,              // active -> passive, on a link: a further request
    absent,           // passive -> active, on a link: the answer if no listener there takes requests from this link
    link,             // passive -> active: the caller's socket is a link now; descriptors: the arena, token table
    join,             // passive -> active, on a link: the request with this nonce is this connection of the link
    leave,  // either: the sender says no more about the connection, as with reject, cancel, disconnect and abort
    release,  // either, on a link: the sender does not touch the memory of these numbers of the receiver; they are the data
    retire,   // either, on a link: the sender has no connection left there, and begins no other
    wake_up,  // either: there is news in the arena. Never in a record: it is the packet kWakeUp
};
inline constexpr std::uint32_t kControlTypes = 18;  // the types of records

// A lack in the process of a listener, for which a request got no connection.
enum class Shortage : std::uint32_t { none, memory, resources };  // resources: descriptors above all
inline constexpr std::uint32_t kShortages = 3;
// Returns the lack that `status` tells of, or Shortage::none.
Shortage shortage_of(Status status);

// Returns true for a record after which the sender says no more about the connection, but that it releases its memory.
constexpr bool is_farewell(ControlType type) {
    return type == ControlType::reject || type == ControlType::cancel || type == ControlType::disconnect ||
           type == ControlType::abort || type == ControlType::leave;
}

inline constexpr std::array<std::byte, 1> kWakeUp{};

struct ControlMessage {
    static constexpr std::uint32_t kMagic = 0x4f4e4443;  // "ONDC"
    static constexpr std::uint32_t kVersion = 10;        // of this record and of the arena together
    static constexpr std::size_t kMaxPrivateData = 512;

    std::uint32_t magic = kMagic;
    std::uint32_t version = kVersion;
    ControlType type{};
    std::uint32_t inbound_reads = 0;  // request, ask, accept: the sender's own view
    std::uint32_t outbound_reads = 0;
    std::uint32_t asymmetric = 0;      // request, ask, accept: 1 if the sender can make heavy barriers
    std::uint32_t segment = 0;         // segment_request, segment
    std::uint32_t port_drawn = 0;      // request, ask: 1 if the program did not name its port
    std::uint32_t address_exists = 0;  // reject: 1 if the same two addresses are connected already
    std::uint32_t private_data_bytes = 0;
    std::uint32_t scope = 0;            // request, ask, accept: the sender's SoftQueuePair::scope
    std::uint32_t connection = 0;       // its number, in every record of a link that concerns one
    std::uint32_t tokens_attached = 0;  // accept: 1 if it has a token table of its own
    Shortage shortage{};                // reject: of the sender's process
    std::uint64_t open = 0;             // request, link: the number of the sender's open adapter
    std::uint64_t nonce = 0;            // request, ask, link, join, absent, busy on a link: names the request
    std::uint64_t cookie_address = 0;   // request, ask, accept: where the sender's cookie lies in its address space
    sockaddr_storage local{};           // request, ask: the sender's address
    sockaddr_storage remote{};          // request, ask: the address it connects to
    std::array<std::byte, kMaxPrivateData> private_data{};

    static ControlMessage of(ControlType type) {
        ControlMessage message;
        message.type = type;
        return message;
    }
    std::span<const std::byte> data() const { return {private_data.data(), private_data_bytes}; }
    void set_data(std::span<const std::byte> data);
};
static_assert(std::is_trivially_copyable_v<ControlMessage>);

Status send(LocalSocket& socket, const ControlMessage& message, std::span<const int> descriptors = {});

struct ReceivedControl {
    ControlMessage message;
    std::vector<ForeignDescriptor> descriptors;
};
// Receives one record. would_block; insufficient_resources: this process has no room for its descriptors (logged);
// disconnected: also for a packet that is not OpenND's (logged).
Result<ReceivedControl> receive(LocalSocket& socket);

}  // namespace opennd::local
