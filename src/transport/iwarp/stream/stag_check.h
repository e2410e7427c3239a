// SPDX-License-Identifier: MIT
// May a peer access this memory? The rules of RFC 5040 section 7 and RFC 5041 section 7 for an STag and its entry of the token
// table, checked for each segment before the first octet moves (IW-DDP-12, -13, IW-SEC-04, -06).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "transport/iwarp/wire/ddp_header.h"
#include "transport/iwarp/wire/fault.h"
#include "transport/iwarp/wire/read_request.h"

namespace opennd::iwarp {

// The token table's entry for an STag.
struct TaggedBuffer {
    enum class Standing : std::uint8_t {
        unknown,  // names no memory, or invalidated memory
        foreign,  // of another protection domain, or of a window or Read of another stream
        ours,     // this stream may use it
    };

    Standing standing = Standing::unknown;
    std::uint64_t base = 0;    // its first octet as a TO, which is its address (IW-ND-06)
    std::uint64_t length = 0;  // octets; base + length does not wrap
    bool remote_read = false;
    bool remote_write = false;
    bool remote_invalidate = false;  // a window, or a region registered in a queue: never a plain region (IW-SEC-08)
};

// All give a fault, or nothing if the access is granted.

// A segment of opcode write. Without payload it needs no STag at all (IW-SEC-10).
std::optional<Fault> check_write(const Segment& segment, const TaggedBuffer& buffer);
// The last segment of a Send that invalidates.
std::optional<Fault> check_invalidation(Stag stag, const TaggedBuffer& buffer);
// The source of a Read; checked again while the response is made (IW-RDMAP-29). Of size 0 it needs none.
std::optional<Fault> check_read_source(const ReadRequest& request, const TaggedBuffer& buffer);

}  // namespace opennd::iwarp
