// SPDX-License-Identifier: MIT
// The Reads that wait for their responses, oldest first, and the place of each segment of a response (RFC 5040 section
// 5.2). A sink's tagged offset begins at 0, so that it tells the Read's progress (IW-RDMAP-22).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "transport/iwarp/wire/fault.h"
#include "transport/iwarp/wire/segment.h"

namespace opennd::iwarp {

struct ResponsePlacement {
    std::uint32_t read_offset;  // the payload goes here in the oldest Read's memory
    bool last;                  // and the Read is complete, and no longer here
    bool surplus;               // the payload of an answer that should have none: it goes nowhere
};

class OutstandingReads {
public:
    // `depth`: the agreed outbound reads (IW-RDMAP-14). Memory is taken once.
    explicit OutstandingReads(std::uint32_t depth) : ring_(depth) {}

    std::size_t depth() const { return ring_.size(); }
    bool full() const { return count_ == ring_.size(); }
    bool empty() const { return count_ == 0; }
    // The oldest Read has part of its response: the stream must not end here (IW-ERR-13).
    bool in_response() const { return !empty() && ring_[oldest_].received > 0; }

    // A Read Request goes out; its response comes to `sink`, a token of this Read alone (IW-SEC-05). Only if not
    // full().
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

    std::vector<Read> ring_;
    std::size_t oldest_ = 0;
    std::size_t count_ = 0;
};

}  // namespace opennd::iwarp
