// SPDX-License-Identifier: MIT
// The memory of this side that its peer may name by an STag: the adapter's token table, as one stream sees it.
#pragma once

#include <cstdint>
#include <span>

#include "model/access.h"
#include "model/sge.h"
#include "model/token.h"
#include "transport/iwarp/stream/stag_check.h"
#include "transport/soft/memory/resolved_memory.h"
#include "transport/soft/memory/token_table.h"

namespace opennd::iwarp {

// The number of a peer's memory as it stands in a frame: the token's octets unchanged (IW-ND-05).
Stag to_stag(Token token);
Token to_token(Stag stag);

// Constant. Any thread may ask, in the grace period of its queue pair (soft/memory/token_table.h).
class GrantedMemory {
public:
    // `scope`: SoftQueuePair::scope of the queue pair. The table belongs to the adapter, which outlives the stream.
    GrantedMemory(const soft::TokenTable& tokens, std::uint32_t scope) : tokens_(tokens), scope_(scope) {}

    // The checks of an STag ask for this.
    TaggedBuffer buffer_of(Stag stag) const;
    // The places of checked memory. False: it was withdrawn since the check.
    bool find_places(Stag stag, std::uint64_t from, std::uint32_t bytes, Access wanted, std::span<const Sge>& places,
                     soft::ResolvedMemory& memory) const;
    // The STag names some memory, of any scope.
    bool has(Stag stag) const;

private:
    TaggedBuffer paged_buffer_of(Stag stag, const soft::MemoryGrant& grant, TaggedBuffer buffer) const;

    const soft::TokenTable& tokens_;
    const std::uint32_t scope_;
};

}  // namespace opennd::iwarp
