// SPDX-License-Identifier: MIT
// The requests of one queue pair, or the receives of a shared receive queue, between post and result: when each was posted, and the
// newest events. A recorded request carries the address of its PostedRequest in place of the program's context.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <optional>
#include <string_view>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "model/completion.h"
#include "model/work_request.h"
#include "platform/process/clock.h"
#include "transport/recording/latencies.h"
#include "transport/recording/request_event.h"

namespace opennd::recording {

class RequestRecord;

// Constant between the post and the result, but for `accepted`, which the record guards.
struct PostedRequest {
    RequestRecord* record = nullptr;
    std::list<PostedRequest>::iterator own;  // in the record's lists, which move it and never copy it
    const void* context = nullptr;           // the program's
    SteadyTime at{};
    std::uint64_t bytes = 0;
    std::uint64_t number = 0;  // in the order of the record's posts, from 1
    std::uint64_t accepted =
        0;  // of a silent one: a number that is younger than its post; 0: its post has not returned
    Operation operation = Operation::send;
    bool silent = false;
};

// Any thread.
class RequestRecord final : public RefCounted {
public:
    // `kind`: static text. `context`: the program's, of a queue pair. `events`: the most that are kept. Throws std::bad_alloc.
    RequestRecord(std::string_view kind, void* context, std::size_t events)
        : kind_(kind), context_(context), events_(events) {}

    std::string_view kind() const { return kind_; }
    void* context() const { return context_; }
    void set_number(std::uint32_t number) { number_.store(number, std::memory_order_relaxed); }
    std::uint32_t number() const { return number_.load(std::memory_order_relaxed); }
    // Results count there from now on; null: nowhere. Relaxed: the counts stand alone.
    void set_latencies(WireLatencies* latencies) { latencies_.store(latencies, std::memory_order_relaxed); }

    // A request that is about to be posted, with the address of the answer as its context. Throws std::bad_alloc.
    PostedRequest& open(const WorkRequest& request) EXCLUDES(mutex_);
    // The post of `opened` has been accepted; its result may have been taken before. `number`: as it was when it was opened.
    void accept(const PostedRequest& opened, std::uint64_t number) EXCLUDES(mutex_);
    // It has been refused.
    void refuse(PostedRequest& opened, Status status) EXCLUDES(mutex_);

    // A thread takes the result of a request, at `at`. This is the record of its queue pair; the request may be of a shared receive queue's.
    // Puts the program's contexts back. Once for each result.
    void settle(Completion& completion, SteadyTime at) EXCLUDES(mutex_);

    // How long the outstanding request with this context, an address, has been so, and the program's context. Nothing: it has had its
    // result.
    struct Age {
        std::chrono::nanoseconds since_post;
        const void* context;
    };
    std::optional<Age> age_of(const void* posted) const EXCLUDES(mutex_);

    struct Events {
        std::uint64_t left_out = 0;  // older ones
        std::vector<RequestEvent> kept;
    };
    // Throws std::bad_alloc.
    Events events() const EXCLUDES(mutex_);

    // The queue has closed, and all its results are in completion queues: `when` is the number of this end (Recorder).
    void end(std::uint64_t when) { ended_.store(when, std::memory_order_release); }
    // 0: it has not ended.
    std::uint64_t ended() const { return ended_.load(std::memory_order_acquire); }

private:
    using Requests = std::list<PostedRequest>;

    // Of a request that its record has forgotten.
    struct Taken {
        const void* context;
        SteadyTime at;
        std::uint64_t bytes;
    };
    Taken take(PostedRequest& posted, Status status) EXCLUDES(mutex_);
    Requests& outstanding(Operation operation) REQUIRES(mutex_) {
        return operation == Operation::receive ? receives_ : initiator_requests_;
    }
    void forget(PostedRequest& posted) REQUIRES(mutex_);
    void forget_silent_before(const PostedRequest& completed) REQUIRES(mutex_);
    void note(const RequestEvent& event) EXCLUDES(mutex_);

    const std::string_view kind_;
    void* const context_;
    std::atomic<std::uint32_t> number_{0};
    std::atomic<WireLatencies*> latencies_{nullptr};
    std::atomic<std::uint64_t> ended_{0};

    mutable Mutex mutex_;  // nothing is called under it
    std::uint64_t newest_ GUARDED_BY(mutex_) = 0;
    Requests initiator_requests_ GUARDED_BY(mutex_), receives_ GUARDED_BY(mutex_);  // in the order of their posts
    Requests spare_ GUARDED_BY(mutex_);  // as many as were outstanding at once, so that a post asks for no memory
    EventRing events_ GUARDED_BY(mutex_);
};

}  // namespace opennd::recording
