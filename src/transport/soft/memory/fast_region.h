// SPDX-License-Identifier: MIT
// A fast region of the software RNIC: a slot of the adapter's token table that is its own from creation to close, and names
// memory from a registration to its end. Peers reach that memory by frames alone, so that the end waits only for this
// process's uses of the pages.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "base/lock.h"
#include "transport/fast_region.h"
#include "transport/soft/memory/token_table.h"

namespace opennd::soft {

class FastRegions;

class SoftFastRegion final : public TransportFastRegion {
public:
    // `owner` keeps `table` and `regions`.
    SoftFastRegion(Ref<RefCounted> owner, TokenTable& table, FastRegions& regions, TokenTable::Tokens tokens);
    ~SoftFastRegion() override;

    Token local_token() const override { return tokens_.local; }
    Token remote_token() const override { return tokens_.remote; }
    bool valid() const override { return state_.load(std::memory_order_acquire) == State::valid; }
    Ref<TransportRequestSubject> prepare(const PageList& pages, Access access, Reach reach) override;
    void close() override;

    // Executes a FastRegister. Returns false if the region is valid, or closed.
    bool enable(std::unique_ptr<const PagedMemory> memory, Reach reach);

    // Begins the end of the registration. Returns true if its tokens are dead, and the caller calls finish_end().
    // Returns false if it is not valid, or if a peer may not end it.
    enum class By : std::uint8_t { program, peer };
    bool begin_end(By by);
    // Returns when no user of the memory is left; the region is free then. As TokenTable::drop_pages.
    void finish_end();

private:
    // Only the thread that made the state `changing` leads away from it.
    enum class State : std::uint8_t { free, changing, valid, closed };
    bool advance(State from, State to) {
        return state_.compare_exchange_strong(from, to, std::memory_order_acq_rel, std::memory_order_relaxed);
    }

    const Ref<RefCounted> owner_;
    TokenTable& table_;
    FastRegions& regions_;
    const TokenTable::Tokens tokens_;
    std::atomic<State> state_{State::free};
    std::atomic<bool> peers_may_end_{false};  // read and written while `changing`; relaxed: state_ orders it
};

// The subject of one FastRegister.
class SoftFastRegistration final : public TransportRequestSubject {
public:
    SoftFastRegistration(Ref<SoftFastRegion> region, std::unique_ptr<const PagedMemory> memory, Reach reach)
        : region_(std::move(region)), memory_(std::move(memory)), reach_(reach) {}

    // Executes the FastRegister. Once, by the initiator.
    bool enable() { return region_->enable(std::move(memory_), reach_); }

private:
    const Ref<SoftFastRegion> region_;
    std::unique_ptr<const PagedMemory> memory_;
    const Reach reach_;
};

// The fast regions of one adapter by token, for a peer's SendAndInvalidate, and for a Read that ends a registration.
// Thread-safe.
class FastRegions {
public:
    void add(Ref<SoftFastRegion> region) EXCLUDES(mutex_);
    void remove(const SoftFastRegion& region) EXCLUDES(mutex_);
    // Returns the open region with this token, or null.
    Ref<SoftFastRegion> of_local(Token token) const EXCLUDES(mutex_);
    Ref<SoftFastRegion> of_remote(Token token) const EXCLUDES(mutex_);

private:
    using Map = std::unordered_map<std::uint32_t, Ref<SoftFastRegion>>;
    static Ref<SoftFastRegion> find(const Map& map, Token token);

    mutable Mutex mutex_;  // nothing is called under it
    Map by_local_ GUARDED_BY(mutex_);
    Map by_remote_ GUARDED_BY(mutex_);
};

}  // namespace opennd::soft
