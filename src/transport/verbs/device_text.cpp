// SPDX-License-Identifier: MIT
// See device_text.h.
#include "transport/verbs/device_text.h"

#include <sys/resource.h>

#include <fstream>
#include <optional>
#include <string_view>

#include "base/format.h"

namespace opennd::verbs {
namespace {

std::string_view name_of(Technology technology) {
    switch (technology) {
        case Technology::infiniband: return "InfiniBand";
        case Technology::roce: return "RoCE v1";
        case Technology::roce_v2: return "RoCE v2";
        case Technology::iwarp: break;
    }
    return "iWARP";
}

// A line of the kernel's own words about the device. Empty: there is none.
std::string sysfs(const DeviceFacts& facts, std::string_view file) {
    std::ifstream stream(format("/sys/class/infiniband/{}/{}", facts.name, file));
    std::string line;
    std::getline(stream, line);
    return line;
}

std::string port_text(const Device& device) {
    const DeviceFacts& facts = device.facts();
    std::string text = format(", port {}", facts.port);
    ibv_port_attr port{};
    if (query_port(device.ibv(), device.context(), facts.port, port) == 0)
        text += port.state == IBV_PORT_ACTIVE ? " active" : " not active";
    // "10 Gb/sec (4X SDR)"
    if (const std::string rate = sysfs(facts, format("ports/{}/rate", facts.port)); !rate.empty())
        text += " at " + rate;
    return text;
}

std::string locked_memory_text() {
    rlimit locked{};
    if (getrlimit(RLIMIT_MEMLOCK, &locked) != 0) return {};
    if (locked.rlim_cur == RLIM_INFINITY) return ", locked memory without limit";
    return format(", locked memory up to {} KiB (ulimit -l)", static_cast<std::uint64_t>(locked.rlim_cur) / 1024);
}

}  // namespace

std::string text_of(const Device& device) {
    const DeviceFacts& facts = device.facts();
    std::string text = format("RDMA device {} (driver {}", facts.name, facts.driver.empty() ? "unknown" : facts.driver);
    if (!facts.firmware.empty()) text += ", firmware " + facts.firmware;
    text += format("), {}", name_of(facts.technology)) + port_text(device);
    const std::string node = sysfs(facts, "device/numa_node");
    if (!node.empty() && node != "-1") text += ", NUMA node " + node;
    return text + locked_memory_text();
}

}  // namespace opennd::verbs
