// SPDX-License-Identifier: MIT
// Library: faults on purpose, by the setting; opennd_faults_set comes later. See library.h.
#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "base/log.h"
#include "library/inspection/fault_report.h"
#include "library/library.h"

namespace opennd {
namespace {

// As those of captures (library_captures.cpp).
constinit std::atomic<faults::Faults*> faults_at_exit{nullptr};
constinit std::atomic<pid_t> process_at_exit_of_faults{0};
constinit std::atomic<bool> faults_registered_at_exit{false};

void tell_faults(const faults::Faults& faults) {
    for (const faults::RuleCount& each : faults.counts())
        log(LogLevel::warn, "faults on purpose: {}: {} of {} events", each.text, each.injected, each.events);
}

}  // namespace

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
