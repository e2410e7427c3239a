// SPDX-License-Identifier: MIT
// The Reads that wait for their responses, oldest first, and the place of each segment of a response (RFC 5040 section
// 5.2). A sink's tagged offset begins at 0, so that it tells the Read's progress (IW-RDMAP-22).
#pragma once

#include <cstdint>

#include "transport/iwarp/stream/growing_ring.h"
#include "transport/iwarp/wire/ddp_header.h"
#include "transport/iwarp/wire/fault.h"

namespace opennd::iwarp {

struct ResponsePlacement {
    std::uint32_t read_offset;  // the payload goes here in the oldest Read's memory
    bool last;                  // and the Read is complete, and no longer here
    bool surplus;               // the payload of an answer that should have none: it goes nowhere
};

class OutstandingReads {
public:
    // `depth`: the agreed outbound reads (IW-RDMAP-14).
    explicit OutstandingReads(std::uint32_t depth) : depth_(depth) {}

    bool full() const { return reads_.size() == depth_; }
    bool empty() const { return reads_.empty(); }
    // The oldest Read has part of its response: the stream must not end here (IW-ERR-13).
    bool in_response() const { return !empty() && reads_.front().received > 0; }

    // There is memory for the next start(). False: the system has none.
    [[nodiscard]] bool make_room() { return reads_.make_room(); }
    // A Read Request goes out; its response comes to `sink`, a token of this Read alone (IW-SEC-05). Only if not
    // full(), after make_room().
    void start(Stag sink, std::uint32_t size);

    // `segment`: of opcode read_response. After a fault the stream ends, and the oldest Read fails. The payload of an answer to
    // a Read of no bytes is surplus, and no fault (docs/decisions/0017).
    Checked<ResponsePlacement> accept(const Segment& segment);

private:
    struct Read {
        Stag sink{};
        std::uint32_t size = 0;
        std::uint32_t received = 0;
    };

    const std::uint32_t depth_;
    GrowingRing<Read> reads_;
};

}  // namespace opennd::iwarp
