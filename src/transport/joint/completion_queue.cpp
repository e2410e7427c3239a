// SPDX-License-Identifier: MIT
// See completion_queue.h.
#include "transport/joint/completion_queue.h"

#include <algorithm>
#include <utility>

namespace opennd::joint {

void JointCompletionQueue::set(Ref<TransportCompletionQueue> host, Ref<TransportCompletionQueue> nic) {
    host_ = std::move(host);
    nic_ = std::move(nic);
}

std::size_t JointCompletionQueue::poll(std::span<Completion> completions) {
    if (!uses_nic_.load(std::memory_order_relaxed)) [[likely]]
        return host_->poll(completions);
    const bool nic_first = nic_first_.load(std::memory_order_relaxed);
    nic_first_.store(!nic_first, std::memory_order_relaxed);
    TransportCompletionQueue& first = nic_first ? *nic_ : *host_;
    TransportCompletionQueue& second = nic_first ? *host_ : *nic_;
    const std::size_t taken = first.poll(completions);
    return taken == completions.size() ? taken : taken + second.poll(completions.subspan(taken));
}

void JointCompletionQueue::arm(NotifyKind kind) {
    std::optional<NotifyKind> missed;
    {
        const Held lock(mutex_);
        missed = std::exchange(missed_, std::nullopt);
        armed_for_ = std::max(armed_for_.value_or(kind), kind);
    }
    if (missed && count_waiting().all != 0) return on_event(Part::nic, std::max(*missed, kind));
    host_->arm(kind);
    if (!uses_nic_.load(std::memory_order_relaxed)) return;
    {
        const Held lock(mutex_);
        if (!armed_for_) return;  // a result that waits has made the event
    }
    nic_->arm(kind);
}

void JointCompletionQueue::disarm() {
    const Held lock(mutex_);
    armed_for_.reset();
    host_->disarm();
    nic_->disarm();
}

void JointCompletionQueue::on_event(Part part, NotifyKind kind) {
    {
        const Held lock(mutex_);
        if (!armed_for_) {
            if (rule_ != NotifyRule::level) missed_ = std::max(missed_.value_or(kind), kind);
            return;
        }
        armed_for_.reset();
        // Under the lock: an arm() that comes later is not undone.
        of(part == Part::host ? Part::nic : Part::host)->disarm();
    }
    sink_.on_completion_event(kind);
}

// The queue pairs first: a program that is told of the overrun finds them dead (ND2-OVL-07). Those of the part that has overrun are dead by
// now.
void JointCompletionQueue::on_overrun(Part part) {
    std::vector<std::pair<Ref<const RefCounted>, QueueUser*>> alive;
    {
        const Held lock(mutex_);
        if (std::exchange(overrun_, true)) return;
        alive.reserve(users_.size());
        for (QueueUser* const each : users_)
            if (auto reference = Ref<const RefCounted>::if_alive(&each->object()))
                alive.emplace_back(std::move(reference), each);
    }
    for (const auto& [reference, user] : alive) user->fail_part(part == Part::host ? Part::nic : Part::host);
    sink_.on_overrun();
}

WaitingCompletions JointCompletionQueue::count_waiting() {
    WaitingCompletions waiting = host_->count_waiting();
    const WaitingCompletions of_nic = nic_->count_waiting();
    waiting.all += of_nic.all;
    waiting.solicited += of_nic.solicited;
    return waiting;
}

Status JointCompletionQueue::resize(std::uint32_t depth) {
    if (count_waiting().all > depth) return Status::overrun;
    std::uint32_t before = 0;
    {
        const Held lock(mutex_);
        before = std::exchange(depth_, depth);
    }
    Status status = host_->resize(depth);
    if (ok(status)) {
        status = nic_->resize(depth);
        if (!ok(status)) (void)host_->resize(before);
    }
    if (ok(status)) return status;
    const Held lock(mutex_);
    depth_ = before;
    return status;
}

void JointCompletionQueue::close() {
    host_->close();
    nic_->close();
}

void JointCompletionQueue::set_number(std::uint32_t number) {
    host_->set_number(number);
    nic_->set_number(number);
}

bool JointCompletionQueue::attach(QueueUser& user) {
    const Held lock(mutex_);
    users_.push_back(&user);
    return !overrun_;
}

void JointCompletionQueue::detach(const QueueUser& user) {
    const Held lock(mutex_);
    if (const auto found = std::find(users_.begin(), users_.end(), &user); found != users_.end()) users_.erase(found);
}

void JointCompletionQueue::use_nic() {
    if (uses_nic_.exchange(true, std::memory_order_relaxed)) return;
    std::optional<NotifyKind> armed_for;
    {
        const Held lock(mutex_);
        armed_for = armed_for_;
    }
    // An arm() that this has not seen has the mutex later, and then sees uses_nic_.
    if (armed_for) nic_->arm(*armed_for);
}

}  // namespace opennd::joint
