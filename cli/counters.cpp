// SPDX-License-Identifier: MIT
//
// Read counters.h first.
#include "counters.h"

#include "nd_error.h"

#include <opennd_ndk.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace nd {
namespace {

using nlohmann::ordered_json;

std::vector<OPENND_NDK_ADAPTER_ENTRY> adapters() {
    std::vector<OPENND_NDK_ADAPTER_ENTRY> entries;
    ULONG count = 0;
    NTSTATUS status = opennd_ndk_enumerate_adapters(nullptr, &count);
    while (status == STATUS_BUFFER_TOO_SMALL) {  // an interface may appear between the two calls
        entries.resize(count);
        status = opennd_ndk_enumerate_adapters(entries.data(), &count);
    }
    check(status, "list the interfaces of this host", "opennd_ndk_enumerate_adapters");
    entries.resize(count);
    return entries;
}

ordered_json counters_json(const OPENND_NDK_ADAPTER_ENTRY& adapter) {
    NDIS_NDK_STATISTICS_INFO info = {};
    check(opennd_ndk_query_statistics(adapter.if_index, &info), std::string("read the counters of ") + adapter.name,
          "opennd_ndk_query_statistics");
    const NDIS_NDK_PERFORMANCE_COUNTERS& counters = info.CounterSet;
    return {
        {"Connect", counters.Connect},
        {"Accept", counters.Accept},
        {"ConnectFailure", counters.ConnectFailure},
        {"ConnectionError", counters.ConnectionError},
        {"ActiveConnection", counters.ActiveConnection},
        {"CQError", counters.CQError},
        {"RDMAInOctets", counters.RDMAInOctets},
        {"RDMAOutOctets", counters.RDMAOutOctets},
        {"RDMAInFrames", counters.RDMAInFrames},
        {"RDMAOutFrames", counters.RDMAOutFrames},
    };
}

ordered_json capabilities_json(const OPENND_NDK_ADAPTER_ENTRY& adapter) {
    NDIS_NDK_CAPABILITIES can = {};
    check(opennd_ndk_query_capabilities(adapter.if_index, &can, nullptr),
          std::string("read the capabilities of ") + adapter.name, "opennd_ndk_query_capabilities");
    return {
        {"MaxQpCount", can.MaxQpCount},
        {"MaxCqCount", can.MaxCqCount},
        {"MaxMrCount", can.MaxMrCount},
        {"MaxPdCount", can.MaxPdCount},
        {"MaxInboundReadLimit", can.MaxInboundReadLimit},
        {"MaxOutboundReadLimit", can.MaxOutboundReadLimit},
        {"MaxMwCount", can.MaxMwCount},
        {"MaxSrqCount", can.MaxSrqCount},
        {"MissingCounterMask", can.MissingCounterMask},
    };
}

}  // namespace

ordered_json interfaces_json() {
    ordered_json interfaces = ordered_json::array();
    for (const OPENND_NDK_ADAPTER_ENTRY& adapter : adapters())
        if (adapter.enabled)
            interfaces.push_back({{"name", adapter.name},
                                  {"index", adapter.if_index},
                                  {"counters", counters_json(adapter)},
                                  {"capabilities", capabilities_json(adapter)}});
    return interfaces;
}

void print_interfaces(const ordered_json& interfaces, const char* what) {
    for (const ordered_json& interface : interfaces) {
        std::printf("\ninterface %s: %s\n", interface["name"].get_ref<const std::string&>().c_str(), what);
        for (const auto& [name, value] : interface[what].items())
            std::printf("  %-28s %s\n", name.c_str(), value.dump().c_str());
    }
}

}  // namespace nd
