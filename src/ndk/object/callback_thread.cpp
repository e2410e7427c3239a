// SPDX-License-Identifier: MIT
// See callback_thread.h.
#include "ndk/object/callback_thread.h"

#include "base/fork_step.h"
#include "platform/thread/common_work.h"

namespace opennd {
namespace {

constinit thread_local bool is_callback_thread = false;

// A child that is forked in a callback is in none of its own.
class CallbackThreadInChild final : public ForkStep {
    void begin_child() noexcept override { is_callback_thread = false; }
};
constinit CallbackThreadInChild callback_thread_in_child;
[[maybe_unused]] const bool callback_thread_listed = callback_thread_in_child.list();

}  // namespace

bool CallbackThread::is_current() { return is_callback_thread; }

Status CallbackThread::start() { return thread_.start("opennd-ndk", &CallbackThread::main, this); }

void CallbackThread::stop() {
    {
        const Held lock(mutex_);
        stopping_ = true;
        changed_.notify_one();
    }
    thread_.join();
}

void CallbackThread::schedule(Callback& callback) {
    const Held lock(mutex_);
    callback.next_ = nullptr;
    (first_ ? last_->next_ : first_) = &callback;
    last_ = &callback;
    changed_.notify_one();
}

// Most are set for later than all others, with the same patience each.
void CallbackThread::set(CallbackTimer& timer, SteadyTime when) {
    const Held lock(mutex_);
    CallbackTimer* before = latest_;
    while (before && when < before->when_) before = before->earlier_;
    timer.when_ = when;
    timer.set_ = true;
    timer.earlier_ = before;
    timer.later_ = before ? before->later_ : earliest_;
    (timer.earlier_ ? timer.earlier_->later_ : earliest_) = &timer;
    (timer.later_ ? timer.later_->earlier_ : latest_) = &timer;
    if (earliest_ == &timer) changed_.notify_one();
}

bool CallbackThread::cancel(CallbackTimer& timer) {
    const Held lock(mutex_);
    if (!timer.set_) return false;
    unlink(timer);
    return true;
}

void CallbackThread::unlink(CallbackTimer& timer) {
    (timer.earlier_ ? timer.earlier_->later_ : earliest_) = timer.later_;
    (timer.later_ ? timer.later_->earlier_ : latest_) = timer.earlier_;
    timer.set_ = false;
}

Callback* CallbackThread::take_callback() {
    Callback* const oldest = first_;
    if (oldest) first_ = oldest->next_;
    return oldest;
}

CallbackTimer* CallbackThread::take_due() {
    CallbackTimer* const timer = earliest_;
    if (timer == nullptr || now() < timer->when_) return nullptr;
    unlink(*timer);
    return timer;
}

// False: there is nothing to wait for any more.
bool CallbackThread::sleep() {
    if (stopping_) return false;
    if (earliest_)
        (void)changed_.wait_until(mutex_, earliest_->when_);
    else
        changed_.wait(mutex_);
    return true;
}

void* CallbackThread::main(void* self) {
    is_callback_thread = true;
    const CommonWork work;
    static_cast<CallbackThread*>(self)->run();
    return nullptr;
}

void CallbackThread::run() {
    for (;;) {
        Callback* callback = nullptr;
        CallbackTimer* timer = nullptr;
        {
            const Held lock(mutex_);
            while ((timer = take_due()) == nullptr && (callback = take_callback()) == nullptr)
                if (!sleep()) return;
        }
        if (timer) timer->expire();
        if (callback) callback->run();
    }
}

}  // namespace opennd
