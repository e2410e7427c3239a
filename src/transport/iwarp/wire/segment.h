// SPDX-License-Identifier: MIT
// One DDP segment as it arrived: a view of a ULPDU with valid headers (RFC 5040 section 7.1, RFC 5041 section 7.1). The next
// checks depend on its opcode: see send_reassembly.h, read_request_intake.h, outstanding_reads.h and stag_check.h in ../stream.
#pragma once

#include <cstddef>
#include <span>

#include "transport/iwarp/wire/ddp_header.h"
#include "transport/iwarp/wire/fault.h"

namespace opennd::iwarp {

struct Segment {
    Opcode opcode;
    bool last;
    bool receipt;                      // the mark of a Receipt
    TaggedHeader tagged;               // if the opcode's model is tagged
    UntaggedHeader untagged;           // if it is untagged
    std::span<const std::byte> ulpdu;  // all of it, for a Terminate to quote (IW-ERR-06)

    Model model() const { return rule(opcode).model; }
    // The octets behind the DDP header: payload, or the RDMAP header of a Read Request or Terminate.
    std::span<const std::byte> payload() const { return ulpdu.subspan(header_bytes(model())); }

    // Points into `ulpdu`; any octets may be given.
    static Checked<Segment> load(std::span<const std::byte> ulpdu);
};

}  // namespace opennd::iwarp
