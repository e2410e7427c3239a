// SPDX-License-Identifier: MIT
// See request_book.h.
#include "check/transport/request_book.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <utility>

#include "base/status_names.h"
#include "base/status_table.h"
#include "platform/memory/guarded_copy.h"

namespace opennd {
namespace {

bool fills_memory(Operation operation) { return operation == Operation::receive || operation == Operation::read; }

// The status of a result, as the program's headers spell it.
const char* result_name(Status status, Face face) {
    const StatusRow& row = row_of(status);
    if (face == Face::ndk) return ndk_status_name(row.ndk);
    return status_name(face == Face::nd1 ? row.nd1 : row.nd2);
}

}  // namespace

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

RequestBook::~RequestBook() { end(); }

void RequestBook::set_number(std::uint32_t number) { label_number_.store(number, std::memory_order_relaxed); }

Phrase RequestBook::label() const { return phrase("{} {}", kind_, label_number_.load(std::memory_order_relaxed)); }

std::uint64_t RequestBook::open(PostedRequest request) {
    const std::uint64_t number = index_.next_number();
    if (fills_memory(request.operation)) filled_.add(number, request.operation, request.memory);
    const Held lock(mutex_);
    request.ordinal = ++posted_[request.operation];
    requests_.emplace(number, std::move(request));
    return number;
}

void RequestBook::accepted(std::uint64_t number) {
    const std::uint64_t now = index_.next_number();
    const Held lock(mutex_);
    const auto found = requests_.find(number);
    if (found != requests_.end()) found->second.in_queue_at = now;
}

void RequestBook::withdraw(std::uint64_t number) {
    Requests::node_type gone;
    {
        const Held lock(mutex_);
        gone = requests_.extract(number);
        if (!gone) return;
        --posted_[gone.mapped().operation];
    }
    forget_memory(number, gone.mapped());
}

void RequestBook::forget_memory(std::uint64_t number, const PostedRequest& request) {
    if (fills_memory(request.operation)) filled_.remove(number, request.operation, request.memory);
    if (request.counted) request.room->settle();
}

void RequestBook::settle(std::uint64_t number, Completion& completion) {
    Requests::node_type own;
    std::vector<Requests::node_type> silent;
    bool first_failure = false;
    std::size_t behind = 0;
    {
        const Held lock(mutex_);
        own = requests_.extract(number);
        if (!own) return;
        completion.request_context = own.mapped().context;
        // Requests of a queue complete in order. A silent one before one that failed has a result of its own if it failed, too.
        if (own.mapped().operation != Operation::receive && ok(completion.status))
            for (auto each = requests_.begin(); each != requests_.end() && each->first < number;) {
                const auto one = each++;
                const bool before = one->second.in_queue_at != 0 && one->second.in_queue_at < number;
                if (one->second.silent && before) silent.push_back(requests_.extract(one));
            }
        behind = requests_.size();
        first_failure =
            !ok(completion.status) && completion.status != Status::canceled && !std::exchange(failed_, true);
    }
    for (const Requests::node_type& each : silent) {
        (void)index_.take(each.key());
        forget_memory(each.key(), each.mapped());
    }
    const PostedRequest& request = own.mapped();
    forget_memory(number, request);
    check_unchanged(request);
    if (first_failure) tell_first_failure(request, completion.status, behind);
}

void RequestBook::check_unchanged(const PostedRequest& request) const {
    if (!request.hash) return;
    const std::optional<std::size_t> now = hash_of(request.memory);
    if (now == request.hash) return;
    if (now)
        diagnostics_.tell({CheckRule::buffer_changed, label(),
                           phrase("{} of {} bytes at {}, request context {}", name(request.operation), request.bytes,
                                  static_cast<const void*>(request.memory.front().buffer), request.context)},
                          {"posted at", request.at});
    else
        diagnostics_.tell({CheckRule::memory_gone, label(),
                           phrase("the memory of {} of {} bytes, request context {}, is not mapped at its result",
                                  name(request.operation), request.bytes, request.context)},
                          {"posted at", request.at});
}

void RequestBook::tell_first_failure(const PostedRequest& request, Status status, std::size_t behind) const {
    diagnostics_.tell({CheckRule::first_error, label(),
                       phrase("{} number {} of {} bytes, request context {}, failed with {}; {} more are outstanding "
                              "and will be canceled by it",
                              name(request.operation), request.ordinal, request.bytes, request.context,
                              result_name(status, face_), behind)},
                      {"posted at", request.at});
}

void RequestBook::end() {
    Requests all;
    {
        const Held lock(mutex_);
        ended_ = true;
        all = requests_;
        for (auto& [number, request] : requests_) {
            request.counted = false;
            if (fills_memory(request.operation)) request.memory.clear();
        }
    }
    for (const auto& [number, request] : all) forget_memory(number, request);
}

void RequestBook::forget(const ResultRoom& room) {
    std::vector<Requests::node_type> gone;
    {
        const Held lock(mutex_);
        for (auto each = requests_.begin(); each != requests_.end();) {
            const auto one = each++;
            if (one->second.room.get() == &room) gone.push_back(requests_.extract(one));
        }
    }
    for (const Requests::node_type& each : gone) {
        (void)index_.take(each.key());
        forget_memory(each.key(), each.mapped());
    }
}

bool RequestBook::over() const {
    const Held lock(mutex_);
    return ended_ && requests_.empty();
}

std::optional<const void*> RequestBook::context_of(std::uint64_t number) const {
    const Held lock(mutex_);
    const auto found = requests_.find(number);
    if (found == requests_.end()) return std::nullopt;
    return found->second.context;
}

bool RequestBook::first_receive() const {
    const Held lock(mutex_);
    const auto found = posted_.find(Operation::receive);
    return found == posted_.end() || found->second == 0;
}

}  // namespace opennd
