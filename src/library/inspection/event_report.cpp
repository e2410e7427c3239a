// SPDX-License-Identifier: MIT
// See event_report.h.
#include "library/inspection/event_report.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <new>
#include <string_view>
#include <vector>

#include "base/format.h"
#include "base/log.h"
#include "base/printable.h"
#include "base/status_names.h"
#include "library/inspection/process_report.h"
#include "library/json/json.h"
#include "platform/descriptor/written_file.h"
#include "platform/process/signals.h"

namespace opennd {
namespace {

// The name of a level as the log writes it.
std::string_view name(LogLevel level) {
    constexpr std::array<std::string_view, 4> names{"error", "warning", "info", "debug"};
    return names[static_cast<std::size_t>(level)];
}

// In the time zone of the process and with its offset, as `nd dump` prints it: the file may be read in another zone.
std::string time_text(std::chrono::system_clock::time_point at) {
    const auto since_1970 = std::chrono::floor<std::chrono::microseconds>(at.time_since_epoch()).count();
    const auto seconds = static_cast<std::time_t>(since_1970 / 1'000'000);
    std::tm local = {};
    char date[32] = "", zone[16] = "";
    if (::localtime_r(&seconds, &local)) {
        std::strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &local);
        std::strftime(zone, sizeof zone, "%z", &local);
    }
    return format("{}.{:06}{}", date, since_1970 % 1'000'000, zone);
}

using std::chrono::system_clock;
using watch::RequestEvent;
using watch::Watch;

// The time of an event by the wall clock of the report.
class WallClock {
public:
    system_clock::time_point at(SteadyTime time) const {
        return wall_ - std::chrono::duration_cast<system_clock::duration>(steady_ - time);
    }

private:
    const SteadyTime steady_ = now();
    const system_clock::time_point wall_ = system_clock::now();
};

const char* name_of(RequestEvent::What what) {
    switch (what) {
        case RequestEvent::What::posted: return "posted";
        case RequestEvent::What::refused: return "refused";
        case RequestEvent::What::result: return "result";
    }
    return "";
}

ordered_json event_json(const RequestEvent& event, const WallClock& clock) {
    const auto at = std::chrono::floor<std::chrono::microseconds>(clock.at(event.at).time_since_epoch());
    ordered_json json = {
        {"at_us", at.count()},          {"thread", event.thread},
        {"event", name_of(event.what)}, {"operation", name(event.operation)},
        {"bytes", event.bytes},         {"context", format("{:#x}", reinterpret_cast<std::uintptr_t>(event.context))}};
    if (event.what == RequestEvent::What::posted) return json;
    json["status"] = name(event.status);
    if (event.what == RequestEvent::What::result) json["took_ns"] = event.took.count();
    return json;
}

std::string text_of(const Watch::QueueEvents& queue, const RequestEvent& event) {
    const std::string request = format("{} {}: {} of {} bytes, request context {}", queue.kind, queue.number,
                                       name(event.operation), event.bytes, event.context);
    switch (event.what) {
        case RequestEvent::What::posted: return format("{}: posted", request);
        case RequestEvent::What::refused: return format("{}: refused: {}", request, name(event.status));
        case RequestEvent::What::result: break;
    }
    return format("{}: {} after {:.1f} us", request, name(event.status),
                  static_cast<double>(event.took.count()) / 1000);
}

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

std::string event_text(const watch::Watch* watch, AdapterCatalog& adapters) {
    std::vector<RequestLine> requests;
    if (watch) requests = request_lines(*watch);
    std::string text;
    auto request = requests.cbegin();
    const auto add_requests_before = [&](std::chrono::system_clock::time_point time) {
        for (; request != requests.cend() && request->at < time; ++request)
            text += format("{} {} request: {}\n", time_text(request->at), request->thread, request->text);
    };
    for (const RecentLine& each : recent_log_lines()) {
        add_requests_before(each.at);
        text += format("{} {} {}: {}\n", time_text(each.at), each.thread, name(each.level), printable(each.text));
    }
    add_requests_before(std::chrono::system_clock::time_point::max());
    for (const std::string& each : pending_lines(adapters)) text += format("pending: {}\n", each);
    return text;
}

std::string event_report(const watch::Watch* watch, AdapterCatalog& adapters) {
    ordered_json events = ordered_json::array();
    for (const RecentLine& each : recent_log_lines()) {
        const auto since_1970 = std::chrono::floor<std::chrono::microseconds>(each.at.time_since_epoch());
        events.push_back(
            {{"at_us", since_1970.count()}, {"thread", each.thread}, {"level", name(each.level)}, {"text", each.text}});
    }
    ordered_json report = {{"pid", ::getpid()}, {"events", std::move(events)}, {"pending", pending_lines(adapters)}};
    if (watch)
        if (ordered_json requests = request_events_json(*watch); !requests.empty())
            report["requests"] = std::move(requests);
    return report.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

ordered_json request_events_json(const Watch& watch) {
    const WallClock clock;
    ordered_json all = ordered_json::array();
    for (const Watch::QueueEvents& queue : watch.events()) {
        ordered_json events = ordered_json::array();
        for (const RequestEvent& each : queue.events.kept) events.push_back(event_json(each, clock));
        all.push_back({{"queue", queue.kind},
                       {"number", queue.number},
                       {"closed", queue.ended},
                       {"left_out", queue.events.left_out},
                       {"events", std::move(events)}});
    }
    return all;
}

std::vector<RequestLine> request_lines(const Watch& watch) {
    const WallClock clock;
    std::vector<RequestLine> all;
    for (const Watch::QueueEvents& queue : watch.events())
        for (const RequestEvent& each : queue.events.kept)
            all.push_back({clock.at(each.at), each.thread, text_of(queue, each)});
    std::ranges::stable_sort(all, {}, &RequestLine::at);
    return all;
}

class EventFile::SignalWatch final : public EventLoop::Watcher {
public:
    explicit SignalWatch(EventFile& file) : file_(file) {}
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
    return loop_.add(signalled_.descriptor(), EventLoop::kReadable, make_ref<SignalWatch>(*this));
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
