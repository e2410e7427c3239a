// SPDX-License-Identifier: MIT
// Consumers registered for the enabling and disabling of NDK at an interface (NDK-STAT-21).
#pragma once

#include <cstdint>
#include <thread>
#include <vector>

#include "base/lock.h"
#include "opennd_ndk.h"
#include "platform/thread/condition.h"

namespace opennd {

// Thread-safe.
class AdapterEvents {
public:
    struct Consumer {
        OPENND_NDK_FN_ADAPTER_EVENT callback;
        PVOID context;
        bool operator==(const Consumer&) const = default;
    };

    // Returns false if the consumer is listed already.
    bool add(const Consumer& consumer) EXCLUDES(mutex_);
    // Returns when the consumer's callback has returned, unless the callback itself calls here. False: it is not
    // listed.
    bool remove(const Consumer& consumer) EXCLUDES(mutex_);
    // Calls the consumers listed at the start, in the order of add(), with no lock of this object. By one thread at a
    // time.
    void tell(NET_IFINDEX interface, NET_PNP_EVENT_CODE event) EXCLUDES(mutex_);

    // The calling thread is inside tell(), of any interface.
    static bool is_telling();

private:
    struct Entry {
        Consumer consumer;
        std::uint64_t number;
    };
    using Entries = std::vector<Entry>;
    Entries::iterator find(const Consumer& consumer) REQUIRES(mutex_);

    Mutex mutex_;  // nothing is called under it
    Condition changed_;
    Entries entries_ GUARDED_BY(mutex_);  // by number
    std::uint64_t last_number_ GUARDED_BY(mutex_) = 0;
    std::uint64_t told_ GUARDED_BY(mutex_) = 0;  // number of the entry that teller_ calls; 0: none
    std::thread::id teller_ GUARDED_BY(mutex_);
};

}  // namespace opennd
