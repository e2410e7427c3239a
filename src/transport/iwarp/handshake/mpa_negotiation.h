// SPDX-License-Identifier: MIT
// The agreement of the two frames of a connection: CRC, markers, the number of Reads each way, the type of the opening (RFC
// 5044 section 7.1, RFC 6581 sections 4 and 9). Arithmetic alone (IW-CM-20 to -30, ND2-CON-LIM-01 to -04).
#pragma once

#include <cstdint>
#include <span>

#include "model/limits.h"
#include "transport/iwarp/stream/mpa_agreement.h"
#include "transport/iwarp/wire/fault.h"
#include "transport/iwarp/wire/mpa_frame.h"

namespace opennd::iwarp {

// The wishes of this side's frames, and its abilities.
struct MpaTerms {
    Crc crc = Crc::on;  // off only by an administrator's setting (IW-MPA-09)
    std::uint8_t revision = MpaFrame::kEnhancedRevision;
    Rtr offered = Rtr::write | Rtr::read;  // types that this side sends as initiator (IW-MPA-11)
    Rtr taken = Rtr::write | Rtr::read;    // types that it picks as responder (IW-MPA-13)
    ReadLimits most{};                     // of the adapter; the program's limits are clamped to it (IW-CM-29)
    bool receipts = true;                  // proposed, and agreed to (IW-RDMAP-48)
    bool immediate = true;                 // offered, and taken (IW-IMM-01)
};

// Initiator: the Request. `private_data` is within MpaFrame::room().
MpaFrame make_request(const MpaTerms& terms, const ReadLimits& wanted, std::span<const std::byte> private_data);

// Responder, before it answers: the limits that the Request leaves, as GetReadLimits returns them (ND2-CON-LIM-02).
// `most`: of the adapter.
ReadLimits limits_left(const MpaFrame& request, const ReadLimits& most);

// Responder: the accepting or rejecting Reply to `request`, which MpaFrameReader has accepted.
MpaFrame make_reply(const MpaTerms& terms, const MpaFrame& request, const ReadLimits& wanted, bool rejected,
                    std::span<const std::byte> private_data);
// Responder: the agreement once `reply`, from make_reply(), accepts.
MpaAgreement agreed(const MpaTerms& terms, const MpaFrame& request, const MpaFrame& reply, const ReadLimits& wanted);

// Initiator: the agreement of `request` and `reply`, which accepts. Two faults allow another attempt, with revision 1.
Checked<MpaAgreement> settle(const MpaTerms& terms, const MpaFrame& request, const MpaFrame& reply,
                             const ReadLimits& wanted);
constexpr bool may_fall_back(FaultKind kind) {
    return kind == FaultKind::reply_of_lower_revision || kind == FaultKind::reply_without_enhanced_data;
}

}  // namespace opennd::iwarp
