// SPDX-License-Identifier: MIT
// A fast region for requests of this side. The verbs have no request that registers memory, so that OpenND puts addresses and keys in
// place of its token as a request is posted (open_device.h). A FastRegister and an Invalidate travel through the hardware as a
// Write of nothing, which gives them their place among the requests.
//
// What a region names has two times: requests that are posted now see all changes that were posted before, and valid() sees those that
// have executed. If a change fails, its queue pair fails, and with it all changes behind.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "model/access.h"
#include "model/page_list.h"
#include "model/sge.h"
#include "model/work_request.h"
#include "transport/fast_region.h"
#include "transport/memory.h"
#include "transport/verbs/memory/memory_request.h"

namespace opennd::verbs {

class FastRegionMap;
class VerbsFastRegion;

// The memory that one fast registration names: bytes of pages, by numbers that are no addresses (model/page_list.h). Neighbouring pages
// are one run.
class FastMemory final : public RefCounted {
public:
    // Throws std::bad_alloc.
    FastMemory(const PageList& pages, Access access);

    // Returns true if `entry` lies inside, and may be written if `writes`.
    bool grants(const Sge& entry, bool writes) const;
    // Calls `take` with the bytes of `entry`, which lies inside, by their addresses: once for each run, in order. It may say false,
    // which ends the walk.
    template <typename Take>
    void walk(const Sge& entry, Take&& take) const;

private:
    struct Run {
        std::uint64_t first;    // the number of its first byte, counted from base_
        std::uint64_t address;  // of that byte
    };
    std::size_t run_of(std::uint64_t first) const;

    const std::uint64_t base_, bytes_;
    const bool writable_;
    std::vector<Run> runs_;  // in order, one or more
};

template <typename Take>
void FastMemory::walk(const Sge& entry, Take&& take) const {
    std::uint64_t first = reinterpret_cast<std::uint64_t>(entry.buffer) - base_;
    const std::uint64_t end = first + entry.length;
    for (std::size_t run = run_of(first); first != end; ++run) {
        const std::uint64_t run_end = run + 1 < runs_.size() ? runs_[run + 1].first : bytes_;
        const std::uint64_t bytes = std::min(run_end, end) - first;
        auto* const address = reinterpret_cast<std::byte*>(runs_[run].address + (first - runs_[run].first));
        if (!take(address, static_cast<std::uint32_t>(bytes))) return;
        first += bytes;
    }
}

// The subject of a FastRegister or of an Invalidate.
class FastChange {
public:
    virtual VerbsFastRegion& region() = 0;
    // The memory that the region names after the change; null: none.
    virtual Ref<const FastMemory> memory() const = 0;

protected:
    ~FastChange() = default;
};

class VerbsFastRegion final : public TransportFastRegion, public FastChange, public SettledSubject {
public:
    // `open` keeps `regions`, of which it is one; `all` is the open's token for memory by address.
    VerbsFastRegion(Ref<RefCounted> open, FastRegionMap& regions, Token token, Ref<TransportMemory> all);
    ~VerbsFastRegion() override;

    Token local_token() const override { return token_; }
    Token remote_token() const override;
    bool valid() const override EXCLUDES(mutex_);
    Ref<TransportRequestSubject> prepare(const PageList& pages, Access access, Reach reach) override;
    // Requests that were posted before go on with the addresses and keys that they got; without on-demand paging those live as long
    // as the mapping.
    void close() override EXCLUDES(mutex_);

    VerbsFastRegion& region() override { return *this; }
    Ref<const FastMemory> memory() const override { return nullptr; }
    void completed(Operation, bool succeeded, AfterLock&) override { completed(*this, succeeded); }

    Token token_of_all() const { return all_->local_token(); }
    // The memory that a request names that is posted now; null: the region is free.
    Ref<const FastMemory> named() const EXCLUDES(mutex_);

    // Notes a change that is about to be posted. Returns false if it fails when its turn comes, because the region is
    // registered, or free, or closed. `before` gets the memory that the region named.
    [[nodiscard]] bool begin(const FastChange& change, Ref<const FastMemory>& before) EXCLUDES(mutex_);
    // Takes back a change that was not posted after all.
    void take_back(Ref<const FastMemory> before) EXCLUDES(mutex_);
    // Notes that a change has completed. Any lock may be held.
    void completed(const FastChange& change, bool succeeded) EXCLUDES(mutex_);

private:
    const Ref<RefCounted> open_;
    FastRegionMap& regions_;
    const Token token_;
    const Ref<TransportMemory> all_;

    mutable Mutex mutex_;                                // nothing is called under it
    Ref<const FastMemory> named_ GUARDED_BY(mutex_);     // after all changes that were posted
    Ref<const FastMemory> executed_ GUARDED_BY(mutex_);  // after those that have completed
    int outstanding_ GUARDED_BY(mutex_) = 0;             // changes between the two
    bool closed_ GUARDED_BY(mutex_) = false;
};

// Returns the change that a request with this subject is; null if it has another subject, or none.
inline FastChange* change_of(Operation operation, TransportRequestSubject* subject) {
    if (operation != Operation::fast_register && operation != Operation::invalidate) return nullptr;
    return dynamic_cast<FastChange*>(subject);
}

// The subject of a FastRegister: the memory that it registers.
class VerbsFastRegistration final : public TransportRequestSubject, public FastChange, public SettledSubject {
public:
    VerbsFastRegistration(Ref<VerbsFastRegion> region, Ref<const FastMemory> memory)
        : region_(std::move(region)), memory_(std::move(memory)) {}

    VerbsFastRegion& region() override { return *region_; }
    Ref<const FastMemory> memory() const override { return memory_; }
    void completed(Operation, bool succeeded, AfterLock&) override { region_->completed(*this, succeeded); }

private:
    const Ref<VerbsFastRegion> region_;
    const Ref<const FastMemory> memory_;
};

// The fast regions of one open by their local tokens, which OpenND makes up. Thread-safe.
class FastRegionMap {
public:
    // The tokens that OpenND makes up. The index of a key, its upper 24 bits, counts from the first on most devices;
    // siw begins anywhere, with 0 in the lower 8 bits. So no device has a key from here on whose lower bits are not 0.
    // The last two numbers have other uses (../device/named_pages.h).
    static constexpr std::uint32_t kFirst = 0xFFFF0001;
    static constexpr std::uint32_t kLast = 0xFFFFFFFD;

    // Makes a region with a token that no other has now. `open` has this map. `all`: see VerbsFastRegion.
    // insufficient_resources, explained: all tokens are in use; `all` is deregistered then.
    Result<Ref<VerbsFastRegion>> create(Ref<RefCounted> open, Ref<TransportMemory> all) EXCLUDES(mutex_);
    // Removes a region that closes.
    void remove(const VerbsFastRegion& region) EXCLUDES(mutex_);

    // Returns the region with this token, or null.
    Ref<VerbsFastRegion> find(Token token) const { return value(token) < kFirst ? nullptr : find_made_up(token); }

private:
    Ref<VerbsFastRegion> find_made_up(Token token) const EXCLUDES(mutex_);
    bool take_token() REQUIRES(mutex_);

    mutable Mutex mutex_;  // nothing is called under it
    std::unordered_map<std::uint32_t, Ref<VerbsFastRegion>> regions_ GUARDED_BY(mutex_);
    std::uint32_t newest_ GUARDED_BY(mutex_) = kLast;  // tokens are used again as late as possible
};

}  // namespace opennd::verbs
