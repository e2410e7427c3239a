// SPDX-License-Identifier: MIT
// See after_lock.h.
#include "transport/verbs/after_lock.h"

#include <utility>
#include <vector>

#include "platform/thread/event_loop.h"
#include "transport/request_subject.h"
#include "transport/verbs/completion_queue.h"
#include "transport/verbs/hardware_queue_pair.h"
#include "transport/verbs/shared_receive_queue.h"
#include "transport/verbs/window_binding.h"

namespace opennd::verbs {

struct AfterLock::Work {
    struct Failed {
        Ref<HardwareQueuePair> queue_pair;
        RequestFailure failure;
    };
    std::vector<Failed> failed;
    std::vector<Ref<HardwareQueuePair>> awaiting;
    std::vector<Ref<VerbsWindowBinding>> settled;
    std::vector<Ref<TransportRequestSubject>> subjects;
    std::vector<Ref<VerbsCompletionQueue>> due;
    std::vector<Ref<VerbsSharedReceiveQueue>> low;
};

void AfterLock::Delete::operator()(Work* work) const { delete work; }

AfterLock::Work& AfterLock::work() {
    if (!work_) work_.reset(new Work);
    return *work_;
}

void AfterLock::add_failed(Ref<HardwareQueuePair> queue_pair, const RequestFailure& failure) {
    work().failed.push_back({std::move(queue_pair), failure});
}

void AfterLock::add_awaiting(Ref<HardwareQueuePair> queue_pair) { work().awaiting.push_back(std::move(queue_pair)); }

void AfterLock::add_settled(Ref<VerbsWindowBinding> binding) { work().settled.push_back(std::move(binding)); }

void AfterLock::release(Ref<TransportRequestSubject> subject) { work().subjects.push_back(std::move(subject)); }

void AfterLock::add_due(VerbsCompletionQueue& queue) { work().due.emplace_back(&queue); }

void AfterLock::add_due(VerbsSharedReceiveQueue& queue) { work().low.emplace_back(&queue); }

// Failures first: a program that is told finds its queue pair in error.
void AfterLock::run_all() {
    while (work_) {
        const std::unique_ptr<Work, Delete> all = std::move(work_);
        for (const Work::Failed& each : all->failed) each.queue_pair->fail(each.failure);
        for (const Ref<HardwareQueuePair>& queue_pair : all->awaiting) queue_pair->go_on();
        for (const Ref<VerbsWindowBinding>& binding : all->settled) binding->tell_settled();
        for (const Ref<VerbsCompletionQueue>& queue : all->due) queue->deliver_event();
        for (const Ref<VerbsSharedReceiveQueue>& queue : all->low) queue->deliver_event();
    }
}

void AfterLock::run_on(EventLoop& event_loop) {
    if (work_) event_loop.post([later = std::make_shared<AfterLock>(std::move(*this))] { later->run(); });
}

}  // namespace opennd::verbs
