// SPDX-License-Identifier: MIT
// A fast region for requests of this side. The verbs have no request that registers memory, so that OpenND puts addresses and keys in
// place of its token as a request is posted (translated_entries.h). A FastRegister and an Invalidate travel through the hardware as a
// Write of nothing, which gives them their place among the requests.
//
// What a region names has two times: requests that are posted now see all changes that were posted before, and valid() sees those that
// have executed. If a change fails, its queue pair fails, and with it all changes behind.
#pragma once

#include <utility>

#include "base/lock.h"
#include "model/work_request.h"
#include "transport/fast_region.h"
#include "transport/memory.h"
#include "transport/verbs/fast_memory.h"
#include "transport/verbs/request_ring.h"

namespace opennd::verbs {

class FastRegionMap;
class VerbsFastRegion;

// The subject of a FastRegister or of an Invalidate.
class FastChange {
public:
    virtual VerbsFastRegion& region() = 0;
    // What the region names then; null: nothing.
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
    // For a request that is posted now. Null: the region is free.
    Ref<const FastMemory> named() const EXCLUDES(mutex_);

    // A change is about to be posted. False: it fails when its turn comes, because the region is registered, or free, or closed.
    // `before` is what the region named.
    [[nodiscard]] bool begin(const FastChange& change, Ref<const FastMemory>& before) EXCLUDES(mutex_);
    // It was not posted after all.
    void take_back(Ref<const FastMemory> before) EXCLUDES(mutex_);
    // It has completed. Any lock may be held.
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

// The change that a request with this subject is. Null: it has another subject, or none.
inline FastChange* change_of(Operation operation, TransportRequestSubject* subject) {
    if (operation != Operation::fast_register && operation != Operation::invalidate) return nullptr;
    return dynamic_cast<FastChange*>(subject);
}

// What FastRegister registers.
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

}  // namespace opennd::verbs
