// SPDX-License-Identifier: MIT
// See diagnostics.h.
#include "check/diagnostics.h"

#include <cstdio>
#include <cstdlib>

#include "base/format.h"
#include "base/log.h"
#include "base/printable.h"
#include "base/sink.h"
#include "platform/process/source_places.h"

namespace opennd {
namespace {

constexpr std::size_t kMostFrames = 8;

constinit Sink<DiagnosticFunction> diagnostic_sink;
[[maybe_unused]] const bool diagnostic_sink_listed = diagnostic_sink.list();

LogLevel level_of(CheckKind kind) { return kind == CheckKind::misuse ? LogLevel::error : LogLevel::warn; }

std::string where(const CallSite& site) {
    const std::string frames = stack_text(site.stack, kMostFrames);
    return frames.empty() ? "seen by a thread of OpenND" : format("{} {}", site.verb, frames);
}

// With the last lines of the log, which tell how the program came here.
[[noreturn]] void end_process(std::string_view line) {
    std::fprintf(stderr, "OpenND: %.*s\nOpenND ends the process (OPENND_CHECK=abort). Its last events:\n",
                 static_cast<int>(line.size()), line.data());
    for (const RecentLine& event : recent_log_lines())
        std::fprintf(stderr, "  thread %d: %s\n", event.thread, event.text.c_str());
    std::abort();
}

}  // namespace

void set_diagnostic_sink(DiagnosticFunction function, void* context) { diagnostic_sink.set(function, context); }

void Diagnostics::tell(const Misuse& misuse, const CallSite& site, InLog lines) noexcept try {
    const CheckRuleRow& row = row_of(misuse.rule);
    const std::string object = printable(misuse.object), fact = printable(misuse.fact), place = where(site);
    const std::string line =
        format("{}: {}: {}; {}; {} (nd explain {})", row.id, object, fact, place, row.remedy, row.id);
    diagnostic_sink.tell([&](DiagnosticFunction function, void* context) {
        function(context, {row, object.c_str(), fact.c_str(), place.c_str()});
    });
    if (lines == InLog::each_time || count(misuse, site, line)) {
        log(level_of(row.kind), LogCause::checks, "{}", line);
        tell_missing_lines();
    }
    if (mode_ == CheckMode::abort && row.kind == CheckKind::misuse) end_process(line);
} catch (...) {  // no memory: a check changes nothing in a program
}

bool Diagnostics::count(const Misuse& misuse, const CallSite& site, std::string_view line) {
    Key key{misuse.rule, site.stack.return_addresses()};
    const Held lock(mutex_);
    const auto found = told_.find(key);
    if (found != told_.end()) return ++found->second.times, false;
    if (told_.size() >= kMostSites) return false;
    told_.emplace(std::move(key), Told{std::string(line), 1});
    return true;
}

void Diagnostics::tell_missing_lines() {
    if (const std::string reason = why_no_source_places(); !reason.empty() && !missing_told_.exchange(true))
        log(LogLevel::info, LogCause::checks, "the places above have no source lines: {}", reason);
}

void Diagnostics::tell_counts() noexcept try {
    std::vector<std::pair<CheckRule, Told>> repeated;
    {
        const Held lock(mutex_);
        for (const auto& [key, told] : told_)
            if (told.times > 1) repeated.emplace_back(key.first, told);
    }
    for (const auto& [rule, told] : repeated)
        log(level_of(row_of(rule).kind), LogCause::checks, "{} times in all: {}", told.times, told.line);
} catch (...) {
}

}  // namespace opennd
