// SPDX-License-Identifier: MIT
// See device.h.
#include "ndk/device/device.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/log.h"
#include "platform/host/interfaces.h"

namespace opennd {
namespace {

constexpr std::size_t kMostName = 63;

// The part before `separator`, which is taken off `text` with it.
std::string_view take(std::string_view& text, char separator) {
    const std::size_t end = text.find(separator);
    const std::string_view part = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    return part;
}

// "name=address,address"; nothing if it is not that.
std::optional<Interface> read_device(std::string_view text) {
    Interface device;
    device.name = take(text, '=');
    if (device.name.empty() || device.name.size() > kMostName || text.empty()) return std::nullopt;
    while (!text.empty()) {
        const std::optional<Address> address = Address::parse(std::string(take(text, ',')));
        if (!address) return std::nullopt;
        device.addresses.push_back(*address);
    }
    return device;
}

std::string_view without_spaces(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

}  // namespace

std::vector<Interface> devices(const std::vector<Interface>& configured) {
    std::vector<Interface> all = interfaces();
    for (Interface& each : present_devices(configured)) all.push_back(std::move(each));
    return all;
}

std::optional<Interface> find_device(std::uint32_t index, const std::vector<Interface>& configured) {
    for (Interface& each : devices(configured))
        if (each.index == index) return std::move(each);
    return std::nullopt;
}

std::optional<Interface> find_device(const Address& address) {
    for (Interface& each : interfaces()) {
        const auto& own = each.addresses;
        const bool is_loopback = std::any_of(own.begin(), own.end(), [](const Address& a) { return a.is_loopback(); });
        if (find_host(own, address) || (address.is_loopback() && is_loopback)) return std::move(each);
    }
    return std::nullopt;
}

Result<Ref<Adapter>> open_core(AdapterCatalog& catalog, const Interface& device, std::vector<Interface> configured,
                               AdapterKinds kinds) {
    const auto addresses_now = [index = device.index, configured = std::move(configured)]() -> std::vector<Address> {
        std::optional<Interface> now = find_device(index, configured);
        return now ? std::move(now->addresses) : std::vector<Address>{};
    };
    return catalog.open(device, addresses_now, Face::ndk, kinds);
}

std::vector<Interface> read_configured_devices(std::string_view text) {
    std::vector<Interface> devices;
    for (std::uint32_t index = kFirstConfiguredDevice; !text.empty(); ++index) {
        const std::string_view part = take(text, ';');
        std::optional<Interface> device = read_device(part);
        if (!device) {
            log(LogLevel::error,
                "OPENND_NDK_ADAPTERS: \"{}\": expected a name, \"=\" and IP addresses with commas between them; left "
                "out",
                part);
            continue;
        }
        device->index = index;
        devices.push_back(*std::move(device));
    }
    return devices;
}

std::vector<Interface> present_devices(const std::vector<Interface>& configured) {
    if (configured.empty()) return {};
    const std::vector<Address> own = addresses_of(interfaces());
    std::vector<Interface> devices = configured;
    for (Interface& device : devices) {
        std::erase_if(device.addresses, [&](const Address& each) { return !find_host(own, each); });
        device.up = !device.addresses.empty();
    }
    return devices;
}

bool NdkSettings::disable(std::string_view interface) const {
    return std::find(disabled.begin(), disabled.end(), interface) != disabled.end();
}

std::vector<std::string> read_names(std::string_view list) {
    std::vector<std::string> names;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        if (const std::string_view name = without_spaces(list.substr(0, end)); !name.empty()) names.emplace_back(name);
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return names;
}

}  // namespace opennd
