// SPDX-License-Identifier: MIT
// See recent_lines.h.
#include "base/recent_lines.h"

#include <algorithm>
#include <utility>

#include "base/format.h"
#include "base/log.h"
#include "base/thread_number.h"

namespace opennd {
namespace {

constexpr std::chrono::seconds kSecond{1};

}  // namespace

bool RecentLines::has_room(Time at) const {
    const std::lock_guard lock(mutex_);
    return in_second_ < kMost || at - second_ >= kSecond;
}

bool RecentLines::take_room(Time at) {
    const std::lock_guard lock(mutex_);
    if (at - second_ >= kSecond) {
        second_ = at;
        in_second_ = 0;
    }
    if (in_second_ == kMost) {
        ++left_out_;
        return false;
    }
    ++in_second_;
    return true;
}

void RecentLines::keep(LogLevel level, std::string_view text) {
    const std::lock_guard lock(mutex_);
    if (const std::uint64_t left_out = std::exchange(left_out_, 0); left_out != 0)
        append(LogLevel::info, format("{} lines were left out here: more than {} in a second", left_out, kMost));
    append(level, std::string(text.substr(0, kMostBytes)));
}

// All memory is taken with the first line: later ones neither make the heap grow nor find it exhausted, but for a block of the deque.
void RecentLines::append(LogLevel level, std::string text) {
    if (lines_.empty()) {
        std::deque<RecentLine> empty(kMost);
        for (RecentLine& each : empty) each.text.reserve(kMostBytes);
        lines_.swap(empty);
    }
    lines_.push_back(std::move(lines_.front()));
    lines_.pop_front();
    lines_.back().at = std::chrono::system_clock::now();
    lines_.back().thread = thread_number();
    lines_.back().level = level;
    lines_.back().text.assign(text);
}

std::vector<RecentLine> RecentLines::all() const {
    const std::lock_guard lock(mutex_);
    const auto first = std::ranges::find_if(lines_, [](const RecentLine& each) { return each.thread != 0; });
    return {first, lines_.end()};
}

}  // namespace opennd
