// SPDX-License-Identifier: MIT
// SIGUSR2 makes a process write its last events to a file, where the setting OPENND_DUMP_TO names one.
#pragma once

#include <functional>
#include <string>

#include "base/lock.h"
#include "platform/descriptor/doorbell.h"
#include "platform/thread/event_loop.h"

namespace opennd {

// Never destroyed once it is started.
class EventFile {
public:
    // `path`: %p in it stands for the number of the process; empty: there is no file, and nothing happens.
    // `text`: the events; called on a thread of its own, and may throw std::bad_alloc.
    EventFile(EventLoop& loop, const std::string& path, std::function<std::string()> text);
    EventFile(const EventFile&) = delete;
    EventFile& operator=(const EventFile&) = delete;

    // Once. From here on the signal rings for the service thread. Where the program handles or ignores SIGUSR2 itself, or there is no
    // descriptor, a line of the log says that there will be no file.
    void start();

private:
    class Watch;

    Status listen();
    void write_apart();
    void write() EXCLUDES(mutex_);

    EventLoop& loop_;
    const std::string path_;
    const std::function<std::string()> text_;
    Doorbell signalled_;  // constant after start()
    Mutex mutex_;         // of the thread that writes; guards the file
};

}  // namespace opennd
