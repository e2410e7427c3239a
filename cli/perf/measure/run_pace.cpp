// SPDX-License-Identifier: MIT
//
// Read run_pace.h first.
#include "perf/measure/run_pace.h"

#include "interruption.h"
#include "perf/measure/tick_clock.h"

#include <algorithm>
#include <utility>

namespace nd {
namespace {

constexpr double kPeakSpan = 0.01;  // seconds

}  // namespace

RunPace::RunPace(std::uint64_t iterations, std::uint32_t duration_ms, std::uint64_t batch, ProgressBar* bar)
    : iterations_(iterations),
      batch_(std::max<std::uint64_t>(batch, 1)),
      duration_seconds_(duration_ms / 1e3),
      bar_(bar) {}

std::uint64_t RunPace::next_batch(std::uint64_t completed) {
    const std::uint64_t now = ticks_now();
    if (start_ == 0) {
        start_ = now;
        span_ = earlier_span_ = {now, completed};
    }
    note_completions(now, completed);
    const double elapsed = static_cast<double>(now - start_) * seconds_per_tick();
    if (bar_ != nullptr) bar_->update(elapsed, fraction(elapsed));

    const bool over = iterations_ != 0 ? dealt_ >= iterations_ : elapsed >= duration_seconds_;
    interrupted_ = !over && interrupted();
    if (over || interrupted_) return 0;
    const std::uint64_t next = iterations_ != 0 ? std::min(batch_, iterations_ - dealt_) : batch_;
    dealt_ += next;
    return next;
}

void RunPace::finish(std::uint64_t completed) {
    end_ = ticks_now();
    note_last_span(completed);
}

Measurement RunPace::measured() const {
    Measurement measured;
    measured.iterations = dealt_;
    measured.seconds = static_cast<double>(end_ - start_) * seconds_per_tick();
    measured.peak_per_second = peak_per_second_;
    measured.interrupted = interrupted_;
    return measured;
}

double RunPace::rate_between(const Moment& from, const Moment& to) {
    if (to.ticks == from.ticks) return 0;
    return static_cast<double>(to.completed - from.completed) /
           (static_cast<double>(to.ticks - from.ticks) * seconds_per_tick());
}

// Posts would tell how fast the queues fill. The span is long against the requests that a result completes at once.
void RunPace::note_completions(std::uint64_t now, std::uint64_t completed) {
    const Moment moment{now, completed};
    if (static_cast<double>(now - span_.ticks) * seconds_per_tick() < kPeakSpan) return;
    peak_per_second_ = std::max(peak_per_second_, rate_between(span_, moment));
    earlier_span_ = std::exchange(span_, moment);
}

// What is left behind the last whole span is too short for a rate of its own, and counts together with that span.
void RunPace::note_last_span(std::uint64_t completed) {
    peak_per_second_ = std::max(peak_per_second_, rate_between(earlier_span_, {end_, completed}));
}

double RunPace::fraction(double elapsed_seconds) const {
    if (iterations_ != 0) return static_cast<double>(dealt_) / static_cast<double>(iterations_);
    return elapsed_seconds / duration_seconds_;
}

}  // namespace nd
