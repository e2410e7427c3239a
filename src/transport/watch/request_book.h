// SPDX-License-Identifier: MIT
// The book of the requests of one queue pair, or of the receives of a shared receive queue, between post and result. A watched request
// carries the address of its PostedRequest in place of the program's context, and its result the book of its queue pair. Two parts look
// at the book: latency (when each request was posted, and the newest events) and misuse (the requests as the checking layer knows them).
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/lock.h"
#include "base/phrase.h"
#include "base/ref.h"
#include "model/completion.h"
#include "model/face.h"
#include "model/work_request.h"
#include "platform/process/clock.h"
#include "transport/watch/latency/latencies.h"
#include "transport/watch/latency/request_event.h"
#include "transport/watch/misuse/checked_request.h"
#include "transport/watch/misuse/request_judge.h"

namespace opennd::watch {

class RequestBook;

// A place of the book, which later requests have again. Constant between the post and the result, but for `accepted` and `checked`,
// which the book guards.
struct PostedRequest {
    explicit PostedRequest(RequestBook& of) : book(of) {}

    RequestBook& book;
    std::list<PostedRequest>::iterator own;  // in the book's lists, which move it and never copy it; constant
    const void* context = nullptr;           // the program's
    SteadyTime at{};
    std::uint64_t bytes = 0;
    std::uint64_t number = 0;    // in the order of the book's posts, from 1
    std::uint64_t accepted = 0;  // if silent, a number that is younger than its post; 0: its post has not returned
    Operation operation = Operation::send;
    bool silent = false;
    std::unique_ptr<CheckedRequest> checked = nullptr;  // null: requests are not checked, or the place is spare
};

// Any thread.
class RequestBook final : public RefCounted {
public:
    // `kind`: static text. `context`: the program's, of a queue pair. `events`: the most that are kept. `diagnostics`: null if requests
    // are not checked; outlives the book. Throws std::bad_alloc.
    RequestBook(std::string_view kind, void* context, Face face, std::size_t events, Diagnostics* diagnostics)
        : kind_(kind), context_(context), face_(face), diagnostics_(diagnostics), events_(events) {}

    std::string_view kind() const { return kind_; }
    void set_number(std::uint32_t number) { number_.store(number, std::memory_order_relaxed); }
    std::uint32_t number() const { return number_.load(std::memory_order_relaxed); }
    // "queue pair 3".
    Phrase label() const { return phrase("{} {}", kind_, number()); }
    // Results count there from now on; null: nowhere. Relaxed: the counts stand alone.
    void set_latencies(WireLatencies* latencies) { latencies_.store(latencies, std::memory_order_relaxed); }

    // Takes a request that is about to be posted, with the address of the answer as its context. Throws std::bad_alloc.
    PostedRequest& open(const WorkRequest& request) EXCLUDES(mutex_);
    // Judges `opened`, made of `request`, before its post. `queue_pair`: null if it is a shared receive queue's. Throws std::bad_alloc;
    // `opened` has been refused then.
    void judge(PostedRequest& opened, const WorkRequest& request, const RequestJudge& rules,
               TransportQueuePair* queue_pair) EXCLUDES(mutex_);
    // `opened` is checked from here on.
    void check(PostedRequest& opened, std::unique_ptr<CheckedRequest> checked) EXCLUDES(mutex_);
    // The post of `opened` has been accepted; its result may have been taken before. `number`: as it was when it was opened.
    void accept(const PostedRequest& opened, std::uint64_t number) EXCLUDES(mutex_);
    // The post of `opened` has been refused.
    void refuse(PostedRequest& opened, Status status) EXCLUDES(mutex_);

    // A thread takes the result of a request, at `at`. This is the book of its queue pair; the request may be of a shared receive queue's.
    // Puts the program's contexts back, counts the result, and tells the rules that it shows broken. Once for each result.
    void settle(Completion& completion, SteadyTime at) EXCLUDES(mutex_);

    // The time that the outstanding request with this context, an address, has been so, and the program's context. Nothing: it has had its
    // result.
    struct Age {
        std::chrono::nanoseconds since_post;
        const void* context;
    };
    std::optional<Age> age_of(const void* posted) const EXCLUDES(mutex_);
    // True until a checked receive has been posted.
    bool before_first_receive() const EXCLUDES(mutex_);

    struct Events {
        std::uint64_t left_out = 0;  // older ones
        std::vector<RequestEvent> kept;
    };
    // Answers the oldest first. Throws std::bad_alloc.
    Events events() const EXCLUDES(mutex_);

    // The queue has closed, and all its results are in completion queues: `when` is the number of this end (Watch). No request fills
    // memory any more, and results that are still to be taken count nowhere.
    void end(std::uint64_t when) EXCLUDES(mutex_);
    // The number of its end; 0: it has not ended.
    std::uint64_t ended() const { return ended_.load(std::memory_order_acquire); }

private:
    using Requests = std::list<PostedRequest>;

    // A request that its book has forgotten.
    struct Taken {
        const void* context;
        SteadyTime at;
        std::uint64_t bytes;
        std::unique_ptr<CheckedRequest> checked;
        std::optional<std::size_t> behind = {};  // so many are outstanding behind the first that failed
    };
    Taken take(PostedRequest& posted, const Completion& completion, SteadyTime at, bool noted) EXCLUDES(mutex_);
    Requests& outstanding(Operation operation) REQUIRES(mutex_) {
        return operation == Operation::receive ? receives_ : initiator_requests_;
    }
    std::uint64_t& posted(Operation operation) REQUIRES(mutex_) { return posted_[static_cast<std::size_t>(operation)]; }
    void add_spare() REQUIRES(mutex_);
    // The caller has taken `checked`.
    void forget(PostedRequest& posted) REQUIRES(mutex_);
    void forget_silent_before(const PostedRequest& completed) REQUIRES(mutex_);
    void note(const Taken& taken, const Completion& completion, SteadyTime at) REQUIRES(mutex_);

    const std::string_view kind_;
    void* const context_;
    const Face face_;  // which the program takes its results from
    Diagnostics* const diagnostics_;
    std::atomic<std::uint32_t> number_{0};
    std::atomic<WireLatencies*> latencies_{nullptr};
    std::atomic<std::uint64_t> ended_{0};

    mutable Mutex mutex_;  // nothing is called under it but FilledMemory
    std::uint64_t newest_ GUARDED_BY(mutex_) = 0;
    Requests initiator_requests_ GUARDED_BY(mutex_), receives_ GUARDED_BY(mutex_);  // in the order of their posts
    Requests spare_ GUARDED_BY(mutex_);  // as many as were outstanding at once, so that a post asks for no memory
    EventRing events_ GUARDED_BY(mutex_);
    std::array<std::uint64_t, kOperations> posted_ GUARDED_BY(mutex_){};  // checked requests ever, by Operation
    bool failed_ GUARDED_BY(mutex_) = false;                              // a checked request has
};

}  // namespace opennd::watch
