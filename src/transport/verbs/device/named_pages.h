// SPDX-License-Identifier: MIT
// The memory that requests may name by address alone, on a device without on-demand paging: NDK's privileged token over the pages of
// logical mappings (NDK-PD-05, NDK-LAM-11, NDK-MAP-11). The device has no key for all memory, so that OpenND puts one in place of the
// token as a request is posted. A run of neighbouring pages is registered when the first request of an open names it, and as long as
// its mapping lives.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "model/sge.h"
#include "transport/adapter.h"

namespace opennd::verbs {

// The token of memory that requests name by address. No device makes such a key: its index would be the last but one of
// all that 24 bits name.
inline constexpr Token kByAddress{0xFFFFFFFE};

// Neighbouring pages of one mapping, with a registration for each open that has named them.
class NamedRun final : public RefCounted {
public:
    NamedRun(std::uint64_t start, std::uint64_t bytes) : start_(start), bytes_(bytes) {}

    std::uint64_t start() const { return start_; }
    std::uint64_t bytes() const { return bytes_; }
    bool covers(std::uint64_t address, std::uint64_t bytes) const {
        return address >= start_ && bytes <= bytes_ && address - start_ <= bytes_ - bytes;
    }

    // Returns the open's own local token for the run. Statuses of register_memory; canceled: the mapping has ended.
    Result<Token> token_for(TransportAdapter& adapter) EXCLUDES(mutex_);
    // Ends the mapping: no token lives, and the memory is the program's.
    void end() EXCLUDES(mutex_);

private:
    struct Registration {
        TransportAdapter* adapter;  // kept by the region
        Ref<TransportMemory> region;
    };
    const std::uint64_t start_, bytes_;
    Mutex mutex_;  // held across the registration
    std::vector<Registration> registrations_ GUARDED_BY(mutex_);
    bool ended_ GUARDED_BY(mutex_) = false;
};

// All runs of a device. Thread-safe.
class NamedPages {
public:
    // Lets requests name these pages until the reference goes, which must not outlive this object. Throws
    // std::bad_alloc.
    Ref<RefCounted> name(std::span<const std::uint64_t> pages) EXCLUDES(mutex_);
    // Puts the open's tokens in place of kByAddress. An entry outside of all mappings keeps it, and the device refuses that.
    Status translate(TransportAdapter& adapter, std::span<Sge> entries) EXCLUDES(mutex_);

private:
    class Mapping;

    Ref<NamedRun> find(std::uint64_t address, std::uint64_t bytes) const EXCLUDES(mutex_);
    void add(const Ref<NamedRun>& run) EXCLUDES(mutex_);
    void remove(const NamedRun& run) EXCLUDES(mutex_);

    mutable Mutex mutex_;  // nothing is called under it
    // The runs by their start. Mappings may overlap: a search goes back as far as the longest run reaches.
    std::multimap<std::uint64_t, Ref<NamedRun>> runs_ GUARDED_BY(mutex_);
    std::uint64_t longest_ GUARDED_BY(mutex_) = 0;
};

}  // namespace opennd::verbs
