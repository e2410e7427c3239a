// SPDX-License-Identifier: MIT
// Takes Read Requests up to the negotiated depth: the untagged queue 1 of one stream (RFC 5040 section 5.2). The
// caller checks the source (stag_check.h), keeps the request, and answers in the same order (IW-RDMAP-27).
#pragma once

#include <cstdint>
#include <optional>

#include "transport/iwarp/wire/ddp_header.h"
#include "transport/iwarp/wire/fault.h"
#include "transport/iwarp/wire/read_request.h"

namespace opennd::iwarp {

class ReadRequestIntake {
public:
    // `depth`: the agreed inbound reads; 0 is allowed. One slot more is kept for a request of size 0, which some peers send as
    // the RTR even without Reads (IW-CM-22, -26).
    explicit ReadRequestIntake(std::uint32_t depth, std::uint32_t first_msn = 1)
        : depth_(depth), msn_(first_msn), oldest_msn_(first_msn) {}

    // `segment`: of queue 1. After a fault the stream ends.
    Checked<ReadRequest> accept(const Segment& segment);

    // The last segment of the oldest open request's response was handed to TCP (IW-RDMAP-28). Only if open().
    void answered();

    std::uint32_t open() const { return msn_ - oldest_msn_; }

private:
    bool takes_spare_slot(const Segment& segment) const;
    std::optional<Fault> check(const Segment& segment) const;

    std::uint32_t depth_;
    std::uint32_t msn_;                        // expected
    std::uint32_t oldest_msn_;                 // of the open requests, or msn_
    std::optional<std::uint32_t> spare_slot_;  // the MSN of the request in it
};

}  // namespace opennd::iwarp
