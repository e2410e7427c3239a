// SPDX-License-Identifier: MIT
// Copies with the last byte visible last (ND2-ADP-LIM-04, ND2-QP-POST-14): programs poll it. A copy promises no order, so
// the final aligned word, or the final byte, is stored by itself, after all bytes before it. Each is false if the memory on either side
// is gone (guarded_copy.h); a part may have been copied then.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "model/sge.h"
#include "platform/memory/guarded_copy.h"

namespace opennd::soft {

[[nodiscard, gnu::always_inline]] inline bool ordered_copy(std::byte* to, const std::byte* from, std::size_t bytes) {
    if (bytes == 0) return true;
    const auto end = reinterpret_cast<std::uintptr_t>(to) + bytes;
    const bool whole_word = end % sizeof(std::uint64_t) == 0 && bytes >= sizeof(std::uint64_t);
    const std::size_t tail = whole_word ? sizeof(std::uint64_t) : 1;
    if (bytes > tail && !copy_guarded(to, from, bytes - tail)) [[unlikely]]
        return false;
    std::byte* const last = to + bytes - tail;
    return whole_word ? store_last_word(last, from + bytes - tail) : store_last_byte(last, from + bytes - tail);
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

// Copies `bytes` from the list to one place, without order: the reader waits for a later store.
[[nodiscard]] inline bool gather(SgeCursor& from, std::byte* to, std::size_t bytes) {
    while (bytes > 0) {
        const auto part = from.next(bytes);
        if (part.empty()) return true;
        if (!copy_guarded(to, part.data(), part.size())) [[unlikely]]
            return false;
        to += part.size();
        bytes -= part.size();
    }
    return true;
}

// Copies a whole message as gather() does, quicker for the usual list of one entry.
[[nodiscard, gnu::always_inline]] inline bool gather_all(std::span<const Sge> from, std::byte* to, std::size_t bytes) {
    if (from.size() == 1) [[likely]]
        return copy_guarded(to, from[0].buffer, bytes);
    SgeCursor cursor(from);
    return gather(cursor, to, bytes);
}

// Copies `bytes` from one place into the list; with the last byte last if they are the `final` ones.
[[nodiscard]] inline bool scatter(SgeCursor& to, const std::byte* from, std::size_t bytes, bool final) {
    while (bytes > 0) {
        const auto part = to.next(bytes);
        if (part.empty()) return true;
        const bool last = final && part.size() == bytes;
        if (!(last ? ordered_copy(part.data(), from, part.size()) : copy_guarded(part.data(), from, part.size())))
            [[unlikely]]
            return false;
        from += part.size();
        bytes -= part.size();
    }
    return true;
}

// Copies a whole message as scatter() does, quicker if the first entry has room for all of it.
[[nodiscard, gnu::always_inline]] inline bool scatter_all(std::span<const Sge> to, const std::byte* from,
                                                          std::size_t bytes) {
    if (!to.empty() && to[0].length >= bytes) [[likely]]
        return ordered_copy(to[0].buffer, from, bytes);
    SgeCursor cursor(to);
    return scatter(cursor, from, bytes, true);
}

}  // namespace opennd::soft
