// SPDX-License-Identifier: MIT
// ResolvedMemory: see resolved_memory.h.
#include "transport/soft/memory/resolved_memory.h"

#include <new>

#include "transport/soft/memory/memory_check.h"

namespace opennd::soft {
namespace {

bool grants(const PagedMemory& memory, std::uint64_t from, std::uint64_t bytes, Access wanted) {
    return memory.covers(from, bytes) && (wanted == Access::none || any_of(memory.access(), wanted));
}

std::byte* pointer(std::uint64_t address) { return reinterpret_cast<std::byte*>(address); }

}  // namespace

void ResolvedMemory::add(const PagedMemory& memory, std::uint64_t from, std::uint64_t bytes) {
    while (bytes > 0) {
        const PagedMemory::Stretch next = memory.stretch(from, bytes);
        places_.push_back({pointer(next.address), static_cast<std::uint32_t>(next.bytes), Token::none});
        from += next.bytes;
        bytes -= next.bytes;
    }
}

Status ResolvedMemory::resolve(const TokenTable& tokens, std::span<const Sge>& sges, Access wanted) {
    uses_.clear();
    places_.clear();
    try {
        for (const Sge& sge : sges) {
            if (sge.length == 0) continue;
            const auto from = reinterpret_cast<std::uint64_t>(sge.buffer);
            if (is_granted(tokens, sge, wanted)) {
                places_.push_back({sge.buffer, sge.length, Token::none});
                continue;
            }
            PageUse use = tokens.use_local(sge.token);
            if (!use) return refuse_local(tokens, sge, wanted);
            if (!grants(*use, from, sge.length, wanted)) return refuse_paged(*use, sge, wanted);
            add(*use, from, sge.length);
            uses_.push_back(std::move(use));
        }
    } catch (const std::bad_alloc&) {
        drop();
        return Status::no_memory;
    }
    sges = places_;
    return Status::success;
}

bool ResolvedMemory::resolve_remote(const TokenTable& tokens, Token token, std::uint64_t from, std::uint32_t bytes,
                                    Access wanted, std::span<const Sge>& places) {
    uses_.clear();
    places_.clear();
    PageUse use = tokens.use_remote(token);
    if (!use || !grants(*use, from, bytes, wanted)) return false;
    try {
        add(*use, from, bytes);
        uses_.push_back(std::move(use));
    } catch (const std::bad_alloc&) {
        return false;
    }
    places = places_;
    return true;
}

std::span<const Sge> ResolvedMemory::plain(std::uint64_t address, std::uint32_t bytes) {
    plain_ = {pointer(address), bytes, Token::none};
    return {&plain_, 1};
}

}  // namespace opennd::soft
