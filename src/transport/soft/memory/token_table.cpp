// SPDX-License-Identifier: MIT
// Token table: see token_table.h.
#include "transport/soft/memory/token_table.h"

#include <new>
#include <span>
#include <thread>

#include "base/explanation.h"
#include "platform/host/random.h"

namespace opennd::soft {
namespace {

TokenPermutation::Key random_key() {
    TokenPermutation::Key key;
    fill_random(std::as_writable_bytes(std::span(key)));
    return key;
}

}  // namespace

Result<TokenTable> TokenTable::create() {
    auto memory = SharedMemory::create("opennd-tokens", kBytes, SharedMemory::Peers::read_only);
    if (!memory.ok()) return memory.status();
    return TokenTable(memory.take());
}

TokenTable::TokenTable(SharedMemory memory)
    : memory_(std::move(memory)),
      mask_(static_cast<std::uint32_t>(random_u64())),
      header_(new (memory_.data()) TokenTableHeader),
      directory_(reinterpret_cast<TokenDirectory::Entry*>(memory_.data())),
      slots_(reinterpret_cast<TokenSlot*>(memory_.data() + kSlotsOffset)),  // zero pages are dead slots
      pages_(lazily_committed<PageSlot>(kSlots)),
      owner_(std::make_unique<Owner>(random_key())) {
    header_->magic = kMagic;
    header_->cookie = random_u64();
    header_->level.store(TokenDirectory::kSmallestLevel, std::memory_order_release);
}

TokenTable::~TokenTable() {
    if (!owner_) return;  // moved from
    const Held lock(owner_->mutex);
    for (std::uint32_t index = 1; index < owner_->never_used; ++index)
        delete pages_[index].memory.load(std::memory_order_relaxed);
}

Result<TokenTable::Tokens> TokenTable::reserve(const MemoryGrant& grant, Token chosen) {
    const Held lock(owner_->mutex);
    const std::size_t most_free = owner_->never_used + owner_->next_free;  // release() needs no memory
    if (owner_->free.capacity() < most_free) owner_->free.reserve(2 * most_free);
    std::uint32_t index = 0;
    // Fresh slots are taken first while few are free; then the one that has rested longest.
    if (owner_->next_free < owner_->free.size() && owner_->free.size() - owner_->next_free > 64) {
        index = owner_->free[owner_->next_free++];
        if (owner_->next_free > 4096) {
            owner_->free.erase(owner_->free.begin(),
                               owner_->free.begin() + static_cast<std::ptrdiff_t>(owner_->next_free));
            owner_->next_free = 0;
        }
    } else if (owner_->never_used < kSlots) {
        owner_->given.resize(owner_->never_used + 1);
        index = owner_->never_used++;
        make_room();
    } else if (owner_->next_free < owner_->free.size()) {
        index = owner_->free[owner_->next_free++];
    } else {
        return explain(Status::insufficient_resources, {.object = "memory region",
                                                        .operation = "Register",
                                                        .asked = "one more token",
                                                        .limit = phrase("{} for each adapter, all in use", kSlots - 1),
                                                        .remedy = "deregister regions",
                                                        .requirement = "ND2-MR-REG-01"});
    }
    Given& given = owner_->given[index];
    if (chosen != Token::none && !add_chosen(value(chosen), index)) {
        owner_->free.push_back(index);
        return explain(Status::insufficient_resources,
                       {.object = "memory region",
                        .operation = "Register",
                        .asked = phrase("the token {:#x}, a device's key, for this memory", value(chosen)),
                        .limit = phrase("one memory for each token, and some {} tokens in all", kSlots / 2),
                        .remedy = "register again, or deregister regions",
                        .requirement = "ND2-MR-TOK-03"});
    }
    given.remote = value(chosen);
    given.chosen = chosen != Token::none;
    std::uint32_t number = 0;
    do {  // one number of the 2^32 becomes 0, which is no token
        number = (std::uint32_t{++given.generation} << kIndexBits) | index;
    } while (number == mask_ || (chosen == Token::none && !add_drawn(number, given.remote, index)));
    const std::uint32_t local = number ^ mask_;
    Tokens tokens{static_cast<Token>(local), static_cast<Token>(given.remote)};
    TokenSlot& slot = slots_[index];
    slot.address.store(grant.address, std::memory_order_relaxed);
    slot.length.store(grant.length, std::memory_order_relaxed);
    slot.access.store(static_cast<std::uint32_t>(grant.access), std::memory_order_relaxed);
    slot.segment.store(grant.location.segment, std::memory_order_relaxed);
    slot.offset.store(grant.location.offset, std::memory_order_relaxed);
    slot.scope.store(grant.scope, std::memory_order_relaxed);
    slot.paged_length.store(0, std::memory_order_relaxed);
    return tokens;
}

void TokenTable::enable_remote(const Tokens& tokens) {
    slots_[index_of(tokens.local)].remote_token.store(value(tokens.remote), std::memory_order_release);
}

void TokenTable::enable_local(const Tokens& tokens) {
    slots_[index_of(tokens.local)].local_token.store(value(tokens.local), std::memory_order_release);
}

void TokenTable::enable(const Tokens& tokens) {
    enable_local(tokens);
    enable_remote(tokens);
}

void TokenTable::remove(Token local) {
    TokenSlot& slot = slots_[index_of(local)];
    slot.local_token.store(0);  // sequentially consistent: see PageSlot
    slot.remote_token.store(0);
}

void TokenTable::release(Token local) {
    drop_pages(local);
    const std::uint32_t index = index_of(local);
    const Held lock(owner_->mutex);
    TokenDirectory::drop(directory_, header_->level.load(std::memory_order_relaxed),
                         std::exchange(owner_->given[index].remote, 0));
    owner_->free.push_back(index);
}

// A bucket of a level goes into two of the next, so that it finds room there.
bool TokenTable::grow() {
    const std::uint32_t level = header_->level.load(std::memory_order_relaxed);
    if (level == TokenDirectory::kLargestLevel) return false;
    for (std::uint32_t index = 1; index < owner_->never_used; ++index) {
        const Given& given = owner_->given[index];
        if (given.remote == 0) continue;
        (void)(given.chosen ? TokenDirectory::add_scattered(directory_, 2 * level, given.remote, index)
                            : TokenDirectory::add(directory_, 2 * level, given.remote, index));
    }
    header_->level.store(2 * level, std::memory_order_release);
    return true;
}

void TokenTable::make_room() {
    if (owner_->never_used > header_->level.load(std::memory_order_relaxed) / 4) (void)grow();
}

// Another token cannot be drawn where the buckets are full: the level grows.
bool TokenTable::add_chosen(std::uint32_t remote, std::uint32_t index) {
    owner_->has_chosen = true;
    if (TokenDirectory::find(directory_, header_->level.load(std::memory_order_relaxed), remote) != 0) return false;
    do {
        if (TokenDirectory::add_scattered(directory_, header_->level.load(std::memory_order_relaxed), remote, index))
            return true;
    } while (grow());
    return false;
}

// One number of the 2^32 becomes 0, and few find their bucket full.
bool TokenTable::add_drawn(std::uint32_t number, std::uint32_t& remote, std::uint32_t index) {
    remote = owner_->permutation(number);
    const std::uint32_t level = header_->level.load(std::memory_order_relaxed);
    if (remote == 0 || (owner_->has_chosen && TokenDirectory::find(directory_, level, remote) != 0)) return false;
    return TokenDirectory::add(directory_, level, remote, index);
}

void TokenTable::set_pages(const Tokens& tokens, std::unique_ptr<const PagedMemory> memory) {
    drop_pages(tokens.local);
    const std::uint32_t index = index_of(tokens.local);
    TokenSlot& slot = slots_[index];
    slot.address.store(memory->base(), std::memory_order_relaxed);
    slot.length.store(0, std::memory_order_relaxed);
    slot.paged_length.store(memory->length(), std::memory_order_relaxed);
    slot.access.store(static_cast<std::uint32_t>(memory->access()), std::memory_order_relaxed);
    slot.segment.store(0, std::memory_order_relaxed);
    pages_[index].memory.store(memory.release(), std::memory_order_release);
}

void TokenTable::drop_pages(Token local) {
    PageSlot& pages = pages_[index_of(local)];
    const PagedMemory* const memory = pages.memory.load(std::memory_order_relaxed);
    if (!memory) return;
    while (pages.users.load() != 0) std::this_thread::yield();
    pages.memory.store(nullptr, std::memory_order_relaxed);
    delete memory;
}

PageUse TokenTable::use(std::uint32_t index, const std::atomic<std::uint32_t>& live, Token token) const {
    PageSlot& pages = pages_[index];
    if (token == Token::none || pages.memory.load(std::memory_order_relaxed) == nullptr) return {};
    PageUse use(pages);
    if (live.load() == value(token)) use.memory_ = pages.memory.load(std::memory_order_acquire);
    return use;
}

PageUse TokenTable::use_local(Token token) const {
    const std::uint32_t index = index_of(token);
    return use(index, slots_[index].local_token, token);
}

PageUse TokenTable::use_remote(Token token) const {
    const std::uint32_t index = index_of_remote(token);
    return use(index, slots_[index].remote_token, token);
}

std::uint32_t TokenTable::index_of_remote(Token token) const {
    return TokenDirectory::find(directory_, header_->level.load(std::memory_order_acquire), value(token));
}

bool TokenTable::find_remote(Token token, MemoryGrant& grant) const {
    const TokenSlot& slot = slots_[index_of_remote(token)];
    if (token == Token::none || slot.remote_token.load(std::memory_order_acquire) != value(token)) return false;
    grant = slot.grant();
    return true;
}

Result<PeerTokenTable> PeerTokenTable::map(ForeignDescriptor descriptor) {
    auto memory = SharedMemory::map(std::move(descriptor), TokenTable::kBytes, SharedMemory::Access::read_only);
    if (!memory.ok()) return memory.status();
    PeerTokenTable table;
    table.memory_ = memory.take();
    table.memory_.close_descriptor();
    table.use_table(table.memory_.data());
    if (table.header_->magic != TokenTable::kMagic)
        return report(Status::access_violation, {.object = "connection",
                                                 .operation = "handshake",
                                                 .asked = "shared memory that is not laid out as a token table",
                                                 .limit = "a token table of this version of OpenND",
                                                 .remedy = "use the same version of OpenND in both programs",
                                                 .requirement = "ND2-CON-CONN-05",
                                                 .cause = LogCause::peer});
    return table;
}

PeerTokenTable PeerTokenTable::own(const TokenTable& table) {
    PeerTokenTable view;
    view.use_table(table.memory().data());
    return view;
}

PeerTokenTable PeerTokenTable::view() const {
    PeerTokenTable view;
    view.header_ = header_;
    view.directory_ = directory_;
    view.slots_ = slots_;
    return view;
}

void PeerTokenTable::use_table(const std::byte* table) {
    header_ = reinterpret_cast<const TokenTableHeader*>(table);
    directory_ = reinterpret_cast<const TokenDirectory::Entry*>(table);
    slots_ = reinterpret_cast<const TokenSlot*>(table + TokenTable::kSlotsOffset);
}

// The peer's level is no measure of the mapping here, which has the size of the whole table.
const TokenSlot& PeerTokenTable::slot(Token token) const {
    const std::uint32_t level = header_->level.load(std::memory_order_acquire);
    return slots_[TokenDirectory::find(directory_, level, value(token)) & (TokenTable::kSlots - 1)];
}

}  // namespace opennd::soft
