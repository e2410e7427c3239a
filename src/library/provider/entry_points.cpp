// SPDX-License-Identifier: MIT
// The functions of ndsupport.h. They reach the built-in provider directly (NDS-OPEN-05), and those of other vendors through
// spi/foreign. Next: served_addresses.h.
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/check_rule.h"
#include "library/library.h"
#include "library/provider/served_addresses.h"
#include "ndsupport.h"
#include "platform/host/interfaces.h"
#include "spi/at_face.h"
#include "spi/explanation.h"
#include "spi/socket_address.h"
#include "spi/status_meaning.h"

namespace opennd {
namespace {

// How often NdStartup was called and not undone (NDS-START-01).
class Startups {
public:
    void add() { count_.fetch_add(1); }
    bool remove() {
        std::uint64_t count = count_.load();
        while (count != 0 && !count_.compare_exchange_weak(count, count - 1)) continue;
        return count != 0;
    }
    bool any() const { return count_.load() != 0; }

private:
    std::atomic<std::uint64_t> count_{0};  // sequentially consistent
};

constinit Startups startups;

HRESULT check_started(const Site& site) {
    if (startups.any()) return S_OK;
    (void)Library::instance();  // the checking layer comes with it
    return explain(ND_DEVICE_NOT_READY, {.object = site.object,
                                         .operation = site.operation,
                                         .asked = "a call before NdStartup, or after the last NdCleanup",
                                         .limit = "calls between NdStartup and its NdCleanup",
                                         .remedy = "call NdStartup first",
                                         .requirement = "NDS-START-04",
                                         .rule = CheckRule::startup});
}

// NDS-CHK-02: the number 2 is that of the published helper, for any position of the length.
HRESULT refuse_length(const Site& site, SIZE_T bytes) {
    return explain(ND_INVALID_PARAMETER_2, {.object = site.object,
                                            .operation = site.operation,
                                            .asked = phrase("an address of {} bytes", bytes),
                                            .limit = "16 bytes for AF_INET, 28 for AF_INET6, or more",
                                            .remedy = "pass the size of the whole sockaddr_in or sockaddr_in6",
                                            .requirement = "NDS-CHK-02"});
}

HRESULT parse(const Site& site, const sockaddr* raw, SIZE_T bytes, std::optional<Address>& address) {
    if (raw == nullptr) return refuse_address(site, raw, bytes);
    if (bytes < sizeof(sockaddr_in) || bytes > std::numeric_limits<std::uint32_t>::max())
        return refuse_length(site, bytes);
    if (raw->sa_family == AF_INET6 && bytes < sizeof(sockaddr_in6)) return refuse_length(site, bytes);
    address = Address::from(raw, bytes);
    return address ? S_OK : refuse_address(site, raw, bytes);
}

HRESULT refuse_foreign(const Site& site, const Address& address, std::string_view requirement,
                       CheckRule misuse = CheckRule::none) {
    return explain(ND_INVALID_ADDRESS, {.object = site.object,
                                        .operation = site.operation,
                                        .asked = address.text(false),
                                        .limit = "an address of this host",
                                        .remedy = "take one of those that NdQueryAddressList lists",
                                        .requirement = requirement,
                                        .rule = misuse});
}

// NDS-RES-04: an address of this host stands for itself; the routing table is asked only for others.
Result<Address> local_address_towards(const Address& remote) {
    if (const std::optional<Address> own = Library::instance().adapters().find(remote)) return own->with_port(0);
    return source_address_for(remote);
}

HRESULT no_route(const Site& site, const Address& remote, HRESULT status) {
    return explain(status, {.object = site.object,
                            .operation = site.operation,
                            .asked = phrase("the local address towards {}", remote.text(false)),
                            .limit = "addresses that the routing table has a way to",
                            .remedy = "check the address, and `ip route get` for it",
                            .requirement = "NDS-RES-03"});
}

HRESULT resolve(const Site& site, const Address& remote, sockaddr* local, SIZE_T* local_bytes) {
    const Result<Address> source = local_address_towards(remote);
    if (!source.ok()) {
        switch (source.status()) {
            case Status::invalid_address: return no_route(site, remote, ND_INVALID_ADDRESS);
            case Status::network_unreachable:
            case Status::host_unreachable: return no_route(site, remote, ND_NETWORK_UNREACHABLE);
            default: return no_route(site, remote, ND_UNSUCCESSFUL);  // NDS-RES-03
        }
    }
    const SIZE_T room = *local_bytes;
    if (const HRESULT result = write_address(source.value(), local, *local_bytes); FAILED(result))
        return refuse_room(site, local ? room : 0, *local_bytes, "NDS-RES-02");
    return served(source.value()) ? S_OK : refuse_foreign(site, source.value(), "NDS-RES-03");
}

// ND_INVALID_ADDRESS: no provider has it, or none that has it can open it (NDS-OPEN-02).
HRESULT open_adapter(const Site& site, REFIID iid, const Address& address, void** adapter) {
    if (address.is_unspecified()) return refuse_foreign(site, address, "NDS-OPEN-04");
    const bool ours = served_here(address);
    if (ours && opens_here(iid)) {
        const HRESULT result = open_here(iid, address, adapter);
        if (SUCCEEDED(result)) return result;
        return Library::instance().foreign().open(iid, address, result, adapter);
    }
    const HRESULT result = Library::instance().foreign().open(iid, address, ND_INVALID_ADDRESS, adapter);
    if (result != ND_INVALID_ADDRESS) return result;
    return ours ? open_here(iid, address, adapter)
                : refuse_foreign(site, address, "NDS-OPEN-02", CheckRule::peer_address);
}

}  // namespace
}  // namespace opennd

using namespace opennd;

HRESULT NdStartup(VOID) {
    return at_face([] {
        if (!startups.any()) Library::instance().foreign().refresh();  // before it counts: it may have no memory
        startups.add();
        return S_OK;
    });
}

HRESULT NdCleanup(VOID) {
    return at_face([] {
        if (startups.remove()) return S_OK;
        return explain(ND_DEVICE_NOT_READY, {.object = "helper functions",
                                             .operation = "NdCleanup",
                                             .asked = "one NdCleanup more than NdStartup",
                                             .limit = "as many as there were calls of NdStartup",
                                             .remedy = "call NdCleanup once for each NdStartup",
                                             .requirement = "NDS-START-02",
                                             .rule = CheckRule::startup});
    });
}

// Ours is built in (NDS-START-03).
VOID NdFlushProviders(VOID) {
    (void)at_face([] {
        if (startups.any()) Library::instance().foreign().unload_idle();
        return S_OK;
    });
}

HRESULT NdQueryAddressList(DWORD flags, SOCKET_ADDRESS_LIST* list, SIZE_T* list_bytes) {
    constexpr Site site{"helper functions", "NdQueryAddressList"};
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_started(site); FAILED(bad)) return bad;
        if (list_bytes == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "pcbAddressList");
        const std::vector<Address> addresses = listed_addresses(flags);
        if (addresses.empty()) {  // NDS-LIST-02
            *list_bytes = 0;
            return ND_SUCCESS;
        }
        const SIZE_T needed = address_list_bytes(addresses);
        const SIZE_T room = list ? *list_bytes : 0;
        if (room < needed) {
            *list_bytes = needed;
            return refuse_room(site, room, needed, "NDS-LIST-03");
        }
        write_address_list(addresses, list);
        return ND_SUCCESS;
    });
}

HRESULT NdResolveAddress(const sockaddr* remote, SIZE_T remote_bytes, sockaddr* local, SIZE_T* local_bytes) {
    constexpr Site site{"helper functions", "NdResolveAddress"};
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_started(site); FAILED(bad)) return bad;
        if (local_bytes == nullptr) return refuse_null(ND_INVALID_PARAMETER, site, "pcbLocalAddress");
        const std::optional<Address> wanted = Address::from(remote, remote_bytes);
        return wanted ? resolve(site, *wanted, local, local_bytes) : refuse_address(site, remote, remote_bytes);
    });
}

HRESULT NdCheckAddress(const sockaddr* address, SIZE_T address_bytes) {
    constexpr Site site{"helper functions", "NdCheckAddress"};
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_started(site); FAILED(bad)) return bad;
        std::optional<Address> wanted;
        if (const HRESULT bad = parse(site, address, address_bytes, wanted); FAILED(bad)) return bad;
        return served(*wanted) ? ND_SUCCESS : refuse_foreign(site, *wanted, "NDS-CHK-01");
    });
}

HRESULT NdOpenAdapter(REFIID iid, const sockaddr* address, SIZE_T address_bytes, VOID** adapter) {
    constexpr Site site{"helper functions", "NdOpenAdapter"};
    return at_face([&]() -> HRESULT {
        if (adapter == nullptr) return refuse_null(E_POINTER, site, "ppAdapter");
        *adapter = nullptr;
        if (const HRESULT bad = check_started(site); FAILED(bad)) return bad;
        std::optional<Address> wanted;
        if (const HRESULT bad = parse(site, address, address_bytes, wanted); FAILED(bad)) return bad;
        return open_adapter(site, iid, *wanted, adapter);
    });
}

HRESULT NdOpenV1Adapter(const sockaddr* address, SIZE_T address_bytes, INDAdapter** adapter) {
    return NdOpenAdapter(IID_INDAdapter, address, address_bytes, reinterpret_cast<VOID**>(adapter));
}
