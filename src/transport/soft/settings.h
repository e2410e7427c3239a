// SPDX-License-Identifier: MIT
// An administrator's settings of the software RNIC.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "model/adapter_abilities.h"
#include "platform/memory/long_copy.h"

namespace opennd::soft {

struct Settings {
    // The time that a message waits for a receive to be posted (ND2-QP-SEND-05).
    std::chrono::milliseconds no_receive_time{1000};
    // The event loops that there may be; 0: as Services says.
    std::size_t loops = 1;
    // The most arms in a row by threads of other loops that a completion queue needs to follow them. Tests have fewer.
    std::uint32_t most_patience = 1u << 16;
    // The way in which long copies are made; none: as copy_choice() says. One answer for the process.
    std::optional<CopyWay> copies = {};
    // Whether a thread that expects work looks for it before it sleeps; none: as look_choice() says. One answer for the
    // process.
    std::optional<bool> looks = {};
    // The NIC that adapters stand for; none: they have their own abilities.
    std::optional<Profile> profile = {};
    // The fault of a profile that was named and does not exist; empty: none. With a fault no adapter opens, and this
    // says why.
    std::string profile_fault = {};
};

}  // namespace opennd::soft
