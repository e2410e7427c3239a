// SPDX-License-Identifier: MIT
// A request as the checking layer knows it between its post and its result, and the rules that a result can show broken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ref.h"
#include "base/status.h"
#include "check/diagnostics.h"
#include "model/face.h"
#include "model/work_request.h"
#include "transport/watch/misuse/filled_memory.h"
#include "transport/watch/misuse/result_room.h"

namespace opennd::watch {

// The parts of the checking layer that all objects of the process share. Live as long as the library.
struct CheckedParts {
    explicit CheckedParts(Diagnostics& told) : diagnostics(told) {}

    Diagnostics& diagnostics;
    FilledMemory filled;
};

// Not thread-safe: the poster has it, then the book of its request (request_book.h), then the thread that takes the result.
class CheckedRequest {
public:
    // `memory`: the entries of this process that may be looked at. `site`: the place of the post.
    CheckedRequest(const WorkRequest& request, std::vector<Sge> memory, const CallStack& site)
        : operation_(request.operation),
          context_(request.context),
          bytes_(total_length(request.sges)),
          memory_(std::move(memory)),
          site_(site) {}
    CheckedRequest(const CheckedRequest&) = delete;
    CheckedRequest& operator=(const CheckedRequest&) = delete;
    ~CheckedRequest() { let_go(); }

    // The request only reads its memory, which is not to change before the result.
    void keep_unchanged();
    // The request fills its memory until let_go(). Once. Throws std::bad_alloc.
    void fill(FilledMemory& filled);
    // The result comes to `room`, and counts there until let_go(). Once. Answers the number of results that may come there then.
    std::uint32_t expect_result(Ref<ResultRoom> room);
    // The result has been taken, or its queue has closed.
    void let_go() noexcept;

    // The number of the request among those of its operation in its queue, from 1.
    void set_ordinal(std::uint64_t ordinal) { ordinal_ = ordinal; }

    // Tells the rules that its result shows broken. `object`: "queue pair 3". `behind`: so many requests are outstanding, and this one is the
    // first that failed; nothing: it is not.
    void tell_result(Diagnostics& diagnostics, std::string_view object, Status status, Face face,
                     std::optional<std::size_t> behind) const;

private:
    const Operation operation_;
    void* const context_;  // the program's
    const std::uint64_t bytes_;
    const std::vector<Sge> memory_;
    const CallStack site_;
    std::optional<std::size_t> hash_;  // of the memory at the post; nothing: it may change
    std::uint64_t ordinal_ = 0;
    FilledMemory* filled_ = nullptr;  // which has `memory_`; null: it has not
    std::uint64_t filling_ = 0;       // its number there
    Ref<ResultRoom> room_;            // which counts the result; null: nobody does
};

}  // namespace opennd::watch
