// SPDX-License-Identifier: MIT
// See request_record.h.
#include "transport/recording/request_record.h"

#include <algorithm>
#include <iterator>

#include "model/sge.h"
#include "platform/process/thread_number.h"

namespace opennd::recording {

PostedRequest& RequestRecord::open(const WorkRequest& request) {
    const std::uint64_t bytes = total_length(request.sges);
    const int thread = thread_number();
    const SteadyTime at = now();
    const Held lock(mutex_);
    if (spare_.empty()) spare_.emplace_back();
    Requests& queue = outstanding(request.operation);
    queue.splice(queue.end(), spare_, spare_.begin());
    PostedRequest& opened = queue.back();
    opened = {.record = this,
              .own = std::prev(queue.end()),
              .context = request.context,
              .at = at,
              .bytes = bytes,
              .number = ++newest_,
              .accepted = 0,
              .operation = request.operation,
              .silent = has(request.flags, RequestFlags::silent_success)};
    events_.add({.at = at,
                 .what = RequestEvent::What::posted,
                 .operation = request.operation,
                 .thread = thread,
                 .bytes = bytes,
                 .context = request.context});
    return opened;
}

// A spare place keeps its newest number, and a request that has taken it since has another.
void RequestRecord::accept(const PostedRequest& opened, std::uint64_t number) {
    const Held lock(mutex_);
    if (opened.number == number) opened.own->accepted = ++newest_;
}

void RequestRecord::refuse(PostedRequest& opened, Status status) {
    const RequestEvent event{.at = now(),
                             .what = RequestEvent::What::refused,
                             .operation = opened.operation,
                             .status = status,
                             .thread = thread_number(),
                             .bytes = opened.bytes,
                             .context = opened.context};
    const Held lock(mutex_);
    events_.add(event);
    forget(opened);
}

void RequestRecord::forget(PostedRequest& posted) {
    spare_.splice(spare_.begin(), outstanding(posted.operation), posted.own);
}

// Initiator requests complete in order, and a silent one before one that succeeded has no result. One that failed has, and may have
// it after this.
void RequestRecord::forget_silent_before(const PostedRequest& completed) {
    for (auto each = initiator_requests_.begin();
         each != initiator_requests_.end() && each->number < completed.number;) {
        PostedRequest& one = *each++;
        if (one.silent && one.accepted != 0 && one.accepted < completed.number) forget(one);
    }
}

RequestRecord::Taken RequestRecord::take(PostedRequest& posted, Status status) {
    const Held lock(mutex_);
    const Taken taken{posted.context, posted.at, posted.bytes};
    if (posted.operation != Operation::receive && ok(status)) forget_silent_before(posted);
    forget(posted);
    return taken;
}

void RequestRecord::settle(Completion& completion, SteadyTime at) {
    completion.queue_pair_context = context_;
    if (completion.operation == Operation::remote_invalidation) return;  // nobody posted it
    auto& posted = *static_cast<PostedRequest*>(completion.request_context);
    const Taken taken = posted.record->take(posted, completion.status);
    completion.request_context = const_cast<void*>(taken.context);  // as the program gave it
    WireLatencies* const latencies = latencies_.load(std::memory_order_relaxed);
    if (latencies && ok(completion.status)) latencies->of(completion.operation).add(at - taken.at);
    note({.at = at,
          .what = RequestEvent::What::result,
          .operation = completion.operation,
          .status = completion.status,
          .thread = thread_number(),
          .bytes = ok(completion.status) && completion.length_bytes != 0 ? completion.length_bytes : taken.bytes,
          .context = taken.context,
          .took = at - taken.at});
}

void RequestRecord::note(const RequestEvent& event) {
    const Held lock(mutex_);
    events_.add(event);
}

// The request may have had its result since the look.
std::optional<RequestRecord::Age> RequestRecord::age_of(const void* posted) const {
    const Held lock(mutex_);
    const auto found =
        std::ranges::find_if(initiator_requests_, [&](const PostedRequest& each) { return &each == posted; });
    if (found == initiator_requests_.end()) return std::nullopt;
    return Age{now() - found->at, found->context};
}

RequestRecord::Events RequestRecord::events() const {
    const Held lock(mutex_);
    Events told;
    told.kept = events_.all();
    told.left_out = events_.added() - told.kept.size();
    return told;
}

}  // namespace opennd::recording
