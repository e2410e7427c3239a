// SPDX-License-Identifier: MIT
// The receiving end of an iWARP stream in a few lines, for the fuzzer: gives each ULPDU to its opcode's checks, and
// places the granted octets into memory of exactly the allowed length.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "transport/iwarp/stream/outstanding_reads.h"
#include "transport/iwarp/stream/read_request_intake.h"
#include "transport/iwarp/stream/send_reassembly.h"
#include "transport/iwarp/stream/stag_check.h"

namespace opennd::fuzz {

class IwarpReceiver {
public:
    IwarpReceiver();

    // The fault that ends the stream, or nothing. A Terminate of the peer ends it as well: then ended().
    std::optional<iwarp::Fault> take(std::span<const std::byte> ulpdu);
    bool ended() const { return ended_; }

private:
    std::optional<iwarp::Fault> take_write(const iwarp::Segment& segment);
    std::optional<iwarp::Fault> take_response(const iwarp::Segment& segment);
    std::optional<iwarp::Fault> take_send(const iwarp::Segment& segment);
    std::optional<iwarp::Fault> take_read_request(const iwarp::Segment& segment);
    void take_terminate(const iwarp::Segment& segment);

    iwarp::SendReassembly sends_;
    iwarp::ReadRequestIntake read_requests_;
    iwarp::OutstandingReads reads_;
    std::vector<std::byte> receive_;
    std::size_t receives_ = 0;
    std::vector<std::byte> read_;
    std::vector<std::byte> written_;
    bool ended_ = false;
};

}  // namespace opennd::fuzz
