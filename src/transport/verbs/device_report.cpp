// SPDX-License-Identifier: MIT
// See device_report.h.
#include "transport/verbs/device_report.h"

#include <arpa/inet.h>
#include <net/if.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "base/format.h"
#include "transport/verbs/connection/connector.h"
#include "transport/verbs/connection/time_code.h"

namespace opennd::verbs {
namespace {

struct NamedQuirk {
    bool Quirks::*quirk;
    const char* meaning;
};
constexpr std::array kQuirks{
    NamedQuirk{&Quirks::solicited_only_never_fires, "no event for solicited results alone"},
    NamedQuirk{&Quirks::refuses_fenced_reads, "no Read behind a fence"},
    NamedQuirk{&Quirks::overtakes_reads, "requests complete before earlier Reads"},
    NamedQuirk{&Quirks::fails_requests_of_a_broken_stream, "a request of a broken stream fails as one of the program"},
    NamedQuirk{&Quirks::keeps_late_requests, "keeps requests that are posted after the end"},
    NamedQuirk{&Quirks::binds_no_windows, "allocates windows and binds none"},
    NamedQuirk{&Quirks::ignores_inline_data, "ignores the flag for inline data"},
    NamedQuirk{&Quirks::receives_need_an_entry, "no receive without an entry"},
    NamedQuirk{&Quirks::reads_need_no_remote_write, "a Read fills memory without the right of remote writes"},
    NamedQuirk{&Quirks::tells_invalidation_as_checksum, "tells an invalidation by another flag"},
    NamedQuirk{&Quirks::failures_make_no_event, "no event for failures alone"},
    NamedQuirk{&Quirks::tells_no_last_receive, "does not tell the last shared receive"},
};

constexpr std::uint32_t bytes_of(ibv_mtu mtu) { return mtu == 0 ? 0 : 128u << static_cast<unsigned>(mtu); }

std::string text_of(const ibv_gid& gid) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    return inet_ntop(AF_INET6, gid.raw, text.data(), text.size()) ? text.data() : std::string();
}

const char* name_of_gid(std::uint32_t type) {
    switch (type) {
        case IBV_GID_TYPE_IB: return "InfiniBand";
        case IBV_GID_TYPE_ROCE_V1: return "RoCE v1";
        case IBV_GID_TYPE_ROCE_V2: return "RoCE v2";
        default: return "unknown";
    }
}

// Asks libibverbs for an entry of the table, and older ones' kernel. Nothing: it is 0.
std::optional<DeviceReport::Gid> gid_at(const Device& device, std::uint32_t index) {
    const DeviceFacts& facts = device.facts();
    if (const auto query = device.ibv().query_gid_ex) {
        ibv_gid_entry entry{};
        if (query(device.context(), facts.port, index, &entry, 0, sizeof entry) != 0) return std::nullopt;
        if (std::ranges::all_of(entry.gid.raw, [](std::uint8_t octet) { return octet == 0; })) return std::nullopt;
        std::array<char, IF_NAMESIZE> interface {};
        if (!if_indextoname(entry.ndev_ifindex, interface.data())) interface[0] = 0;
        return DeviceReport::Gid{index, text_of(entry.gid), name_of_gid(entry.gid_type), interface.data()};
    }
    const auto line = [&](const char* file) {
        return sysfs_line(facts, format("ports/{}/{}/{}", facts.port, file, index));
    };
    const std::string text = line("gids");
    if (text.find_first_not_of("0:") == std::string::npos) return std::nullopt;
    return DeviceReport::Gid{index, text, line("gid_attrs/types"), line("gid_attrs/ndevs")};
}

std::vector<DeviceReport::Gid> gids_of(const Device& device, const ibv_port_attr& port) {
    std::vector<DeviceReport::Gid> gids;
    for (int index = 0; index < port.gid_tbl_len; ++index)
        if (auto gid = gid_at(device, static_cast<std::uint32_t>(index))) gids.push_back(std::move(*gid));
    return gids;
}

std::uint64_t count(int told) { return static_cast<std::uint64_t>(std::max(told, 0)); }

std::vector<DeviceReport::Limit> limits_of(const ibv_device_attr& told, const ibv_port_attr& port,
                                           const AdapterLimits& used) {
    return {{"max_qp_wr", count(told.max_qp_wr), kMostDepth, used.max_initiator_depth},
            {"max_cqe", count(told.max_cqe), kMostCompletions, used.max_completion_depth},
            {"max_sge", count(told.max_sge), kMostEntries, used.max_initiator_sges},
            {"max_sge_rd", count(told.max_sge_rd), kMostEntries, used.max_read_sges},
            {"max_qp_rd_atom", count(told.max_qp_rd_atom), kMostReads, used.max_inbound_reads},
            {"max_qp_init_rd_atom", count(told.max_qp_init_rd_atom), kMostReads, used.max_outbound_reads},
            {"max_srq_wr", count(told.max_srq_wr), kMostDepth, used.max_shared_receive_depth},
            {"max_msg_sz", port.max_msg_sz, kMostTransfer, used.max_transfer_bytes},
            {"max_inline_data", used.max_inline_bytes, kMostInline, used.max_inline_bytes}};  // by trial alone
}

std::uint32_t milliseconds(std::chrono::nanoseconds time) {
    return static_cast<std::uint32_t>(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

void fill_from_settings(const Settings& settings, DeviceReport& report) {
    constexpr int kAttempts = kRetriesOfPath + 1;
    report.path_ms = milliseconds(settings.path_time);
    report.path_of_device_ms = milliseconds(kAttempts * time_of_code(code_of_time(settings.path_time / kAttempts)));
    report.no_receive_ms = milliseconds(settings.no_receive_time);
}

bool has_pages_on_demand(Device& device) {
    ibv_pd* const domain = device.ibv().alloc_pd(device.context());
    if (!domain) return false;
    const bool has = device.pages_on_demand(domain);
    (void)device.ibv().dealloc_pd(domain);
    return has;
}

}  // namespace

DeviceReport report_of(Device& device, const DeviceLimits& can) {
    const DeviceFacts& facts = device.facts();
    ibv_device_attr told{};
    (void)device.ibv().query_device(device.context(), &told);
    ibv_port_attr port{};
    (void)query_port(device.ibv(), device.context(), facts.port, port);
    DeviceReport report;
    report.name = facts.name;
    report.driver = facts.driver;
    report.firmware = facts.firmware;
    report.technology = name_of(facts.technology);
    report.node_guid = be64toh(told.node_guid);
    report.vendor_id = facts.vendor_id;
    report.part_id = facts.part_id;
    if (std::string node = sysfs_line(facts, "device/numa_node"); node != "-1") report.numa_node = std::move(node);
    report.port = facts.port;
    report.ports = told.phys_port_cnt;
    report.active = port.state == IBV_PORT_ACTIVE;
    report.rate = sysfs_line(facts, format("ports/{}/rate", facts.port));
    report.mtu_bytes = bytes_of(port.active_mtu);
    report.most_mtu_bytes = bytes_of(port.max_mtu);
    report.gids = gids_of(device, port);
    report.limits = limits_of(told, port, can.limits);
    report.vectors = static_cast<std::uint32_t>(std::max(device.context()->num_comp_vectors, 1));
    report.tells_windows = (told.device_cap_flags & kWindowFlags) != 0 && told.max_mw > 0;
    report.has_windows = can.traits.max_window_bytes != 0;
    report.has_shared_receives = can.limits.max_shared_receive_depth != 0;
    report.pages_on_demand = has_pages_on_demand(device);
    report.moderates_interrupts = can.traits.moderates_interrupts;
    report.exchanges_ece = can.exchanges_ece;
    for (const NamedQuirk& each : kQuirks)
        if (facts.quirks.*each.quirk) report.quirks.push_back(each.meaning);
    fill_from_settings(device.settings(), report);
    return report;
}

}  // namespace opennd::verbs
