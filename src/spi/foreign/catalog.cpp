// SPDX-License-Identifier: MIT
// See catalog.h.
#include "spi/foreign/catalog.h"

#include <algorithm>
#include <utility>

namespace opennd {

void ForeignCatalog::refresh() {
    std::vector<ProviderEntry> entries = read_provider_folder(folder_);
    Providers gone;  // unloaded without the lock
    const Held lock(mutex_);
    gone.swap(providers_);
    for (ProviderEntry& entry : entries) {
        const auto same =
            std::find_if(gone.begin(), gone.end(), [&](const auto& old) { return old && old->entry() == entry; });
        providers_.push_back(same == gone.end() ? std::make_shared<ForeignProvider>(std::move(entry))
                                                : std::exchange(*same, nullptr));
    }
    read_ = true;
}

ForeignCatalog::Providers ForeignCatalog::providers() {
    {
        const Held lock(mutex_);
        if (read_) return providers_;
    }
    refresh();
    const Held lock(mutex_);
    return providers_;
}

std::vector<ProviderEntry> ForeignCatalog::entries() {
    std::vector<ProviderEntry> entries;
    for (const auto& provider : providers()) entries.push_back(provider->entry());
    return entries;
}

HRESULT ForeignCatalog::install(const ProviderEntry& entry) {
    if (!can_be_written(entry)) return ND_INVALID_PARAMETER;
    refresh();
    const std::vector<ProviderEntry> known = entries();
    if (std::any_of(known.begin(), known.end(), [&](const auto& other) { return other.class_id == entry.class_id; }))
        return ND_SHARING_VIOLATION;
    if (!write_provider_entry(folder_, entry)) return ND_UNSUCCESSFUL;
    refresh();
    return ND_SUCCESS;
}

HRESULT ForeignCatalog::remove(const GUID& class_id) {
    std::size_t removed = 0;
    const bool all = remove_provider_entry(folder_, class_id, removed);
    refresh();
    if (!all) return ND_UNSUCCESSFUL;
    return removed != 0 ? ND_SUCCESS : ND_NO_MORE_ENTRIES;
}

std::vector<Address> ForeignCatalog::addresses(ULONG version) {
    std::vector<Address> all;
    for (const auto& provider : providers()) {
        std::vector<Address> served;
        if (provider->entry().version != version || FAILED(provider->query_addresses(served))) continue;
        all.insert(all.end(), served.begin(), served.end());
    }
    return all;
}

HRESULT ForeignCatalog::open(REFIID iid, const Address& address, HRESULT failure, void** adapter) {
    const ULONG version = iid == IID_INDAdapter ? ND_VERSION_1 : ND_VERSION_2;
    for (const auto& provider : providers()) {
        if (provider->entry().version != version) continue;
        const HRESULT result = provider->open(iid, address, adapter);
        if (SUCCEEDED(result)) return result;
        if (result != ND_INVALID_ADDRESS) failure = result;
    }
    return failure;
}

void ForeignCatalog::unload_idle() {
    for (const auto& provider : providers()) provider->unload_if_idle();
}

}  // namespace opennd
