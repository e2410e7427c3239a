// SPDX-License-Identifier: MIT
// What the two frames of a connection agree on: CRC, markers, how many Reads each way, how the initiator opens (RFC
// 5044 section 7.1, RFC 6581 sections 4 and 9). Arithmetic alone; 3.8 and 3.9 of the specification are its tables.
#pragma once

#include <cstdint>
#include <span>

#include "model/limits.h"
#include "transport/iwarp/stream/mpa_agreement.h"
#include "transport/iwarp/wire/fault.h"
#include "transport/iwarp/wire/mpa_frame.h"

namespace opennd::iwarp {

// What this side's frames ask for, and what it can do.
struct MpaTerms {
    Crc crc = Crc::on;  // off only if an administrator said so (IW-MPA-09)
    std::uint8_t revision = MpaFrame::kEnhancedRevision;
    Rtr offered = Rtr::write | Rtr::read;  // types that this side sends as initiator (IW-MPA-11)
    Rtr taken = Rtr::write | Rtr::read;    // types that it picks as responder (IW-MPA-13)
    ReadLimits most{};                     // of the adapter; what the program asks for is clamped to it (IW-CM-29)
};

// Initiator: the Request. `private_data` is within MpaFrame::room().
MpaFrame make_request(const MpaTerms& terms, const ReadLimits& wanted, std::span<const std::byte> private_data);

// Responder, before it answers: the limits that the Request leaves, which GetReadLimits tells the program (3.9).
// `most`: of the adapter.
ReadLimits limits_left(const MpaFrame& request, const ReadLimits& most);

// Responder: the accepting or rejecting Reply to `request`, which MpaFrameReader has accepted.
MpaFrame make_reply(const MpaTerms& terms, const MpaFrame& request, const ReadLimits& wanted, bool rejected,
                    std::span<const std::byte> private_data);
// Responder: what is agreed on once `reply`, from make_reply(), accepts.
MpaAgreement agreed(const MpaTerms& terms, const MpaFrame& request, const MpaFrame& reply, const ReadLimits& wanted);

// Initiator: what `reply`, which accepts, makes of `request`. Two faults allow another attempt, with revision 1.
Checked<MpaAgreement> settle(const MpaTerms& terms, const MpaFrame& request, const MpaFrame& reply,
                             const ReadLimits& wanted);
constexpr bool may_fall_back(FaultKind kind) {
    return kind == FaultKind::reply_of_lower_revision || kind == FaultKind::reply_without_enhanced_data;
}

}  // namespace opennd::iwarp
