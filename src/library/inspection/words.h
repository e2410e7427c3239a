// SPDX-License-Identifier: MIT
// Words between two processes, a record each, as both sides of the inspection socket and of a file desk wait for them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/descriptor/local_socket.h"
#include "platform/process/clock.h"

namespace opennd {

struct Words {
    std::string text;
    std::vector<ForeignDescriptor> descriptors;
};

// Waits for one record, and cuts it to `room`. Nothing: none came until then, or the other side hung up. Throws
// std::bad_alloc.
std::optional<Words> receive_words(LocalSocket& from, std::span<std::byte> room, std::optional<SteadyTime> until);

// The whole text is one decimal number.
std::optional<std::size_t> number_in(std::string_view text);

}  // namespace opennd
