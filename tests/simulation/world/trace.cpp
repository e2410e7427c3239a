// SPDX-License-Identifier: MIT
// See trace.h.
#include "simulation/world/trace.h"

#include <algorithm>
#include <array>

namespace opennd::simulation {
namespace {

constexpr std::array kNames{
    "starts", "ends",       "runs",           "locks", "unlocks",     "sleeps",        "is woken", "times out",
    "yields", "is held up", "is interrupted", "opens", "closes",      "connects",      "accepts",  "sends",
    "takes",  "arrives",    "acknowledged",   "lost",  "end arrives", "reset arrives", "gives up", "polls",
    "rings",  "nemesis",    "dies",           "says",  "program",
};

}  // namespace

void Trace::say(std::int64_t time, std::uint32_t thread, std::string_view text) {
    add(time, thread, Step::says);  // a line may hold an address
    newest_[steps_ % newest_.size()].text = text;
}

void Trace::print(std::FILE* to, const std::vector<std::string>& thread_names) const {
    const std::uint64_t count = std::min<std::uint64_t>(steps_, newest_.size());
    for (std::uint64_t step = steps_ - count + 1; step <= steps_; ++step) {
        const Entry& entry = newest_[step % newest_.size()];
        const char* const who = entry.thread < thread_names.size() ? thread_names[entry.thread].c_str() : "the network";
        std::fprintf(to, "%14.3f us  %-22s %s", static_cast<double>(entry.time) / 1000.0, who,
                     kNames[static_cast<std::size_t>(entry.step)]);
        if (entry.text.empty())
            std::fprintf(to, " %llu %llu\n", static_cast<unsigned long long>(entry.a),
                         static_cast<unsigned long long>(entry.b));
        else
            std::fprintf(to, ": %s\n", entry.text.c_str());
    }
}

}  // namespace opennd::simulation
