// SPDX-License-Identifier: MIT
// The device's local keys of the regions of a joint adapter, by the local tokens that its program has: those of the software RNIC, so that
// requests over shared memory need no translation. A request that goes to the device is translated here. Lookups take no lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <unordered_map>

#include "base/lock.h"
#include "model/token.h"
#include "platform/memory/lazy_array.h"
#include "transport/soft/memory/token_table.h"

namespace opennd::joint {

// Thread-safe.
class DeviceKeys {
public:
    // A key that no device has: a request that names it fails in its turn.
    static constexpr Token kNoKey{0xFFFFFFFF};

    // `tokens` outlives it: the table of the program's tokens. Throws std::bad_alloc.
    explicit DeviceKeys(const soft::TokenTable& tokens)
        : tokens_(tokens), keys_(lazily_committed<Entry>(soft::TokenTable::kSlots)) {}

    // A token has its key from set() to clear(); in between no other token has its place. Throws std::bad_alloc, without effect.
    void set(Token local, Token key) EXCLUDES(mutex_) {
        const Held lock(mutex_);
        tokens_by_key_[value(key)] = local;
        entry(local).store(std::uint64_t{value(local)} << 32 | value(key), std::memory_order_release);
    }
    void clear(Token local) EXCLUDES(mutex_) {
        const Held lock(mutex_);
        tokens_by_key_.erase(value(of(local)));
        entry(local).store(0, std::memory_order_release);
    }

    // Returns the key of a token; that of no token is none: entries without one are data that the post copies.
    Token of(Token local) const {
        const std::uint64_t found = entry(local).load(std::memory_order_acquire);
        if (found >> 32 == value(local) && local != Token::none) [[likely]]
            return static_cast<Token>(found & 0xFFFFFFFF);
        return local == Token::none ? local : kNoKey;
    }
    // Returns the program's token for a key, for a receive that comes back from the device's queue pair; none: its region is gone.
    Token token_of(Token key) const EXCLUDES(mutex_) {
        const Held lock(mutex_);
        const auto found = tokens_by_key_.find(value(key));
        return found == tokens_by_key_.end() ? Token::none : found->second;
    }

private:
    // A token above, its key below; 0: none. Release and acquire: a registration is whole where its key is seen.
    using Entry = std::atomic<std::uint64_t>;
    Entry& entry(Token local) const { return keys_[tokens_.index_of(local)]; }

    const soft::TokenTable& tokens_;
    const LazyArray<Entry> keys_;  // by the number of the token's slot
    mutable Mutex mutex_;          // nothing is called under it
    std::unordered_map<std::uint32_t, Token> tokens_by_key_ GUARDED_BY(mutex_);
};

}  // namespace opennd::joint
