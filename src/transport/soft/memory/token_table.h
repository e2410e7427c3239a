// SPDX-License-Identifier: MIT
// The memory and the rights of each token: the one place where access is checked.
//
// The table lies in shared memory that peers on this host map read-only, so that an initiator checks its target's
// tokens itself (docs/architecture.md). Lookups take no lock. A local token is an index with a generation, masked so
// that one of another adapter is not taken for it. A remote token is a keyed permutation of the same number
// (token_permutation.h): a peer on another host that guesses learns nothing from the tokens it was given, and every
// wrong guess costs it a connection. The key is in no shared memory; a directory (token_directory.h) has the slot of
// each remote token.
//
// Memory that is reached through pages has a slot with length 0, so that a reader that takes an address out of it finds
// nothing; paged_length has its length, and the pages lie beside the table, in this process alone.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/lock.h"
#include "base/result.h"
#include "model/access.h"
#include "model/token.h"
#include "platform/memory/lazy_array.h"
#include "platform/memory/shared_memory.h"
#include "transport/soft/memory/paged_memory.h"
#include "transport/soft/memory/token_directory.h"
#include "transport/soft/memory/token_permutation.h"

namespace opennd::soft {

// Where memory lies that peers can map; segment 0: it cannot be mapped (platform/memory/mappable_memory.h).
struct SharedLocation {
    std::uint32_t segment = 0;
    std::uint64_t offset = 0;
};

// One registration as a reader copied it out.
struct MemoryGrant {
    std::uint64_t address = 0;  // virtual address at the owner
    std::uint64_t length = 0;   // bytes
    Access access = Access::none;
    SharedLocation location;
    Token remote_token = Token::none;
    std::uint32_t scope = 0;  // see TokenSlot

    // Returns true if the peer of the queue pair `user` may use it.
    bool open_to(std::uint32_t user) const { return scope == 0 || scope == user; }
    // Returns true if the range lies inside. Written so that nothing can wrap.
    bool covers(std::uint64_t from, std::uint64_t bytes) const {
        return from >= address && bytes <= length && from - address <= length - bytes;
    }
};

// One slot of the shared table. The owner writes; every process reads. All fields but the tokens are relaxed: a reader
// reads them behind the token (acquire), which is stored behind them (release). The owner changes them only while no reader can be
// behind a token that lived: TokenTable::remove, then a grace period that the adapter arranges.
struct alignas(64) TokenSlot {
    std::atomic<std::uint32_t> remote_token{0};  // 0: dead. Stored last (release) when the slot comes alive
    std::atomic<std::uint32_t> local_token{0};   // likewise 0: dead, and stored last
    std::atomic<std::uint32_t> access{0};
    std::atomic<std::uint32_t> segment{0};
    std::atomic<std::uint64_t> address{0};
    std::atomic<std::uint64_t> length{0};
    std::atomic<std::uint64_t> offset{0};
    // The queue pair (SoftQueuePair::scope) of the one peer that may use the remote token: a window (ND2-MW-03). 0:
    // each peer may.
    std::atomic<std::uint32_t> scope{0};
    // The bytes from `address` on, an index, that are reached through pages: by frames alone. `length` is 0 then.
    std::atomic<std::uint64_t> paged_length{0};

    [[gnu::always_inline]] MemoryGrant grant() const {
        MemoryGrant grant;
        grant.address = address.load(std::memory_order_relaxed);
        grant.length = length.load(std::memory_order_relaxed);
        grant.access = static_cast<Access>(access.load(std::memory_order_relaxed));
        grant.location.segment = segment.load(std::memory_order_relaxed);
        grant.location.offset = offset.load(std::memory_order_relaxed);
        grant.remote_token = static_cast<Token>(remote_token.load(std::memory_order_relaxed));
        grant.scope = scope.load(std::memory_order_relaxed);
        return grant;
    }
};
static_assert(sizeof(TokenSlot) == 64, "one cache line a slot");

// The start of the shared table, before the first level of the directory.
struct TokenTableHeader {
    std::uint64_t magic;
    std::uint64_t cookie;  // random; a peer reads it through process memory to prove that this works
    // The size in entries of the level of the directory that readers use. Stored (release) when the level holds every
    // token; the owner's lock guards changes.
    std::atomic<std::uint32_t> level;
};
static_assert(sizeof(TokenTableHeader) <= TokenDirectory::kSmallestLevel * sizeof(TokenDirectory::Entry));

// Holds the pages behind a live token as they are, while it lives.
class PageUse;

class TokenTable {
public:
    static constexpr std::uint32_t kIndexBits = 18;
    static constexpr std::uint32_t kSlots = 1u << kIndexBits;
    // The header and the directory, which begin at the same address, stand before the slots.
    static constexpr std::size_t kSlotsOffset = TokenDirectory::kBytes;
    static constexpr std::size_t kBytes = kSlotsOffset + std::size_t{kSlots} * sizeof(TokenSlot);  // committed on use
    static constexpr std::uint64_t kMagic = 0x4f70656e4e443035;                                    // "OpenND05"

    static Result<TokenTable> create();
    TokenTable(TokenTable&&) = default;
    ~TokenTable();

    // Sets the profile that keeps a Read from memory with local write alone, for explanations; empty: none does. Lives
    // as long as the table. Before any other thread has the table.
    void set_imposer_of_sinks(std::string_view imposer) { imposer_of_sinks_ = imposer; }
    std::string_view imposer_of_sinks() const { return imposer_of_sinks_; }

    struct Tokens {
        Token local;
        Token remote;
    };
    // Takes a slot; its tokens are dead yet. `remote`: the remote token, which a device has chosen; none: the table draws one. Any thread.
    // Explained: insufficient_resources: every slot is in use, or the table has no place for that token, or has it already.
    Result<Tokens> reserve(const MemoryGrant& grant, Token remote = Token::none);
    // Make the remote token, the local one, or both, come alive.
    void enable_remote(const Tokens& tokens);
    void enable_local(const Tokens& tokens);
    void enable(const Tokens& tokens);
    // Kills both tokens. The slot is not reused before release() was called for it. Any thread.
    void remove(Token local);
    // Releases the slot once the grace period is over: no reader uses it; waits for the users of its pages. Slots are
    // reused in the order of their release.
    void release(Token local);

    // Lets a reserved slot with dead tokens name `memory` when they come alive; its former memory is dropped.
    void set_pages(const Tokens& tokens, std::unique_ptr<const PagedMemory> memory);
    // Drops the pages of a slot whose tokens are dead; returns when no user of them is left. They are in use for no
    // longer than a copy; the caller may hold a queue pair's lock, but no PageUse.
    void drop_pages(Token local);
    // Begins a use of the token's pages; empty: the token is dead, or names no pages. Any thread.
    PageUse use_local(Token token) const;
    PageUse use_remote(Token token) const;

    // Finds the grant if the token is alive. Lock-free, any thread. Valid while the caller keeps the owner from ending
    // a grace period (a queue pair's lock here, the hazard word of a channel at a peer).
    [[gnu::always_inline]] bool find_local(Token token, MemoryGrant& grant) const {
        const TokenSlot& slot = slots_[index_of(token)];
        if (token == Token::none || slot.local_token.load(std::memory_order_acquire) != value(token)) return false;
        grant = slot.grant();
        return true;
    }
    bool find_remote(Token token, MemoryGrant& grant) const;
    // Returns true if the local token grants the range and one of the rights `wanted` (none: reading, always granted).
    // Otherwise as find_local.
    [[gnu::always_inline]] bool grants(Token token, std::uint64_t from, std::uint64_t bytes, Access wanted) const {
        const TokenSlot& slot = slots_[index_of(token)];
        if (token == Token::none || slot.local_token.load(std::memory_order_acquire) != value(token)) return false;
        MemoryGrant grant;
        grant.address = slot.address.load(std::memory_order_relaxed);
        grant.length = slot.length.load(std::memory_order_relaxed);
        const auto access = static_cast<Access>(slot.access.load(std::memory_order_relaxed));
        return grant.covers(from, bytes) && (wanted == Access::none || any_of(access, wanted));
    }

    // The number of the slot of a local token; for any other number that of some slot. Any thread.
    std::uint32_t index_of(Token local) const { return (value(local) ^ mask_) & (kSlots - 1); }

    const SharedMemory& memory() const { return memory_; }
    std::uint64_t cookie() const { return header_->cookie; }
    std::uint64_t cookie_address() const { return reinterpret_cast<std::uint64_t>(&header_->cookie); }

private:
    explicit TokenTable(SharedMemory memory);
    std::uint32_t index_of_remote(Token token) const;

    // The pages of one slot. A user counts itself first and reads the token then; a thread that ends them kills the
    // token first and reads the count then (all sequentially consistent), so that one of the two sees the other.
    struct PageSlot {
        std::atomic<std::uint32_t> users;
        // The memory, which is owned; null: none. Changes only while the tokens are dead and users is 0.
        std::atomic<const PagedMemory*> memory;
    };
    friend class PageUse;
    PageUse use(std::uint32_t index, const std::atomic<std::uint32_t>& live, Token token) const;

    // Constant after construction.
    SharedMemory memory_;
    std::uint32_t mask_;  // random
    TokenTableHeader* header_;
    TokenDirectory::Entry* directory_;
    TokenSlot* slots_;
    LazyArray<PageSlot> pages_;
    std::string_view imposer_of_sinks_;

    struct Given {
        std::uint32_t remote = 0;  // 0: the slot was released
        std::uint16_t generation = 0;
        bool chosen = false;  // by a device: no number of the permutation
    };
    struct Owner {
        explicit Owner(const TokenPermutation::Key& key) : permutation(key) {}

        const TokenPermutation permutation;
        Mutex mutex;
        // The free slots, oldest first, so that a number is not seen again soon (ND2-MR-TOK-03).
        std::vector<std::uint32_t> free GUARDED_BY(mutex);
        std::size_t next_free GUARDED_BY(mutex) = 0;
        std::uint32_t never_used GUARDED_BY(mutex) = 1;  // slot 0 stays dead: token 0 grants nothing
        std::vector<Given> given GUARDED_BY(mutex);      // by index, 0 to never_used
        bool has_chosen GUARDED_BY(mutex) = false;       // remote tokens that are no permutation's
    };
    // Doubles the level. Returns false if it is the largest.
    bool grow() REQUIRES(owner_->mutex);
    // Makes room in the directory for one more token in nearly every bucket.
    void make_room() REQUIRES(owner_->mutex);
    // Adds a remote token to the directory. Returns false if it is there already, or its buckets are full in the largest level.
    bool add_chosen(std::uint32_t remote, std::uint32_t index) REQUIRES(owner_->mutex);
    // Draws the remote token of a number and adds it to the directory. Returns false if the number gives none.
    bool add_drawn(std::uint32_t number, std::uint32_t& remote, std::uint32_t index) REQUIRES(owner_->mutex);
    std::unique_ptr<Owner> owner_;
};

class PageUse {
public:
    PageUse() = default;
    PageUse(PageUse&& other) noexcept
        : slot_(std::exchange(other.slot_, nullptr)), memory_(std::exchange(other.memory_, nullptr)) {}
    PageUse& operator=(PageUse other) noexcept {
        std::swap(slot_, other.slot_);
        std::swap(memory_, other.memory_);
        return *this;
    }
    ~PageUse() {
        if (slot_) slot_->users.fetch_sub(1);
    }

    explicit operator bool() const { return memory_ != nullptr; }
    const PagedMemory* operator->() const { return memory_; }
    const PagedMemory& operator*() const { return *memory_; }

private:
    friend class TokenTable;
    explicit PageUse(TokenTable::PageSlot& slot) : slot_(&slot) { slot_->users.fetch_add(1); }

    TokenTable::PageSlot* slot_ = nullptr;
    const PagedMemory* memory_ = nullptr;
};

// A peer's table, mapped read-only. The peer may write anything into it: good for deciding about the peer's memory,
// never about reads or writes of this process.
class PeerTokenTable {
public:
    PeerTokenTable() = default;
    // Maps a peer's table. access_violation: not a token table.
    static Result<PeerTokenTable> map(ForeignDescriptor descriptor);
    // Returns this process's own table, for a peer in the same process.
    static PeerTokenTable own(const TokenTable& table);
    // Returns another object of the same table, for a reader that this object outlives.
    PeerTokenTable view() const;

    std::uint64_t cookie() const { return header_->cookie; }

    // Returns the slot of a token that was reserved there; for any other number that one, or slot 0, which is dead. Its
    // content is to be checked against the token.
    const TokenSlot& slot(Token token) const;

private:
    void use_table(const std::byte* table);

    SharedMemory memory_;  // empty for own()
    const TokenTableHeader* header_ = nullptr;
    const TokenDirectory::Entry* directory_ = nullptr;
    const TokenSlot* slots_ = nullptr;
};

}  // namespace opennd::soft
