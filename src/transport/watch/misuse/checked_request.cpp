// SPDX-License-Identifier: MIT
// See checked_request.h.
#include "transport/watch/misuse/checked_request.h"

#include <algorithm>
#include <array>
#include <functional>

#include "base/phrase.h"
#include "base/status_names.h"
#include "base/status_table.h"
#include "platform/memory/guarded_copy.h"

namespace opennd::watch {
namespace {

// A hash of the bytes of `memory`. Nothing: it is not mapped, or the system does not tell.
std::optional<std::size_t> hash_of(const std::vector<Sge>& memory) {
    std::size_t hash = memory.size();
    for (const Sge& sge : memory) {
        std::array<std::byte, 4096> part;
        for (std::size_t done = 0; done != sge.length;) {
            const std::size_t bytes = std::min(part.size(), sge.length - done);
            if (!copy_guarded(part.data(), sge.buffer + done, bytes)) return std::nullopt;
            const std::string_view text(reinterpret_cast<const char*>(part.data()), bytes);
            hash = hash * 31 + std::hash<std::string_view>()(text);
            done += bytes;
        }
    }
    return hash;
}

// The status of a result, as the program's headers spell it.
const char* result_name(Status status, Face face) {
    const StatusRow& row = row_of(status);
    if (face == Face::ndk) return ndk_status_name(row.ndk);
    return status_name(face == Face::nd1 ? row.nd1 : row.nd2);
}

}  // namespace

void CheckedRequest::keep_unchanged() {
    if (!memory_.empty()) hash_ = hash_of(memory_);
}

void CheckedRequest::fill(FilledMemory& filled) {
    filling_ = filled.add(operation_, memory_);
    filled_ = &filled;
}

std::uint32_t CheckedRequest::expect_result(Ref<ResultRoom> room) {
    room_ = std::move(room);
    return room_->expect();
}

void CheckedRequest::let_go() noexcept {
    if (filled_) std::exchange(filled_, nullptr)->remove(filling_, operation_, memory_);
    if (room_) std::exchange(room_, nullptr)->settle();
}

void CheckedRequest::tell_result(Diagnostics& diagnostics, std::string_view object, Status status, Face face,
                                 std::optional<std::size_t> behind) const {
    const CallSite site{"posted at", site_};
    if (const std::optional<std::size_t> now = hash_ ? hash_of(memory_) : std::nullopt; now != hash_) {
        if (now)
            diagnostics.tell({CheckRule::buffer_changed, object,
                              phrase("{} of {} bytes at {}, request context {}", name(operation_), bytes_,
                                     static_cast<const void*>(memory_.front().buffer), context_)},
                             site);
        else
            diagnostics.tell({CheckRule::memory_gone, object,
                              phrase("the memory of {} of {} bytes, request context {}, is not mapped at its result",
                                     name(operation_), bytes_, context_)},
                             site);
    }
    if (behind)
        diagnostics.tell({CheckRule::first_error, object,
                          phrase("{} number {} of {} bytes, request context {}, failed with {}; {} more are "
                                 "outstanding and will be canceled by it",
                                 name(operation_), ordinal_, bytes_, context_, result_name(status, face), *behind)},
                         site);
}

}  // namespace opennd::watch
