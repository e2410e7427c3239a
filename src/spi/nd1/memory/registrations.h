// SPDX-License-Identifier: MIT
// The memory registrations of one adapter instance, which version 1 names by handles instead of objects.
//
// A handle is the registration's local token, which a request needs: no look-up on the way, and a check against the
// generation of its slot where the request executes (ND1-AD-REG-10). Only Bind and DeregisterMemory look here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "base/lock.h"
#include "base/ref.h"
#include "core/adapter/adapter.h"
#include "core/memory/memory_region.h"
#include "ndspi.h"

namespace opennd {

// Thread-safe. Ends with the last object of the adapter instance, and ends the remaining registrations (ND1-AD-DRG-05).
class Registrations final : public RefCounted {
public:
    struct Entry {
        Ref<MemoryRegion> region;
        std::uintptr_t start = 0;
        std::size_t bytes = 0;
        bool writable = true;
    };

    ~Registrations() override;

    // Registers; read-only memory for reading (ND1-AD-REG-07). access_violation; insufficient_resources.
    Status add(const Ref<Adapter>& adapter, std::byte* address, std::size_t bytes, ND_MR_HANDLE& handle);
    // `entry` is a result of find(). region_busy: windows are bound to it. invalid_state: another thread was first.
    Status remove(ND_MR_HANDLE handle, const Entry& entry);
    std::optional<Entry> find(ND_MR_HANDLE handle) const;

private:
    mutable Mutex mutex_;  // nothing is called under it
    std::unordered_map<std::uint32_t, Entry> entries_ GUARDED_BY(mutex_);
};

}  // namespace opennd
