// SPDX-License-Identifier: MIT
// See foreign_descriptor.h.
#include "platform/descriptor/foreign_descriptor.h"

#include <fcntl.h>

#include <cstddef>
#include <deque>
#include <new>
#include <utility>

#include "base/explanation.h"
#include "base/fork_step.h"
#include "base/lock.h"
#include "platform/process/signals.h"

namespace opennd {
namespace {

constexpr std::size_t kMostWaiting = 64;

// One object for the process, never destroyed: its thread may be in a close() at any time. The thread ends when no
// descriptor waits.
class ClosingThread {
public:
    explicit ClosingThread(const ClosingThread*) {}

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
            Descriptor closed_here = std::move(waiting_.front());
            waiting_.pop_front();
            mutex_.unlock();
            closed_here.close_slowly();
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

constinit OfProcess<ClosingThread> closing_thread_of_process;
[[maybe_unused]] const bool closing_thread_listed = closing_thread_of_process.list();

}  // namespace

// The kernel checks the kind of the file first, and refuses any other kind at once.
bool ForeignDescriptor::is_memory() const { return ::fcntl(fd_.get(), F_GET_SEALS) >= 0; }

ForeignDescriptor& ForeignDescriptor::operator=(ForeignDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
}

ForeignDescriptor::~ForeignDescriptor() {
    if (fd_ && !is_memory()) close_apart(std::move(fd_));
}

void close_apart(Descriptor fd) noexcept {
    try {
        closing_thread_of_process.get().close(std::move(fd));
    } catch (const std::bad_alloc&) {
        // The argument's destructor has closed the descriptor.
    }
}

Status closing_keeps_up(LogCause cause) {
    ClosingThread* const closing = closing_thread_of_process.found();
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
