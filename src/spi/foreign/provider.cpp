// SPDX-License-Identifier: MIT
// See provider.h.
#include "spi/foreign/provider.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "base/format.h"
#include "base/log.h"
#include "platform/process/shared_object.h"

namespace opennd {
namespace {

// The failure of a method that reports success without an object.
constexpr HRESULT kNoObject = E_POINTER;
// Some ten thousand addresses: a provider that asks for more is not believed.
constexpr std::size_t kLargestList = 1 << 20;
// Addresses may come between the two calls; a provider that always wants more than it said does not get it.
constexpr int kRounds = 4;

bool within(std::span<const std::byte> buffer, const void* place, INT bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(buffer.data());
    const auto at = reinterpret_cast<std::uintptr_t>(place);
    const auto wanted = static_cast<std::uint32_t>(bytes);
    return bytes >= 0 && at >= begin && at - begin <= buffer.size() && buffer.size() - (at - begin) >= wanted;
}

// The IPv4 and IPv6 addresses of the SOCKET_ADDRESS_LIST in `buffer`, which another vendor's provider wrote; others are left out. Nothing: a
// count or a pointer leads out of the buffer.
std::optional<std::vector<Address>> read_address_list(std::span<const std::byte> buffer) {
    constexpr std::size_t kHead = offsetof(SOCKET_ADDRESS_LIST, Address);
    INT count = 0;
    if (buffer.size() < kHead) return std::nullopt;
    std::memcpy(&count, buffer.data(), sizeof count);
    if (count < 0 || static_cast<std::size_t>(count) > (buffer.size() - kHead) / sizeof(SOCKET_ADDRESS))
        return std::nullopt;
    std::vector<Address> addresses;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        SOCKET_ADDRESS entry;
        std::memcpy(&entry, buffer.data() + kHead + i * sizeof entry, sizeof entry);
        if (!within(buffer, entry.lpSockaddr, entry.iSockaddrLength)) return std::nullopt;
        sockaddr_storage copy{};  // the original need not be aligned
        std::memcpy(&copy, entry.lpSockaddr, std::min<std::size_t>(entry.iSockaddrLength, sizeof copy));
        const auto length = static_cast<std::size_t>(entry.iSockaddrLength);
        if (length < sizeof(sockaddr)) continue;
        if (const auto address = Address::from(reinterpret_cast<const sockaddr*>(&copy), length))
            addresses.push_back(address->with_port(0));
    }
    return addresses;
}

}  // namespace

ForeignProvider::ForeignProvider(ProviderEntry entry) : entry_(std::move(entry)), module_(entry_.name, entry_.module) {}

template <typename Call>
HRESULT ForeignProvider::guarded(HRESULT otherwise, std::string_view method, Call&& call) {
    try {
        return call();
    } catch (...) {
        module_.complain(format("{} threw an exception", method));
        return otherwise;
    }
}

// After a failed call the output is no reference, and success without an object is a failure.
template <typename Interface, typename Call>
HRESULT ForeignProvider::get(std::string_view method, ForeignPtr<Interface>& object, Call&& call) {
    const HRESULT result = guarded(E_FAIL, method, [&] { return call(object.out()); });
    if (FAILED(result)) (void)object.take();
    return SUCCEEDED(result) && !object ? kNoObject : result;
}

// Both routes that clients use: version 2's framework asks for the provider, version 1's and others for a factory
// (ND2-PRV-01). A module may know only one.
template <typename Provider>
bool ForeignProvider::make(const LoadedModule& module, REFIID iid, ForeignPtr<Provider>& provider) {
    const auto directly = [&] {
        return get("DllGetClassObject", provider,
                   [&](void** object) { return module.get_class_object(entry_.class_id, iid, object); });
    };
    const auto by_factory = [&] {
        ForeignPtr<IClassFactory> factory;
        const HRESULT result = get("DllGetClassObject", factory, [&](void** object) {
            return module.get_class_object(entry_.class_id, IID_IClassFactory, object);
        });
        if (FAILED(result)) return result;
        return get("CreateInstance", provider,
                   [&](void** object) { return factory->CreateInstance(nullptr, iid, object); });
    };
    const bool version_2 = iid == IID_IND2Provider;
    HRESULT result = version_2 ? directly() : by_factory();
    if (FAILED(result)) result = version_2 ? by_factory() : directly();
    if (SUCCEEDED(result)) return true;
    module_.complain(format("its class gives no provider of version {} ({:#010x})", version_2 ? 2 : 1,
                            static_cast<unsigned>(result)));
    return false;
}

// `Size` is the version's type for counts of bytes: SIZE_T in version 1, ULONG in version 2.
template <typename Provider, typename Size>
HRESULT ForeignProvider::read_addresses(REFIID iid, std::vector<Address>& addresses) {
    const auto module = module_.load();
    ForeignPtr<Provider> provider;
    if (!module || !make(*module, iid, provider)) return ND_DEVICE_NOT_READY;
    std::vector<std::max_align_t> buffer;
    Size needed = 0;
    for (int round = 0; round < kRounds; ++round) {
        const std::size_t room = buffer.size() * sizeof(std::max_align_t);
        needed = static_cast<Size>(room);
        auto* const list = buffer.empty() ? nullptr : reinterpret_cast<SOCKET_ADDRESS_LIST*>(buffer.data());
        const HRESULT result =
            guarded(ND_DEVICE_NOT_READY, "QueryAddressList", [&] { return provider->QueryAddressList(list, &needed); });
        if (result == ND_SUCCESS) {
            if (list == nullptr) return ND_SUCCESS;  // none, told without a list
            auto read = read_address_list(std::as_bytes(std::span(buffer)));
            if (!read) return module_.complain("its address list leads out of its buffer"), ND_DEVICE_NOT_READY;
            addresses = std::move(*read);
            return ND_SUCCESS;
        }
        if (result != ND_BUFFER_OVERFLOW) break;
        if (needed <= room || needed > kLargestList) {
            module_.complain(format("it wants {} bytes for its address list", needed));
            return ND_DEVICE_NOT_READY;
        }
        buffer.resize((needed + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
    }
    module_.complain("it does not list its addresses");
    return ND_DEVICE_NOT_READY;
}

HRESULT ForeignProvider::query_addresses(std::vector<Address>& addresses) {
    addresses.clear();
    return entry_.version == ND_VERSION_1 ? read_addresses<INDProvider, SIZE_T>(IID_INDProvider, addresses)
                                          : read_addresses<IND2Provider, ULONG>(IID_IND2Provider, addresses);
}

HRESULT ForeignProvider::open_v1(const LoadedModule& module, const Address& address, ForeignPtr<IUnknown>& adapter) {
    ForeignPtr<INDProvider> provider;
    if (!make(module, IID_INDProvider, provider)) return ND_INVALID_ADDRESS;
    const sockaddr_storage raw = address.to_sockaddr();
    return get("OpenAdapter", adapter, [&](void** object) {
        return provider->OpenAdapter(reinterpret_cast<const sockaddr*>(&raw), address.sockaddr_length(),
                                     reinterpret_cast<INDAdapter**>(object));
    });
}

HRESULT ForeignProvider::open_v2(const LoadedModule& module, REFIID iid, const Address& address,
                                 ForeignPtr<IUnknown>& adapter) {
    ForeignPtr<IND2Provider> provider;
    if (!make(module, IID_IND2Provider, provider)) return ND_INVALID_ADDRESS;
    const sockaddr_storage raw = address.to_sockaddr();
    UINT64 id = 0;
    const HRESULT resolved = guarded(ND_INVALID_ADDRESS, "ResolveAddress", [&] {
        return provider->ResolveAddress(reinterpret_cast<const sockaddr*>(&raw),
                                        static_cast<ULONG>(address.sockaddr_length()), &id);
    });
    if (FAILED(resolved)) return ND_INVALID_ADDRESS;
    return get("OpenAdapter", adapter, [&](void** object) { return provider->OpenAdapter(iid, id, object); });
}

HRESULT ForeignProvider::open(REFIID iid, const Address& address, void** adapter) {
    std::vector<Address> served;
    if (FAILED(query_addresses(served))) return ND_INVALID_ADDRESS;
    if (std::none_of(served.begin(), served.end(), [&](const Address& a) { return a.same_host(address); }))
        return ND_INVALID_ADDRESS;
    const auto module = module_.load();
    if (!module) return ND_INVALID_ADDRESS;
    ForeignPtr<IUnknown> opened;
    const HRESULT result =
        entry_.version == ND_VERSION_1 ? open_v1(*module, address, opened) : open_v2(*module, iid, address, opened);
    if (FAILED(result)) return result;
    // When the adapter is really done, threads and all, only the module can tell, and it may be wrong.
    module->object->pin();
    *adapter = opened.take();
    return result;
}

std::shared_ptr<const ForeignModule::Loaded> ForeignModule::load() {
    {
        const Held lock(mutex_);
        if (loaded_) return loaded_;
    }
    auto fresh = std::make_shared<Loaded>();
    std::string reason = distrust(path_);
    if (!reason.empty()) return complain(reason), nullptr;
    fresh->object = SharedObject::load(path_, reason);
    if (!fresh->object) return complain(reason), nullptr;
    fresh->get_class_object = fresh->object->find<decltype(::DllGetClassObject)>("DllGetClassObject");
    fresh->can_unload_now = fresh->object->find<decltype(::DllCanUnloadNow)>("DllCanUnloadNow");
    if (!fresh->get_class_object || !fresh->can_unload_now)
        return complain("it does not export both DllGetClassObject and DllCanUnloadNow"), nullptr;
    return publish(std::move(fresh));
}

// The second thread takes the module of the first: both are references to one object.
std::shared_ptr<const ForeignModule::Loaded> ForeignModule::publish(std::shared_ptr<const Loaded> fresh) {
    const Held lock(mutex_);
    if (!loaded_) loaded_.swap(fresh);
    return loaded_;
}

void ForeignModule::unload_if_idle() {
    std::shared_ptr<const Loaded> loaded;
    {
        const Held lock(mutex_);
        loaded = loaded_;
    }
    if (!loaded) return;
    try {
        if (loaded->can_unload_now() != S_OK) return;
    } catch (...) {
        return complain("DllCanUnloadNow threw an exception");
    }
    const Held lock(mutex_);
    // Ours and the member's: no thread is in the middle of a call. Unloaded when `loaded` goes, without the lock.
    if (loaded_ == loaded && loaded.use_count() == 2) loaded_.reset();
}

void ForeignModule::complain(std::string_view what) {
    {
        const Held lock(mutex_);
        if (last_complaint_ == what) return;
        last_complaint_ = what;
    }
    log(LogLevel::error, "provider {}: {}: {}; it is passed over", name_, path_, what);
}

}  // namespace opennd
