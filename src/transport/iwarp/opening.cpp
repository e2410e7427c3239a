// SPDX-License-Identifier: MIT
// The message that opens a stream: see opening.h.
#include "transport/iwarp/opening.h"

#include <array>

namespace opennd::iwarp {

void put_opening(Output& output, Rtr rtr, bool immediate) {
    if (rtr == Rtr::read) return output.put(kOpeningRead.message(1));
    std::array<std::byte, TaggedHeader::kBytes> message;
    TaggedHeader{kNoSource, immediate ? kTakesImmediate : 0}.store(message, Opcode::write, true);
    output.put(message);
}

}  // namespace opennd::iwarp
