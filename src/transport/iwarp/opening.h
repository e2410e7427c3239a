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

// `rtr`: one type, which this side sends.
void put_opening(Output& output, Rtr rtr);

}  // namespace opennd::iwarp
