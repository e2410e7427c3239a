// SPDX-License-Identifier: MIT
//
// Read adapters.h first.
#include "info/adapters.h"

#include "info/interface.h"
#include "inspect/text_table.h"
#include "nd_error.h"
#include "network/adapter.h"
#include "text/nearest_word.h"
#include "text/wrapped_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace nd {
namespace {

using nlohmann::ordered_json;

// Names as in ND2_ADAPTER_INFO, so that they can be looked up.
ordered_json limits_json(const ND2_ADAPTER_INFO& info) {
    return {
        {"InfoVersion", info.InfoVersion},
        {"VendorId", info.VendorId},
        {"DeviceId", info.DeviceId},
        {"AdapterId", info.AdapterId},
        {"MaxRegistrationSize", info.MaxRegistrationSize},
        {"MaxWindowSize", info.MaxWindowSize},
        {"MaxInitiatorSge", info.MaxInitiatorSge},
        {"MaxReceiveSge", info.MaxReceiveSge},
        {"MaxReadSge", info.MaxReadSge},
        {"MaxTransferLength", info.MaxTransferLength},
        {"MaxInlineDataSize", info.MaxInlineDataSize},
        {"MaxInboundReadLimit", info.MaxInboundReadLimit},
        {"MaxOutboundReadLimit", info.MaxOutboundReadLimit},
        {"MaxReceiveQueueDepth", info.MaxReceiveQueueDepth},
        {"MaxInitiatorQueueDepth", info.MaxInitiatorQueueDepth},
        {"MaxSharedReceiveQueueDepth", info.MaxSharedReceiveQueueDepth},
        {"MaxCompletionQueueDepth", info.MaxCompletionQueueDepth},
        {"InlineRequestThreshold", info.InlineRequestThreshold},
        {"LargeRequestThreshold", info.LargeRequestThreshold},
        {"MaxCallerData", info.MaxCallerData},
        {"MaxCalleeData", info.MaxCalleeData},
    };
}

ordered_json flags_json(ULONG flags) {
    static const std::pair<ULONG, const char*> kNames[] = {
        {ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED, "IN_ORDER_DMA_SUPPORTED"},
        {ND_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED, "CQ_INTERRUPT_MODERATION_SUPPORTED"},
        {ND_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED, "MULTI_ENGINE_SUPPORTED"},
        {ND_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED, "CQ_RESIZE_SUPPORTED"},
        {ND_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED, "LOOPBACK_CONNECTIONS_SUPPORTED"},
    };
    ordered_json names = ordered_json::array();
    for (const auto& [bit, name] : kNames)
        if ((flags & bit) != 0) names.push_back(name);
    return names;
}

// The path to other hosts of its network; null where there is none.
ordered_json transport_to_others(const SocketAddress& address) {
    const std::optional<SocketAddress> neighbour = neighbour_of(address);
    return neighbour ? transport_json(*neighbour) : ordered_json();
}

ordered_json address_json(const SocketAddress& address) {
    return {
        {"address", address.host()},
        {"family", address.family() == AF_INET6 ? "ipv6" : "ipv4"},
        {"transport", transport_json(address)},
        {"transport_to_others", transport_to_others(address)},
    };
}

ordered_json interface_json(const SocketAddress& address) {
    const Interface interface = interface_of(address);
    return {{"name", interface.name},
            {"index", interface.index},
            {"state", interface.state},
            {"mtu", interface.mtu == 0 ? ordered_json() : ordered_json(interface.mtu)},
            {"rate_megabits", interface.rate_megabits == 0 ? ordered_json() : ordered_json(interface.rate_megabits)}};
}

ordered_json adapter_json(const Adapter& adapter) {
    ordered_json addresses = ordered_json::array();
    for (const SocketAddress& address : adapter.all_addresses()) addresses.push_back(address_json(address));
    return {
        {"interface", interface_json(adapter.address())},
        {"addresses", addresses},
        {"limits", limits_json(adapter.limits())},
        {"flags", flags_json(adapter.limits().AdapterFlags)},
    };
}

// The words that a user may name the adapter by.
std::vector<std::string> names_of(const ordered_json& adapter) {
    std::vector<std::string> names = {text_of(adapter["interface"], "name")};
    for (const ordered_json& address : adapter["addresses"]) names.push_back(text_of(address, "address"));
    return names;
}

bool has_name(const ordered_json& adapter, const std::string& name) {
    return std::ranges::count(names_of(adapter), name) != 0;
}

ordered_json with_names(const ordered_json& adapters, const std::vector<std::string>& wanted) {
    ordered_json some = ordered_json::array();
    std::vector<std::string> known;
    for (const ordered_json& adapter : adapters) {
        std::ranges::copy(names_of(adapter), std::back_inserter(known));
        if (std::ranges::any_of(wanted, [&](const std::string& name) { return has_name(adapter, name); }))
            some.push_back(adapter);
    }
    for (const std::string& name : wanted)
        if (std::ranges::count(known, name) == 0)
            throw std::invalid_argument("no adapter is at the interface or address '" + name + "'" +
                                        did_you_mean(name, known));
    return some;
}

std::string transport_name(const ordered_json& transport) {
    return transport.is_null() || transport["name"].is_null() ? "none" : text_of(transport, "name");
}

// Numbers that name something are hexadecimal.
std::string id_text(const ordered_json& id) {
    char text[32] = "";
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(id.get<std::uint64_t>()));
    return text;
}

bool is_id(const std::string& limit) { return limit.ends_with("Id") || limit == "InfoVersion"; }

std::string mtu_text(const ordered_json& interface) {
    return interface["mtu"].is_null() ? "-" : interface["mtu"].dump();
}

std::string link_rate(const ordered_json& interface) {
    return rate_text(interface["rate_megabits"].is_null() ? 0 : interface["rate_megabits"].get<std::uint64_t>());
}

std::string value_text(const ordered_json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

std::string text_of(const ordered_json& object, const char* member) { return object[member].get<std::string>(); }

ordered_json transport_json(const SocketAddress& remote) {
    char name[32] = "", reason[512] = "";
    const HRESULT status =
        opennd_transport_explain(remote.data(), remote.length(), name, sizeof name, reason, sizeof reason);
    if (status != ND_NETWORK_UNREACHABLE)  // to reach nothing is an answer here
        check(status, "tell the transport to " + remote.host(), "opennd_transport_explain");
    ordered_json transport = {{"name", nullptr}, {"reason", reason}};
    if (status == ND_SUCCESS) transport["name"] = name;
    return transport;
}

// The list of addresses has all of an adapter's. It leaves out the loopback interface, unless there is no other: who names that one gets it.
ordered_json adapters_json(const std::vector<std::string>& wanted) {
    ordered_json adapters = ordered_json::array();
    std::set<UINT64> seen;
    const auto add = [&](const SocketAddress& address) {
        const Adapter adapter(address, Api::nd2);
        if (seen.insert(adapter.limits().AdapterId).second) adapters.push_back(adapter_json(adapter));
    };
    std::ranges::for_each(local_addresses(), add);
    for (const std::string& name : wanted)
        for (const SocketAddress& address : addresses_named(name)) try {
                add(address);
            } catch (const NdError&) {  // its interface is down, or its address is of no use
            }
    return wanted.empty() ? adapters : with_names(adapters, wanted);
}

void print_adapters(const ordered_json& adapters) {
    TextTable table({"INTERFACE", "STATE", ">MTU", ">RATE", "TRANSPORT (HERE, OTHERS)", "ADDRESS"});
    for (const ordered_json& adapter : adapters) {
        const ordered_json& first = adapter["addresses"][0];
        const std::size_t more = adapter["addresses"].size() - 1;
        table.add({text_of(adapter["interface"], "name"), text_of(adapter["interface"], "state"),
                   mtu_text(adapter["interface"]), link_rate(adapter["interface"]),
                   transport_name(first["transport"]) + ", " + transport_name(first["transport_to_others"]),
                   text_of(first, "address") + (more == 0 ? "" : " and " + std::to_string(more) + " more")});
    }
    table.print();
}

void print_transport(const ordered_json& transport) {
    print_fact("transport to it", transport_name(transport) + ": " + text_of(transport, "reason"));
}

void print_adapter(const ordered_json& adapter) {
    const ordered_json& interface = adapter["interface"];
    std::printf("\nadapter %s\n", id_text(adapter["limits"]["AdapterId"]).c_str());
    print_fact("interface", text_of(interface, "name") + ", index " + interface["index"].dump());
    print_fact("state", text_of(interface, "state"));
    print_fact("MTU", mtu_text(interface));
    print_fact("rate of the link", link_rate(interface));
    for (const ordered_json& address : adapter["addresses"]) {
        print_fact("address", text_of(address, "address"));
        print_transport(address["transport"]);
        print_fact("transport to others", transport_name(address["transport_to_others"]));
    }
    for (const auto& [name, value] : adapter["limits"].items())
        print_fact(name.c_str(), is_id(name) ? id_text(value) : value_text(value));
    const char* label = "AdapterFlags";
    for (const ordered_json& flag : adapter["flags"]) {
        print_fact(label, value_text(flag));
        label = "";
    }
}

}  // namespace nd
