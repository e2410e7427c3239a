// SPDX-License-Identifier: MIT
// The result of a handshake: how both directions of the stream work.
#pragma once

#include "model/limits.h"
#include "transport/iwarp/wire/fpdu.h"
#include "transport/iwarp/wire/mpa_frame.h"

namespace opennd::iwarp {

struct MpaAgreement {
    Crc crc;              // in both directions (IW-MPA-07)
    Markers markers;      // in the FPDUs of this side (IW-MPA-08)
    ReadLimits limits;    // enforced here, inbound and outbound
    bool peer_to_peer;    // the initiator owes an RTR
    Rtr rtr = Rtr::none;  // initiator: the one to send. responder: the one that its Reply names
    Maker peer = Maker::other;
    bool receipts = false;  // each side tells the other how far it has placed (IW-RDMAP-48)
    // Immediate data: the responder's Reply offers them, and the initiator's opening takes the offer (IW-IMM-01). For the
    // responder an offer, until that has come.
    bool immediate = false;
};

// The peer takes FPDUs that are longer than a segment of TCP (IW-MPA-29).
constexpr bool takes_long_fpdus(const MpaAgreement& agreement) { return agreement.peer == Maker::opennd; }

}  // namespace opennd::iwarp
