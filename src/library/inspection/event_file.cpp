// SPDX-License-Identifier: MIT
// See event_file.h.
#include "library/inspection/event_file.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <new>

#include "base/format.h"
#include "base/log.h"
#include "base/status_names.h"
#include "platform/descriptor/written_file.h"
#include "platform/process/signals.h"

namespace opennd {
namespace {

// For the handler: whose doorbell it rings. A child of fork has its parent's until it makes its own. Written before the handler is
// installed, and by a child before it has other threads; sequentially consistent.
std::atomic<int> signalled_descriptor{-1};
std::atomic<pid_t> signalled_process{0};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<pid_t>::is_always_lock_free);

extern "C" void ring_for_event_file(int) {
    const int error = errno;
    const std::uint64_t one = 1;
    if (::getpid() == signalled_process) (void)!::write(signalled_descriptor, &one, sizeof one);
    errno = error;
}

std::string with_process(std::string path) {
    const std::string number = format("{}", ::getpid());
    for (std::size_t at = path.find("%p"); at != std::string::npos; at = path.find("%p", at + number.size()))
        path.replace(at, 2, number);
    return path;
}

bool is_handled_by_the_program() {
    struct sigaction now = {};
    ::sigaction(SIGUSR2, nullptr, &now);
    const bool plain = (now.sa_flags & SA_SIGINFO) == 0;
    return !plain || (now.sa_handler != SIG_DFL && now.sa_handler != ring_for_event_file);
}

void handle_signal() {
    struct sigaction action = {};
    action.sa_handler = ring_for_event_file;
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGUSR2, &action, nullptr);
}

}  // namespace

class EventFile::Watch final : public EventLoop::Watcher {
public:
    explicit Watch(EventFile& file) : file_(file) {}
    void on_ready(std::uint32_t) override {
        file_.signalled_.clear();
        file_.write_apart();
    }

private:
    EventFile& file_;
};

EventFile::EventFile(EventLoop& loop, const std::string& path, std::function<std::string()> text)
    : loop_(loop), path_(with_process(path)), text_(std::move(text)) {}

void EventFile::start() {
    if (path_.empty()) return;
    if (is_handled_by_the_program()) {
        log(LogLevel::warn, "OPENND_DUMP_TO: the program handles SIGUSR2 itself; it writes no events. Use nd dump {}",
            ::getpid());
        return;
    }
    if (const Status status = listen(); !ok(status)) {
        log(LogLevel::warn, "OPENND_DUMP_TO: {}: SIGUSR2 writes no events. Use nd dump {}", name(status), ::getpid());
        return;
    }
    signalled_descriptor = signalled_.descriptor();
    signalled_process = ::getpid();
    handle_signal();
}

Status EventFile::listen() try {
    Result<Doorbell> made = Doorbell::create();
    if (!made.ok()) return made.status();
    signalled_ = made.take();
    return loop_.add(signalled_.descriptor(), EventLoop::kReadable, make_ref<Watch>(*this));
} catch (const std::bad_alloc&) {
    return Status::no_memory;
}

// A file may be on a slow disk: the service thread does not wait for it.
void EventFile::write_apart() {
    const auto main = [](void* file) -> void* {
        static_cast<EventFile*>(file)->write();
        return nullptr;
    };
    QuietThread thread;
    if (ok(thread.start("opennd-dump", main, this))) thread.detach();
}

void EventFile::write() try {
    const Held lock(mutex_);
    if (replace_file(path_, text_()))
        log(LogLevel::info, "the last events are in {}", path_);
    else
        log(LogLevel::warn, "OPENND_DUMP_TO: cannot write {}: {}", path_, std::strerror(errno));
} catch (const std::bad_alloc&) {
    log(LogLevel::warn, "OPENND_DUMP_TO: there is no memory for the events");
}

}  // namespace opennd
