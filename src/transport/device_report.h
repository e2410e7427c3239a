// SPDX-License-Identifier: MIT
// An RDMA device in its own words, and what OpenND makes of it: for people, at the first run on a device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace opennd {

struct DeviceReport {
    std::string name;        // "mlx5_0"
    std::string driver;      // "mlx5"; empty: unknown
    std::string firmware;    // as the driver words it; may be empty
    std::string technology;  // "RoCE v2"
    std::uint64_t node_guid = 0;
    std::uint32_t vendor_id = 0, part_id = 0;
    std::string numa_node;  // "0"; empty: the kernel tells none

    std::uint32_t port = 1, ports = 1;
    bool active = false;
    std::string rate;  // "100 Gb/sec (4X EDR)"; empty: unknown
    std::uint32_t mtu_bytes = 0, most_mtu_bytes = 0;

    struct Gid {
        std::uint32_t index;
        std::string text;       // as an address of IPv6
        std::string type;       // "RoCE v2"
        std::string interface;  // of the network; empty: none
    };
    std::vector<Gid> gids;  // those that are not 0

    struct Limit {
        const char* name;     // as the verbs name it
        std::uint64_t told;   // by the device
        std::uint64_t asked;  // the most that OpenND uses
        std::uint64_t used;   // by OpenND on this device
    };
    std::vector<Limit> limits;

    std::uint32_t vectors = 1;                        // of completion queues
    bool tells_windows = false, has_windows = false;  // by its flags; by trial
    bool has_shared_receives = false;
    bool pages_on_demand = false;
    bool moderates_interrupts = false;
    bool exchanges_ece = false;       // enhanced connection establishment, the vendor's options of both ends
    std::vector<const char*> quirks;  // deviations that OpenND knows of the driver

    // The time that a path may be down: as the setting asks, and as the device has it at least.
    std::uint32_t path_ms = 0, path_of_device_ms = 0;
    std::uint32_t no_receive_ms = 0;  // a message waits so long for a receive
};

}  // namespace opennd
