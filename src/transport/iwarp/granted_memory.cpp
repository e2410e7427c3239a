// SPDX-License-Identifier: MIT
// GrantedMemory: see granted_memory.h.
#include "transport/iwarp/granted_memory.h"

#include <bit>

namespace opennd::iwarp {
namespace {

constexpr std::uint32_t exchange_octets(std::uint32_t number) {
    if constexpr (std::endian::native == std::endian::big) return number;
    return __builtin_bswap32(number);
}

}  // namespace

Stag to_stag(Token token) { return static_cast<Stag>(exchange_octets(value(token))); }
Token to_token(Stag stag) { return static_cast<Token>(exchange_octets(value(stag))); }

TaggedBuffer GrantedMemory::buffer_of(Stag stag) const {
    soft::MemoryGrant grant;
    if (!tokens_.find_remote(to_token(stag), grant)) return {};
    TaggedBuffer buffer;
    buffer.standing = grant.open_to(scope_) ? TaggedBuffer::Standing::ours : TaggedBuffer::Standing::foreign;
    buffer.base = grant.address;
    buffer.length = grant.length;
    if (grant.length == 0) [[unlikely]]
        return paged_buffer_of(stag, grant, buffer);
    buffer.remote_read = any_of(grant.access, Access::remote_read);
    buffer.remote_write = any_of(grant.access, Access::remote_write);
    buffer.remote_invalidate = grant.scope != 0;  // a window
    return buffer;
}

// Memory that is reached through pages has its base, length and rights there.
TaggedBuffer GrantedMemory::paged_buffer_of(Stag stag, const soft::MemoryGrant& grant, TaggedBuffer buffer) const {
    const soft::PageUse use = tokens_.use_remote(to_token(stag));
    if (!use) return {};
    buffer.base = use->base();
    buffer.length = use->length();
    buffer.remote_read = any_of(use->access(), Access::remote_read);
    buffer.remote_write = any_of(use->access(), Access::remote_write);
    buffer.remote_invalidate = grant.scope != 0 || use->fast();
    return buffer;
}

bool GrantedMemory::find_places(Stag stag, std::uint64_t from, std::uint32_t bytes, Access wanted,
                                std::span<const Sge>& places, soft::ResolvedMemory& memory) const {
    soft::MemoryGrant grant;
    if (!tokens_.find_remote(to_token(stag), grant)) return false;
    if (grant.length == 0) return memory.resolve_remote(tokens_, to_token(stag), from, bytes, wanted, places);
    places = memory.plain(from, bytes);
    return true;
}

bool GrantedMemory::has(Stag stag) const {
    soft::MemoryGrant grant;
    return tokens_.find_remote(to_token(stag), grant);
}

}  // namespace opennd::iwarp
