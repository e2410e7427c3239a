// SPDX-License-Identifier: MIT
// Copies with the last byte visible last (ND2-ADP-LIM-04, ND2-QP-POST-14): programs poll it. memcpy promises no order, so
// the final aligned word, or the final byte, is stored by itself, after all bytes before it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "model/sge.h"
#include "platform/memory/long_copy.h"

namespace opennd::soft {

// memcpy without a call for lengths of a few registers.
[[gnu::always_inline]] inline void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (bytes > 32) return copy_any(to, from, bytes);
    // Two moves of the largest size that fits, which overlap.
    const auto move = [&]<typename T>(T) {
        T first, last;
        std::memcpy(&first, from, sizeof first);
        std::memcpy(&last, from + bytes - sizeof last, sizeof last);
        std::memcpy(to, &first, sizeof first);
        std::memcpy(to + bytes - sizeof last, &last, sizeof last);
    };
    struct Sixteen {
        std::uint64_t low, high;
    };
    if (bytes >= 16)
        move(Sixteen{});
    else if (bytes >= 8)
        move(std::uint64_t{});
    else if (bytes >= 4)
        move(std::uint32_t{});
    else
        for (std::size_t i = 0; i < bytes; ++i) to[i] = from[i];
}

[[gnu::always_inline]] inline void ordered_copy(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (bytes == 0) return;
    const auto end = reinterpret_cast<std::uintptr_t>(to) + bytes;
    const bool whole_word = end % sizeof(std::uint64_t) == 0 && bytes >= sizeof(std::uint64_t);
    const std::size_t tail = whole_word ? sizeof(std::uint64_t) : 1;
    if (bytes > tail) copy_bytes(to, from, bytes - tail);
    std::byte* const last = to + bytes - tail;
    if (whole_word) {
        std::uint64_t word;
        std::memcpy(&word, from + bytes - tail, sizeof word);
        std::atomic_ref(*reinterpret_cast<std::uint64_t*>(last)).store(word, std::memory_order_release);
    } else {
        std::atomic_ref(*reinterpret_cast<std::uint8_t*>(last))
            .store(static_cast<std::uint8_t>(from[bytes - 1]), std::memory_order_release);
    }
}

// A place in a list of entries, moved along by copies.
class SgeCursor {
public:
    explicit SgeCursor(std::span<const Sge> sges) : sges_(sges) {}

    // The next stretch of memory, at most `limit` bytes; empty at the end.
    std::span<std::byte> next(std::size_t limit) {
        while (index_ < sges_.size() && offset_ == sges_[index_].length) {
            ++index_;
            offset_ = 0;
        }
        if (index_ == sges_.size()) return {};
        const std::size_t bytes = std::min<std::size_t>(limit, sges_[index_].length - offset_);
        std::byte* const start = sges_[index_].buffer + offset_;
        offset_ += static_cast<std::uint32_t>(bytes);
        return {start, bytes};
    }

    void skip(std::uint64_t bytes) {
        while (bytes > 0) {
            const auto stretch = next(bytes);
            if (stretch.empty()) return;
            bytes -= stretch.size();
        }
    }

private:
    std::span<const Sge> sges_;
    std::size_t index_ = 0;
    std::uint32_t offset_ = 0;
};

// `bytes` from the list to one place, without order: the reader waits for a later store.
inline void gather(SgeCursor& from, std::byte* to, std::size_t bytes) {
    while (bytes > 0) {
        const auto part = from.next(bytes);
        if (part.empty()) return;
        copy_bytes(to, part.data(), part.size());
        to += part.size();
        bytes -= part.size();
    }
}

// A whole message: as gather(), quicker for the usual list of one entry.
[[gnu::always_inline]] inline void gather_all(std::span<const Sge> from, std::byte* to, std::size_t bytes) {
    if (from.size() == 1) [[likely]]
        return copy_bytes(to, from[0].buffer, bytes);
    SgeCursor cursor(from);
    gather(cursor, to, bytes);
}

// `bytes` from one place into the list; with the last byte last if they are the `final` ones.
inline void scatter(SgeCursor& to, const std::byte* from, std::size_t bytes, bool final) {
    while (bytes > 0) {
        const auto part = to.next(bytes);
        if (part.empty()) return;
        if (final && part.size() == bytes)
            ordered_copy(part.data(), from, part.size());
        else
            copy_bytes(part.data(), from, part.size());
        from += part.size();
        bytes -= part.size();
    }
}

// A whole message: as scatter(), quicker if the first entry has room for all of it.
[[gnu::always_inline]] inline void scatter_all(std::span<const Sge> to, const std::byte* from, std::size_t bytes) {
    if (!to.empty() && to[0].length >= bytes) [[likely]]
        return ordered_copy(to[0].buffer, from, bytes);
    SgeCursor cursor(to);
    scatter(cursor, from, bytes, true);
}

}  // namespace opennd::soft
