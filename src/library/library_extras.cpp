// SPDX-License-Identifier: MIT
// Library: the captures of this process, which its settings or another process ask for, and faults on purpose by the setting;
// opennd_faults_set comes later. See library.h.
#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "base/format.h"
#include "base/log.h"
#include "core/adapter/activity.h"
#include "core/queue/queue_pair.h"
#include "library/inspection/capture_request.h"
#include "library/inspection/fault_report.h"
#include "library/library.h"
#include "library/version.h"
#include "platform/process/this_process.h"
#include "transport/capture/capture_files.h"

namespace opennd {
namespace {

// The captures of the process that began one last, which may have forked since. Release and acquire, by the process.
constinit std::atomic<capture::Captures*> captures_at_exit{nullptr};
constinit std::atomic<pid_t> process_at_exit{0};
constinit std::atomic<bool> registered_at_exit{false};  // children of fork inherit the registration

void end_at_exit(capture::Captures& captures) {
    captures_at_exit.store(&captures, std::memory_order_relaxed);
    process_at_exit.store(::getpid(), std::memory_order_release);
    if (registered_at_exit.exchange(true)) return;
    (void)std::atexit([] {
        if (process_at_exit.load(std::memory_order_acquire) == ::getpid())
            (void)captures_at_exit.load(std::memory_order_relaxed)->end();
    });
}

// The faults of this process at its exit, set and read like the captures above.
constinit std::atomic<faults::Faults*> faults_at_exit{nullptr};
constinit std::atomic<pid_t> process_at_exit_of_faults{0};
constinit std::atomic<bool> faults_registered_at_exit{false};

void tell_faults(const faults::Faults& faults) {
    for (const faults::RuleCount& each : faults.counts())
        log(LogLevel::warn, "faults on purpose: {}: {} of {} events", each.text, each.injected, each.events);
}

}  // namespace

void Library::begin_with_adapter() {
    if (begun_with_adapter_.exchange(true, std::memory_order_relaxed)) return;
    if (inspected_) inspection_.start();
    if (capture_.file.empty()) return;
    std::string fault;
    if (!ok(begin_capture(capture_, std::make_unique<capture::FileRing>(capture_, ::getpid()), fault)))
        log(LogLevel::error, "capture: {}; the program goes on without one (OPENND_CAPTURE)", fault);
}

// Frames that wait are written when the program exits; a child of fork has a library of its own, or none.
Status Library::begin_capture(const capture::Options& options, std::unique_ptr<capture::FileSource> files,
                              std::string& fault) {
    const capture::Author author{format("OpenND {}", kVersion), program_name(), ::getpid()};
    const Status status = captures_.begin(options, author, std::move(files), fault);
    if (!ok(status)) return status;
    end_at_exit(captures_);
    if (const auto counts = captures_.counts()) log(LogLevel::info, "capture: to {}", counts->file);
    return Status::success;
}

// Connections that are up are captured from here on, those over hardware not.
std::string Library::begin_asked_capture(std::string_view text, std::unique_ptr<capture::FileSource> files,
                                         bool& begun) {
    std::string fault;
    const auto options = parse_capture_request(text, fault);
    if (!options || !ok(begin_capture(*options, std::move(files), fault))) return capture_refused(fault);
    begun = true;
    std::size_t captured = 0;
    for (const auto& [index, activity] : adapters_.activities())
        for (const Ref<QueuePair>& each : activity->inventory().queue_pairs.all())
            if (each->transport().capture()) ++captured;
    const Ref<capture::Capture> running = captures_.current();
    return capture_begun(running ? running->counts().file : options->file, captured);
}

std::string Library::end_asked_capture() { return capture_ended(captures_.end()); }

std::string Library::take_faults(const std::string& line) {
    if (line.empty()) return {};
    faults::LineFault fault;
    const auto plan = faults::parse_plan(line, fault);
    if (!plan) {
        log(LogLevel::error, "OPENND_FAULTS {}; no adapter opens", describe_fault(fault));
        return describe_fault(fault);
    }
    faults_.set(*plan);
    log(LogLevel::warn, "faults on purpose: {} (OPENND_FAULTS)", line);
    faults_at_exit.store(&faults_, std::memory_order_relaxed);
    process_at_exit_of_faults.store(::getpid(), std::memory_order_release);
    if (faults_registered_at_exit.exchange(true)) return {};
    (void)std::atexit([] {
        if (process_at_exit_of_faults.load(std::memory_order_acquire) == ::getpid())
            tell_faults(*faults_at_exit.load(std::memory_order_relaxed));
    });
    return {};
}

}  // namespace opennd
