// SPDX-License-Identifier: MIT
// Tells other processes that may trace this one, of the same user or of root, what it does (inspection_socket.h). The service thread accepts them; the
// report is made and sent by a thread of its own, which ends with it, so that nothing waits for one that does not read.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/lock.h"
#include "library/inspection/inspection_socket.h"
#include "platform/descriptor/local_socket.h"
#include "platform/thread/event_loop.h"
#include "transport/capture/capture_files.h"

namespace opennd {

// Thread-safe. Never destroyed once it is started.
class InspectionServer {
public:
    // Called on a thread of its own, which holds no lock. May throw std::bad_alloc.
    using Report = std::function<std::string(Question)>;

    // Answers to the question `capture`, likewise.
    struct Captures {
        // Begins one with these options, into files that the visitor opens. `begun`: whether it has.
        std::function<std::string(std::string_view options, std::unique_ptr<capture::FileSource> files, bool& begun)>
            begin;
        // Ends it.
        std::function<std::string()> end;
    };

    // Visitors beyond this number wait until another one has its answer.
    static constexpr int kMostAtOnce = 4;

    // Without `captures` the question for one is hung up on.
    InspectionServer(EventLoop& loop, Report report, Captures captures = {})
        : loop_(loop), report_(std::move(report)), captures_(std::move(captures)) {}
    InspectionServer(const InspectionServer&) = delete;
    InspectionServer& operator=(const InspectionServer&) = delete;

    // From the first call on it answers. Where it cannot have its socket it says so in the log, and the process goes on.
    void start() EXCLUDES(mutex_);

private:
    class Watch;
    struct Visit;

    Status listen() REQUIRES(mutex_);
    Status accept_one();
    void answer_apart(LocalSocket visitor);

    EventLoop& loop_;
    const Report report_;
    const Captures captures_;
    std::atomic<int> answering_{0};  // acq_rel: counts threads, guards nothing else

    Mutex mutex_;
    bool started_ GUARDED_BY(mutex_) = false;
    LocalListener listener_;  // set before it is watched, then the service thread's
};

}  // namespace opennd
