// SPDX-License-Identifier: MIT
// See request_book.h.
#include "transport/watch/request_book.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "base/thread_number.h"
#include "model/sge.h"

namespace opennd::watch {

PostedRequest& RequestBook::open(const WorkRequest& request) {
    const std::uint64_t bytes = total_length(request.sges);
    const SteadyTime at = now();
    const Held lock(mutex_);
    if (spare_.empty()) [[unlikely]]
        add_spare();
    Requests& queue = outstanding(request.operation);
    queue.splice(queue.end(), spare_, spare_.begin());
    PostedRequest& opened = queue.back();
    opened.context = request.context;
    opened.at = at;
    opened.bytes = bytes;
    opened.number = ++newest_;
    opened.accepted = 0;
    opened.operation = request.operation;
    opened.silent = has(request.flags, RequestFlags::silent_success);
    if (events_.keeps_any())
        events_.add({.at = at,
                     .what = RequestEvent::What::posted,
                     .operation = request.operation,
                     .thread = thread_number(),
                     .bytes = bytes,
                     .context = request.context});
    return opened;
}

void RequestBook::add_spare() {
    spare_.emplace_front(*this);
    spare_.front().own = spare_.begin();
}

void RequestBook::judge(PostedRequest& opened, const WorkRequest& request, const RequestJudge& rules,
                        TransportQueuePair* queue_pair) try {
    check(opened, rules.judge(label(), request, before_first_receive() ? queue_pair : nullptr));
} catch (const std::bad_alloc&) {
    refuse(opened, Status::no_memory);
    throw;
}

void RequestBook::check(PostedRequest& opened, std::unique_ptr<CheckedRequest> checked) {
    const Held lock(mutex_);
    checked->set_ordinal(++posted(opened.operation));
    opened.checked = std::move(checked);
}

// A spare place keeps its newest number, and a request that has taken it since has another.
void RequestBook::accept(const PostedRequest& opened, std::uint64_t number) {
    const Held lock(mutex_);
    if (opened.number == number) opened.own->accepted = ++newest_;
}

void RequestBook::refuse(PostedRequest& opened, Status status) {
    const Held lock(mutex_);
    if (events_.keeps_any())
        events_.add({.at = now(),
                     .what = RequestEvent::What::refused,
                     .operation = opened.operation,
                     .status = status,
                     .thread = thread_number(),
                     .bytes = opened.bytes,
                     .context = opened.context});
    if (opened.checked) {
        --posted(opened.operation);
        opened.checked.reset();
    }
    forget(opened);
}

void RequestBook::forget(PostedRequest& posted) {
    spare_.splice(spare_.begin(), outstanding(posted.operation), posted.own);
}

// Initiator requests complete in order, and a silent one before one that succeeded has no result. A silent one that failed has a result,
// which may come after this.
void RequestBook::forget_silent_before(const PostedRequest& completed) {
    for (auto each = initiator_requests_.begin();
         each != initiator_requests_.end() && each->number < completed.number;) {
        PostedRequest& one = *each++;
        if (!one.silent || one.accepted == 0 || one.accepted >= completed.number) continue;
        one.checked.reset();
        forget(one);
    }
}

RequestBook::Taken RequestBook::take(PostedRequest& posted, const Completion& completion, SteadyTime at, bool noted) {
    const Status status = completion.status;
    const Held lock(mutex_);
    Taken taken{posted.context, posted.at, posted.bytes, std::move(posted.checked)};
    if (posted.operation != Operation::receive && ok(status)) forget_silent_before(posted);
    forget(posted);
    if (taken.checked && !ok(status) && status != Status::canceled && !std::exchange(failed_, true))
        taken.behind = initiator_requests_.size() + receives_.size();
    if (noted) note(taken, completion, at);
    return taken;
}

void RequestBook::settle(Completion& completion, SteadyTime at) {
    completion.queue_pair_context = context_;
    if (completion.operation == Operation::remote_invalidation) return;  // nobody posted it
    auto& posted = *static_cast<PostedRequest*>(completion.request_context);
    RequestBook& book = posted.book;
    const Taken taken = book.take(posted, completion, at, &book == this);
    completion.request_context = const_cast<void*>(taken.context);  // as the program gave it
    WireLatencies* const latencies = latencies_.load(std::memory_order_relaxed);
    if (latencies && ok(completion.status)) latencies->of(completion.operation).add(at - taken.at);
    if (&book != this) {
        const Held lock(mutex_);
        note(taken, completion, at);
    }
    if (taken.checked)
        taken.checked->tell_result(*diagnostics_, book.label(), completion.status, book.face_, taken.behind);
}

void RequestBook::note(const Taken& taken, const Completion& completion, SteadyTime at) {
    if (!events_.keeps_any()) return;
    const bool moved = ok(completion.status) && completion.length_bytes != 0;
    events_.add({.at = at,
                 .what = RequestEvent::What::result,
                 .operation = completion.operation,
                 .status = completion.status,
                 .thread = thread_number(),
                 .bytes = moved ? completion.length_bytes : taken.bytes,
                 .context = taken.context,
                 .took = at - taken.at});
}

// The request may have had its result since the look.
std::optional<RequestBook::Age> RequestBook::age_of(const void* posted) const {
    const Held lock(mutex_);
    const auto found =
        std::ranges::find_if(initiator_requests_, [&](const PostedRequest& each) { return &each == posted; });
    if (found == initiator_requests_.end()) return std::nullopt;
    return Age{now() - found->at, found->context};
}

bool RequestBook::before_first_receive() const {
    const Held lock(mutex_);
    return posted_[static_cast<std::size_t>(Operation::receive)] == 0;
}

RequestBook::Events RequestBook::events() const {
    const Held lock(mutex_);
    Events told;
    told.kept = events_.all();
    told.left_out = events_.added() - told.kept.size();
    return told;
}

void RequestBook::end(std::uint64_t when) {
    {
        const Held lock(mutex_);
        for (const Requests* each : {&initiator_requests_, &receives_})
            for (const PostedRequest& one : *each)
                if (one.checked) one.checked->let_go();
    }
    ended_.store(when, std::memory_order_release);
}

}  // namespace opennd::watch
