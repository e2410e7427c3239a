// SPDX-License-Identifier: MIT
// The diagnostics of the checking layer on their way out: to the log, once for each rule and call site, and to the program's sink each time.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/checker.h"
#include "base/lock.h"
#include "check/check_mode.h"
#include "platform/process/call_stack.h"

namespace opennd {

// A diagnostic as a program's sink gets it. The texts are terminated, and valid during the call.
struct Diagnostic {
    const CheckRuleRow& rule;
    const char* object;
    const char* fact;
    const char* site;  // "posted at serve() in main.cpp:112 < ..."
};
using DiagnosticFunction = void (*)(void* context, const Diagnostic& diagnostic);

// The part of the program that a diagnostic is about.
struct CallSite {
    std::string_view verb;  // "at", "posted at"
    CallStack stack;

    static CallSite here() { return {"at", program_stack()}; }
};

// How often a diagnostic has a line in the log.
enum class InLog : std::uint8_t { once_for_each_place, each_time };

// Any thread.
class Diagnostics {
public:
    explicit Diagnostics(CheckMode mode) : mode_(mode) {}

    // May end the process. Without memory the diagnostic is lost.
    void tell(const Misuse& misuse, const CallSite& site, InLog lines = InLog::once_for_each_place) noexcept
        EXCLUDES(mutex_);

    // The lines that were told more than once, with their counts.
    void tell_counts() noexcept EXCLUDES(mutex_);

private:
    // More call sites than this are counted without a line.
    static constexpr std::size_t kMostSites = 1000;

    using Key = std::pair<CheckRule, std::vector<const void*>>;  // with the frames of the call site
    struct Told {
        std::string line;
        std::uint64_t times = 0;
    };

    // Whether this is the first time.
    bool count(const Misuse& misuse, const CallSite& site, std::string_view line) EXCLUDES(mutex_);
    // Once, if libdw is missing.
    void tell_missing_lines();

    const CheckMode mode_;
    std::atomic<bool> missing_told_{false};

    Mutex mutex_;  // nothing is called under it
    std::map<Key, Told> told_ GUARDED_BY(mutex_);
};

// The program's function, for all Diagnostics of the process; nullptr: none. On return the old one is not running. It is never called twice at a
// time, and must not call into OpenND.
void set_diagnostic_sink(DiagnosticFunction function, void* context);

}  // namespace opennd
