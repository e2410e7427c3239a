// SPDX-License-Identifier: MIT
// See closing_thread.h.
#include "platform/descriptor/closing_thread.h"

#include <atomic>
#include <cstddef>
#include <deque>
#include <new>
#include <utility>

#include "base/explanation.h"
#include "base/lock.h"
#include "platform/process/fork.h"
#include "platform/process/quiet_thread.h"

namespace opennd {
namespace {

constexpr std::size_t kMostWaiting = 64;

// One object for the process, never destroyed: its thread may be in a close() at any time. The thread ends when no
// descriptor waits.
class ClosingThread {
public:
    void close(Descriptor fd) {
        const Held lock(mutex_);
        waiting_.push_back(std::move(fd));
        go_on();
    }

    bool is_behind() {
        const Held lock(mutex_);
        go_on();
        return waiting_.size() >= kMostWaiting;
    }

private:
    // Where no thread can be started, the next call tries again.
    void go_on() REQUIRES(mutex_) {
        if (runs_ || waiting_.empty()) return;
        runs_ = ok(thread_.start("opennd-close", &ClosingThread::main, this));
        thread_.detach();
    }

    static void* main(void* self) {
        static_cast<ClosingThread*>(self)->run();
        return nullptr;
    }

    void run() {
        mutex_.lock();
        while (!waiting_.empty()) {
            {
                const Descriptor closed_here = std::move(waiting_.front());
                waiting_.pop_front();
                mutex_.unlock();
            }
            mutex_.lock();
        }
        runs_ = false;
        mutex_.unlock();
    }

    Mutex mutex_;  // nothing is closed under it
    std::deque<Descriptor> waiting_ GUARDED_BY(mutex_);
    QuietThread thread_ GUARDED_BY(mutex_);
    bool runs_ GUARDED_BY(mutex_) = false;
};

// A child of fork inherits its parent's object without the thread, and perhaps locked: it makes its own.
std::atomic<ClosingThread*> of_process{nullptr};

ClosingThread& closing_thread() {
    static const bool forgotten_by_children =
        (in_each_child([] { of_process.store(nullptr, std::memory_order_relaxed); }), true);
    static_cast<void>(forgotten_by_children);
    ClosingThread* found = of_process.load(std::memory_order_acquire);
    if (found) return *found;
    ClosingThread* const made = new ClosingThread;
    if (of_process.compare_exchange_strong(found, made, std::memory_order_acq_rel)) return *made;
    delete made;
    return *found;
}

}  // namespace

void close_apart(Descriptor fd) noexcept {
    try {
        closing_thread().close(std::move(fd));
    } catch (const std::bad_alloc&) {
        // The argument's destructor has closed the descriptor.
    }
}

Status closing_keeps_up(LogCause cause) {
    ClosingThread* const closing = of_process.load(std::memory_order_acquire);
    if (!closing || !closing->is_behind()) return Status::success;
    return report(Status::insufficient_resources,
                  {.object = "connection on this host",
                   .operation = "Connect or Listen",
                   .asked = "descriptors of one more process",
                   .limit = phrase("{} descriptors of other processes that still wait to be closed; no more "
                                   "connections are made until some are closed",
                                   kMostWaiting),
                   .remedy = "list the open descriptors (ls -l /proc/PID/fd), and end the process that sent them",
                   .requirement = "ND2-GEN-02",
                   .cause = cause});
}

}  // namespace opennd
