// SPDX-License-Identifier: MIT
// The providers of other vendors on this host, in the order of their files' names.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/lock.h"
#include "spi/foreign/provider.h"

namespace opennd {

// Any thread. Made by library/, never destroyed.
class ForeignCatalog {
public:
    explicit ForeignCatalog(std::string folder) : folder_(std::move(folder)) {}

    // Reads the folder again. A provider whose file is unchanged is kept.
    void refresh();

    std::vector<ProviderEntry> entries();

    // Writes a file for it, and reads the folder again. ND_SUCCESS; ND_INVALID_PARAMETER: no file can say that;
    // ND_SHARING_VIOLATION: a file names its class already; ND_UNSUCCESSFUL: the log says why.
    HRESULT install(const ProviderEntry& entry);

    // Removes it, and reads the folder again. ND_SUCCESS; ND_NO_MORE_ENTRIES: no file names the class; ND_UNSUCCESSFUL.
    HRESULT remove(const GUID& class_id);

    // All addresses that providers of this version serve.
    std::vector<Address> addresses(ULONG version);

    // With the first provider that has the address and succeeds; otherwise the last one's failure, or `failure` if there
    // is none that has it (NDS-OPEN-02).
    HRESULT open(REFIID iid, const Address& address, HRESULT failure, void** adapter);

    void unload_idle();

private:
    using Providers = std::vector<std::shared_ptr<ForeignProvider>>;

    // The providers as they are now: they are called without a lock.
    Providers providers();

    const std::string folder_;
    Mutex mutex_;
    bool read_ GUARDED_BY(mutex_) = false;
    Providers providers_ GUARDED_BY(mutex_);
};

}  // namespace opennd
