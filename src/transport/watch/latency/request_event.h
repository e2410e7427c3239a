// SPDX-License-Identifier: MIT
// Posts and results of one queue, the newest of them, for `nd dump`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/status.h"
#include "model/work_request.h"
#include "platform/process/clock.h"

namespace opennd::watch {

struct RequestEvent {
    enum class What : std::uint8_t { posted, refused, result };

    SteadyTime at{};
    What what = What::posted;
    Operation operation = Operation::send;
    Status status = Status::success;  // of a result or a refusal
    int thread = 0;                   // the system's number
    std::uint64_t bytes = 0;          // that were posted; of a result that moved some: those
    const void* context = nullptr;    // the program's
    std::chrono::nanoseconds took{};  // of a result: since its post
};

// Not thread-safe.
class EventRing {
public:
    // Keeps the newest `most`; 0: none. Throws std::bad_alloc.
    explicit EventRing(std::size_t most) : events_(most) {}

    bool keeps_any() const { return !events_.empty(); }
    // The caller has found that the ring keeps some.
    void add(const RequestEvent& event) { events_[added_++ % events_.size()] = event; }
    // The number of all events so far.
    std::uint64_t added() const { return added_; }
    // Answers the oldest first. Throws std::bad_alloc.
    std::vector<RequestEvent> all() const {
        std::vector<RequestEvent> kept;
        const std::uint64_t first = added_ > events_.size() ? added_ - events_.size() : 0;
        for (std::uint64_t number = first; number < added_; ++number) kept.push_back(events_[number % events_.size()]);
        return kept;
    }

private:
    std::vector<RequestEvent> events_;
    std::uint64_t added_ = 0;
};

}  // namespace opennd::watch
