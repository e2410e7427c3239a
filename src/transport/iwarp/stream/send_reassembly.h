// SPDX-License-Identifier: MIT
// Puts the segments of Sends together: the untagged queue 0 of one stream (RFC 5041 section 5.3, RFC 5040 section 5.1).
// Immediate Data (RFC 7306) are messages of it that take a receive and no room there. Gives the place of a segment's payload within the receive of its message; the caller knows that receive's memory.
#pragma once

#include <cstdint>
#include <optional>

#include "transport/iwarp/wire/ddp_header.h"
#include "transport/iwarp/wire/fault.h"

namespace opennd::iwarp {

struct SendPlacement {
    std::uint32_t message_offset;  // the payload goes here in the receive
    bool first;                    // takes the oldest receive
    bool last;                     // completes it, with message_bytes, after the invalidation of an opcode that has one
    std::uint32_t message_bytes;   // received, this segment included
};

class SendReassembly {
public:
    static constexpr std::uint32_t kMaxEmptySegments = 1024;  // in a row (IW-NEG-81)

    explicit SendReassembly(std::uint32_t first_msn = 1) : msn_(first_msn) {}

    // `segment`: of queue 0. `oldest_receive`: the octets of the receive that a new message would use, nothing if none is
    // posted; not read while a message is open. After a fault of kind no_receive the same segment may be given again: a receive
    // may have been posted meanwhile. After any other fault the stream ends.
    Checked<SendPlacement> accept(const Segment& segment, std::optional<std::uint32_t> oldest_receive);

    // A message has begun and not ended: the stream must not end here (IW-ERR-13).
    bool open() const { return open_; }

private:
    std::optional<Fault> check(const Segment& segment, std::optional<std::uint32_t> receive) const;
    void begin(const Segment& segment, std::uint32_t receive_bytes);
    void end();

    std::uint32_t msn_;  // expected
    bool open_ = false;
    // The open message, if there is one; else received_ is 0.
    Opcode opcode_{};
    Stag invalidate_{};
    std::uint32_t receive_bytes_ = 0;
    std::uint32_t received_ = 0;
    std::uint32_t empty_segments_ = 0;  // the newest ones in a row
};

}  // namespace opennd::iwarp
