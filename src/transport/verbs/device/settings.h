// SPDX-License-Identifier: MIT
// An administrator's settings of connections over RDMA devices.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace opennd::verbs {

struct Settings {
    // How long a message waits for a receive of the peer (ND2-QP-SEND-05).
    std::chrono::milliseconds no_receive_time{1000};
    // How long a path may be down before its connections end. InfiniBand's own time holds where it is longer.
    std::chrono::milliseconds path_time{15'000};
    // The octet of the IP header that tells the class of traffic; none: as the device and rdma_cm have it.
    std::optional<std::uint8_t> traffic_class = {};
};

}  // namespace opennd::verbs
