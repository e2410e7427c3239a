// SPDX-License-Identifier: MIT
// The last events of this process, as JSON, whose members docs/inspection.md lists, or as text.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/lock.h"
#include "core/adapter/adapter_catalog.h"
#include "library/json/json.h"
#include "platform/descriptor/doorbell.h"
#include "platform/thread/event_loop.h"
#include "transport/recording/recorder.h"

namespace opennd {

// `recorder`: has the events of requests too; null: nobody records them. `adapters`: for pending connections (process_report.h). Any thread,
// without locks. Throws std::bad_alloc.
std::string event_report(const recording::Recorder* recorder, AdapterCatalog& adapters);

// The events as `nd dump` prints them: a line each, with time and thread.
std::string event_text(const recording::Recorder* recorder, AdapterCatalog& adapters);

// The newest posts and results of each queue as JSON, and as lines for people.
ordered_json request_events_json(const recording::Recorder& recorder);

struct RequestLine {
    std::chrono::system_clock::time_point at;
    int thread;
    std::string text;
};
// The lines of all queues, the oldest first.
std::vector<RequestLine> request_lines(const recording::Recorder& recorder);

// SIGUSR2 makes a process write its last events to a file, where the setting OPENND_DUMP_TO names one.
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
