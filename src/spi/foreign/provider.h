// SPDX-License-Identifier: MIT
// A provider of another vendor, of one version of Network Direct. A fault of it costs a line in the log, and it is
// then as if it were not there (ND1-FW-07, NDS-OPEN-02). Next: catalog.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/lock.h"
#include "model/address.h"
#include "ndspi.h"
#include "platform/process/shared_object.h"
#include "spi/foreign/provider_entry.h"

namespace opennd {

// A module of another vendor: loaded when it is first needed, and asked for class objects.
// Any thread. Nothing of the module is called with a lock held: it may call OpenND.
class ForeignModule {
public:
    ForeignModule(std::string name, std::string path) : name_(std::move(name)), path_(std::move(path)) {}

    // The module in memory, as long as a reference to this exists.
    struct Loaded {
        std::unique_ptr<SharedObject> object;
        decltype(::DllGetClassObject)* get_class_object = nullptr;
        decltype(::DllCanUnloadNow)* can_unload_now = nullptr;
    };
    // Null: it cannot be loaded, or is no module of providers; logged.
    std::shared_ptr<const Loaded> load();

    // Unloads the module if no thread uses it and DllCanUnloadNow says that it has no object left.
    void unload_if_idle();

    // Logs a fault of the module, unless it was the last one logged.
    void complain(std::string_view what);

private:
    std::shared_ptr<const Loaded> publish(std::shared_ptr<const Loaded> fresh);

    const std::string name_;
    const std::string path_;
    Mutex mutex_;
    std::shared_ptr<const Loaded> loaded_ GUARDED_BY(mutex_);
    std::string last_complaint_ GUARDED_BY(mutex_);
};

// A reference to an object of another vendor's, which may do anything, throwing included.
template <typename Interface>
class ForeignPtr {
public:
    ForeignPtr() = default;
    ~ForeignPtr() { reset(); }
    ForeignPtr(const ForeignPtr&) = delete;
    ForeignPtr& operator=(const ForeignPtr&) = delete;

    Interface* operator->() const { return object_; }
    explicit operator bool() const { return object_ != nullptr; }

    // Where a call leaves a new reference.
    void** out() {
        reset();
        return reinterpret_cast<void**>(&object_);
    }
    Interface* take() { return std::exchange(object_, nullptr); }
    void reset() noexcept {
        try {
            if (object_ != nullptr) object_->Release();
        } catch (...) {
            // The reference counts as released.
        }
        object_ = nullptr;
    }

private:
    Interface* object_ = nullptr;
};

// Any thread.
class ForeignProvider {
public:
    explicit ForeignProvider(ProviderEntry entry);

    const ProviderEntry& entry() const { return entry_; }

    // The addresses of the adapters that it serves; its list follows the host. ND_SUCCESS; ND_DEVICE_NOT_READY: it cannot be loaded or
    // asked, and `addresses` is empty.
    HRESULT query_addresses(std::vector<Address>& addresses);

    // ND_INVALID_ADDRESS: it cannot be loaded or asked, or does not serve the address. Otherwise the provider's result.
    HRESULT open(REFIID iid, const Address& address, void** adapter);

    void unload_if_idle() { module_.unload_if_idle(); }

private:
    using LoadedModule = ForeignModule::Loaded;

    template <typename Provider>
    bool make(const LoadedModule& module, REFIID iid, ForeignPtr<Provider>& provider);
    template <typename Provider, typename Size>
    HRESULT read_addresses(REFIID iid, std::vector<Address>& addresses);
    HRESULT open_v1(const LoadedModule& module, const Address& address, ForeignPtr<IUnknown>& adapter);
    HRESULT open_v2(const LoadedModule& module, REFIID iid, const Address& address, ForeignPtr<IUnknown>& adapter);
    template <typename Interface, typename Call>
    HRESULT get(std::string_view method, ForeignPtr<Interface>& object, Call&& call);
    // The result of `call`; `otherwise` if it throws.
    template <typename Call>
    HRESULT guarded(HRESULT otherwise, std::string_view method, Call&& call);

    const ProviderEntry entry_;
    ForeignModule module_;
};

}  // namespace opennd
