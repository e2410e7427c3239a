// SPDX-License-Identifier: MIT
// See reaper.h.
#include "transport/verbs/device/reaper.h"

#include <utility>

#include "platform/process/clock.h"
#include "platform/process/signals.h"

namespace opennd::verbs {

Reaper::Reaper(EventLoop& loop, std::chrono::milliseconds idle_time) : loop_(loop), idle_time_(idle_time) {}

void Reaper::run(std::function<void()> call) {
    const Held lock(mutex_);
    waiting_.push_back(std::move(call));
    if (waiting_.size() <= idle_)
        came_.notify_one();
    else if (threads_ < kMostThreads)
        start_thread();
}

std::size_t Reaper::threads() const {
    const Held lock(mutex_);
    return threads_;
}

void Reaper::start_thread() {
    add_ref();  // the thread's, taken over in thread_main()
    QuietThread thread;
    if (ok(thread.start("opennd-verbs", &Reaper::thread_main, this))) {
        thread.detach();
        ++threads_;
        return;
    }
    drop_ref();
    if (threads_ != 0 || std::exchange(tries_again_, true)) return;
    loop_.schedule(now() + kTryAgain, [self = Ref<Reaper>(this)] {
        const Held lock(self->mutex_);
        self->tries_again_ = false;
        if (self->threads_ == 0 && !self->waiting_.empty()) self->start_thread();
    });
}

void* Reaper::thread_main(void* self) {
    const Ref<Reaper> reaper(static_cast<Reaper*>(self));
    reaper->drop_ref();  // that of start_thread()
    reaper->run_calls();
    return nullptr;
}

void Reaper::run_calls() {
    mutex_.lock();
    for (;;) {
        ++idle_;
        const SteadyTime end = now() + idle_time_;
        while (waiting_.empty() && came_.wait_until(mutex_, end)) {
        }
        --idle_;
        if (waiting_.empty()) break;
        {
            const std::function<void()> call = std::move(waiting_.front());
            waiting_.pop_front();
            mutex_.unlock();
            call();
        }  // the references that `call` holds go without the lock
        mutex_.lock();
    }
    --threads_;
    mutex_.unlock();
}

}  // namespace opennd::verbs
