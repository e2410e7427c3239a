// SPDX-License-Identifier: MIT
// See device_report.h.
#include "library/inspection/device_report.h"

#include "base/format.h"
#include "library/json/json.h"

namespace opennd {

std::string device_report(const DeviceReport& report) {
    ordered_json gids = ordered_json::array(), limits = ordered_json::array(), quirks = ordered_json::array();
    for (const DeviceReport::Gid& each : report.gids)
        gids.push_back({{"index", each.index}, {"gid", each.text}, {"type", each.type}, {"interface", each.interface}});
    for (const DeviceReport::Limit& each : report.limits)
        limits.push_back({{"name", each.name}, {"told", each.told}, {"asked", each.asked}, {"used", each.used}});
    for (const char* const each : report.quirks) quirks.push_back(each);
    const ordered_json json = {
        {"name", report.name},
        {"driver", report.driver},
        {"firmware", report.firmware},
        {"technology", report.technology},
        {"node_guid", format("{:016x}", report.node_guid)},
        {"vendor_id", report.vendor_id},
        {"part_id", report.part_id},
        {"numa_node", report.numa_node},
        {"port", report.port},
        {"ports", report.ports},
        {"active", report.active},
        {"rate", report.rate},
        {"mtu", report.mtu_bytes},
        {"most_mtu", report.most_mtu_bytes},
        {"gids", std::move(gids)},
        {"limits", std::move(limits)},
        {"vectors", report.vectors},
        {"tells_windows", report.tells_windows},
        {"has_windows", report.has_windows},
        {"has_shared_receives", report.has_shared_receives},
        {"pages_on_demand", report.pages_on_demand},
        {"moderates_interrupts", report.moderates_interrupts},
        {"exchanges_ece", report.exchanges_ece},
        {"quirks", std::move(quirks)},
        {"path_ms", report.path_ms},
        {"path_of_device_ms", report.path_of_device_ms},
        {"no_receive_ms", report.no_receive_ms},
    };
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace opennd
