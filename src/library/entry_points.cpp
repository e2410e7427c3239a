// SPDX-License-Identifier: MIT
// The functions of ndsupport.h, and the two that make the library a module of providers. The helper functions reach the
// built-in provider directly (NDS-OPEN-05).
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/lock.h"
#include "base/log.h"
#include "library/class_factory.h"
#include "library/library.h"
#include "ndsupport.h"
#include "opennd.h"
#include "platform/interfaces.h"
#include "spi/at_face.h"
#include "spi/nd2/provider.h"
#include "spi/socket_address.h"
#include "spi/status_map.h"

namespace opennd {
namespace {

// How often NdStartup was called and not undone (NDS-START-01).
class Startups {
public:
    void add() {
        const Held lock(mutex_);
        ++count_;
    }
    bool remove() {
        const Held lock(mutex_);
        if (count_ == 0) return false;
        --count_;
        return true;
    }
    bool any() {
        const Held lock(mutex_);
        return count_ != 0;
    }

private:
    Mutex mutex_;
    std::uint64_t count_ GUARDED_BY(mutex_) = 0;
};

Startups& startups() {
    static Startups* const instance = new Startups;  // like the library, never destroyed
    return *instance;
}

HRESULT check_started() {
    if (startups().any()) return S_OK;
    log(LogLevel::warn, "Network Direct helper function called before NdStartup");
    return ND_DEVICE_NOT_READY;
}

// NDS-CHK-02: the number 2 is that of the published helper, whichever parameter the length is.
HRESULT parse(const sockaddr* raw, SIZE_T bytes, std::optional<Address>& address) {
    if (raw == nullptr) return ND_INVALID_ADDRESS;
    if (bytes < sizeof(sockaddr_in) || bytes > std::numeric_limits<std::uint32_t>::max()) return ND_INVALID_PARAMETER_2;
    if (raw->sa_family == AF_INET6 && bytes < sizeof(sockaddr_in6)) return ND_INVALID_PARAMETER_2;
    address = Address::from(raw, bytes);
    return address ? S_OK : ND_INVALID_ADDRESS;
}

bool served(const Address& address) { return Library::instance().adapters().resolve(address).ok(); }

// NDS-LIST-01: version 1 serves no address in this version.
std::vector<Address> listed_addresses(DWORD flags) {
    if ((flags & ND_QUERY_EXCLUDE_NDv2_ADDRESSES) != 0) return {};
    return Library::instance().adapters().addresses();
}

// NDS-RES-04: an address of this host stands for itself, whatever the routing table prefers.
Result<Address> local_address_towards(const Address& remote) {
    const std::vector<Address> own = Library::instance().adapters().addresses();
    const auto found = std::find_if(own.begin(), own.end(), [&](const Address& a) { return a.same_host(remote); });
    if (found != own.end()) return *found;
    return source_address_for(remote);
}

HRESULT resolve(const Address& remote, sockaddr* local, SIZE_T* local_bytes) {
    const Result<Address> source = local_address_towards(remote);
    if (!source.ok()) {
        switch (source.status()) {
            case Status::invalid_address: return ND_INVALID_ADDRESS;
            case Status::network_unreachable:
            case Status::host_unreachable: return ND_NETWORK_UNREACHABLE;
            default: return ND_UNSUCCESSFUL;  // NDS-RES-03
        }
    }
    if (const HRESULT result = write_address(source.value(), local, *local_bytes); FAILED(result)) return result;
    return served(source.value()) ? S_OK : ND_INVALID_ADDRESS;
}

HRESULT open_adapter(REFIID iid, const Address& address, void** adapter) {
    const Result<std::uint64_t> id = Library::instance().adapters().resolve(address);
    if (address.is_unspecified() || !id.ok()) {
        log(LogLevel::warn, "NdOpenAdapter: {} is not an address of this host; NdQueryAddressList lists them",
            address.text(false));
        return ND_INVALID_ADDRESS;
    }
    void* provider = nullptr;
    if (const HRESULT result = create_provider(IID_IND2Provider, &provider); FAILED(result)) return result;
    auto* const opener = static_cast<IND2Provider*>(provider);
    const HRESULT result = opener->OpenAdapter(iid, id.value(), adapter);
    opener->Release();  // the adapter keeps what it needs (ND2-COM-09)
    return result;
}

}  // namespace
}  // namespace opennd

using namespace opennd;

HRESULT NdStartup(VOID) {
    return at_face([] { return startups().add(), S_OK; });
}

HRESULT NdCleanup(VOID) {
    return at_face([] { return startups().remove() ? S_OK : ND_DEVICE_NOT_READY; });
}

// There is one provider, and it is built in (NDS-START-03).
VOID NdFlushProviders(VOID) {}

HRESULT NdQueryAddressList(DWORD flags, SOCKET_ADDRESS_LIST* list, SIZE_T* list_bytes) {
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_started(); FAILED(bad)) return bad;
        if (list_bytes == nullptr) return ND_INVALID_PARAMETER;
        const std::vector<Address> addresses = listed_addresses(flags);
        if (addresses.empty()) {  // NDS-LIST-02
            *list_bytes = 0;
            return ND_SUCCESS;
        }
        const SIZE_T needed = address_list_bytes(addresses);
        if (list == nullptr || *list_bytes < needed) {
            *list_bytes = needed;
            return ND_BUFFER_OVERFLOW;
        }
        write_address_list(addresses, list);
        return ND_SUCCESS;
    });
}

HRESULT NdResolveAddress(const sockaddr* remote, SIZE_T remote_bytes, sockaddr* local, SIZE_T* local_bytes) {
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_started(); FAILED(bad)) return bad;
        if (local_bytes == nullptr) return ND_INVALID_PARAMETER;
        const std::optional<Address> wanted = Address::from(remote, remote_bytes);
        return wanted ? resolve(*wanted, local, local_bytes) : ND_INVALID_ADDRESS;
    });
}

HRESULT NdCheckAddress(const sockaddr* address, SIZE_T address_bytes) {
    return at_face([&]() -> HRESULT {
        if (const HRESULT bad = check_started(); FAILED(bad)) return bad;
        std::optional<Address> wanted;
        if (const HRESULT bad = parse(address, address_bytes, wanted); FAILED(bad)) return bad;
        return served(*wanted) ? ND_SUCCESS : ND_INVALID_ADDRESS;
    });
}

HRESULT NdOpenAdapter(REFIID iid, const sockaddr* address, SIZE_T address_bytes, VOID** adapter) {
    return at_face([&]() -> HRESULT {
        if (adapter == nullptr) return E_POINTER;
        *adapter = nullptr;
        if (const HRESULT bad = check_started(); FAILED(bad)) return bad;
        std::optional<Address> wanted;
        if (const HRESULT bad = parse(address, address_bytes, wanted); FAILED(bad)) return bad;
        if (iid == IID_INDAdapter) {
            log(LogLevel::warn,
                "NdOpenAdapter: IID_INDAdapter, but this version speaks version 2 only; use IID_IND2Adapter");
            return ND_NOT_SUPPORTED;
        }
        return open_adapter(iid, *wanted, adapter);
    });
}

HRESULT NdOpenV1Adapter(const sockaddr* address, SIZE_T address_bytes, INDAdapter** adapter) {
    return NdOpenAdapter(IID_INDAdapter, address, address_bytes, reinterpret_cast<VOID**>(adapter));
}

HRESULT DllGetClassObject(REFCLSID class_id, REFIID iid, LPVOID* object) {
    if (object == nullptr) return E_POINTER;
    *object = nullptr;
    if (class_id != CLSID_OpenNDProvider) return CLASS_E_CLASSNOTAVAILABLE;
    if (iid == IID_IND2Provider) return create_provider(iid, object);  // ND2-PRV-01
    if (iid != IID_IClassFactory) return E_NOINTERFACE;
    return at_face([&] {
        Library::instance();  // from here on the library counts as used
        make_ref<ClassFactory>()->hand_out(object);
        return S_OK;
    });
}

// Service threads run from the first object on and are not stopped: unloading is refused (ND2-PRV-03).
HRESULT DllCanUnloadNow(VOID) { return Library::in_use() ? S_FALSE : S_OK; }
