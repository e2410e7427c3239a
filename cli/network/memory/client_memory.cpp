// SPDX-License-Identifier: MIT
//
// Read client_memory.h first.
#include "network/memory/client_memory.h"

#include <stdexcept>
#include <string>

namespace nd {

void check_client_memory(std::uint64_t bytes, std::uint64_t limit) {
    if (bytes <= limit) return;
    throw std::runtime_error(std::to_string(bytes) + " bytes are asked for, this server gives a client " +
                             std::to_string(limit) + "; see its --client-memory");
}

}  // namespace nd
