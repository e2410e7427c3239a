// SPDX-License-Identifier: MIT
// The message with which an initiator opens a stream (IW-CM-08): a Write or a Read of no octets, with tokens that name no
// memory.
#pragma once

#include "transport/iwarp/output.h"
#include "transport/iwarp/wire/ddp_header.h"
#include "transport/iwarp/wire/mpa_frame.h"
#include "transport/iwarp/wire/read_request.h"

namespace opennd::iwarp {

// The source of a Read of no bytes.
inline constexpr Stag kNoSource{1};

// The first of a stream's Reads, where that opens it.
inline constexpr ReadRequest kOpeningRead{Stag::none, 0, 0, kNoSource, 0};

// The TO of a Write that opens a stream and takes the responder's offer of immediate data (IW-IMM-01); otherwise it is 0. No peer looks
// at it in a Write of no octets. "OpenND", and a number.
inline constexpr std::uint64_t kTakesImmediate = 0x4f70'656e'4e44'0001;

// `rtr`: one type, which this side sends. `immediate`: the agreement has immediate data.
void put_opening(Output& output, Rtr rtr, bool immediate);

}  // namespace opennd::iwarp
