// SPDX-License-Identifier: MIT
// See line_clock.h.
#include "platform/process/line_clock.h"

#include <time.h>

#include <cstdio>

#include "base/fork_step.h"
#include "base/lock.h"

namespace opennd {
namespace {

constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

class LineClock final : public ForkStep {
public:
    constexpr LineClock() = default;

    tm in_zone(time_t seconds) noexcept {
        const Held lock(mutex_);
        tm parts{};
        ::localtime_r(&seconds, &parts);
        return parts;
    }

private:
    void before_fork() noexcept override NO_THREAD_SAFETY_ANALYSIS { mutex_.lock(); }
    void behind_fork() noexcept override NO_THREAD_SAFETY_ANALYSIS { mutex_.unlock(); }
    void begin_child() noexcept override { forget_holder(mutex_); }

    Mutex mutex_;  // held around the C library's conversion alone
};

constinit LineClock line_clock;
[[maybe_unused]] const bool line_clock_listed = line_clock.list();

}  // namespace

std::array<char, 32> line_time(LineTime form) noexcept {
    timespec at{};
    ::clock_gettime(CLOCK_REALTIME, &at);
    const tm parts = line_clock.in_zone(at.tv_sec);
    std::array<char, 32> text{};
    if (form == LineTime::with_date) {
        const std::size_t date = ::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts);
        std::snprintf(text.data() + date, text.size() - date, ".%06ld", at.tv_nsec / 1000);
    } else {
        const std::size_t month = std::snprintf(text.data(), text.size(), "%s ", kMonths[parts.tm_mon]);
        ::strftime(text.data() + month, text.size() - month, "%e %H:%M:%S", &parts);
    }
    return text;
}

}  // namespace opennd
