// SPDX-License-Identifier: MIT
// The messages of this side that the peer is not known to have placed, oldest first, and the one that a Terminate
// blames. Numbers count up from 1 and name a message as long as its stream lives.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/status.h"
#include "transport/iwarp/wire/terminate.h"

namespace opennd::iwarp {

struct SentMessage {
    Opcode opcode;                 // write, read_request, one of the Sends, or immediate_data behind its Write
    std::uint32_t msn = 0;         // of untagged ones
    Stag stag{};                   // Writes: the peer's memory; Read: the sink here
    std::uint64_t offset = 0;      // Writes: TO of the first octet
    std::uint32_t length = 0;      // octets
    std::uint64_t stream_end = 0;  // octets of the stream through its last one; 0: it has not been framed as a whole
};

// Not thread-safe. Memory grows to the most messages in flight, and is then used again.
class SentMessages {
public:
    // The number of the message that begins.
    std::uint64_t begin(const SentMessage& message);
    // The newest one has been framed as a whole.
    void framed(std::uint64_t stream_end) { at(newest_).stream_end = stream_end; }

    std::uint64_t newest() const { return newest_; }  // 0: none was ever
    std::uint64_t oldest() const { return oldest_; }  // newest() + 1: none is here
    bool empty() const { return oldest_ > newest_; }
    const SentMessage& operator[](std::uint64_t number) const { return ring_[number & (ring_.size() - 1)]; }

    // The peer has placed this one and all before it.
    void confirm(std::uint64_t through);
    // The newest one of those in order that end at this octet of the stream or before it, Reads left out; 0: none.
    std::uint64_t ended_by(std::uint64_t stream_octet) const;
    // This one is here, and ends there or before, whatever stands before it.
    bool ends_by(std::uint64_t number, std::uint64_t stream_octet) const;

    // The message that the peer's Terminate blames; nothing: none of these, or a failure of the peer's own.
    std::optional<std::uint64_t> blamed(const ReceivedTerminate& terminate) const;

private:
    SentMessage& at(std::uint64_t number) { return ring_[number & (ring_.size() - 1)]; }
    bool is_blamed(const SentMessage& message, const ReceivedTerminate& terminate) const;
    void grow();

    std::vector<SentMessage> ring_;  // a power of two, or empty
    std::uint64_t oldest_ = 1, newest_ = 0;
};

// The status of a message for which the peer ended the stream. `cause`: none if the Terminate could not be read.
Status refusal_status(Opcode opcode, const std::optional<TerminateCause>& cause);

}  // namespace opennd::iwarp
