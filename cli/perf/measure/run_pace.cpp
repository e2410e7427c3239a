// SPDX-License-Identifier: MIT
//
// Read run_pace.h first.
#include "perf/measure/run_pace.h"

#include "interruption.h"
#include "perf/measure/tick_clock.h"

#include <algorithm>

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
        start_ = span_start_ = now;
        span_completed_ = completed;
    }
    note_completions(now, completed);
    const double elapsed = static_cast<double>(now - start_) * seconds_per_tick();
    if (bar_ != nullptr) bar_->update(elapsed, fraction(elapsed));

    const bool over = iterations_ != 0 ? dealt_ >= iterations_ : elapsed >= duration_seconds_;
    last_batch_ = over || interrupted() ? 0 : batch_;
    if (iterations_ != 0) last_batch_ = std::min(last_batch_, iterations_ - dealt_);
    dealt_ += last_batch_;
    return last_batch_;
}

void RunPace::finish() { end_ = ticks_now(); }

double RunPace::seconds() const { return static_cast<double>(end_ - start_) * seconds_per_tick(); }

// Posts would tell how fast the queues fill. The span is long against the requests that a result completes at once.
void RunPace::note_completions(std::uint64_t now, std::uint64_t completed) {
    const double seconds = static_cast<double>(now - span_start_) * seconds_per_tick();
    if (seconds < kPeakSpan) return;
    peak_per_second_ = std::max(peak_per_second_, static_cast<double>(completed - span_completed_) / seconds);
    span_start_ = now;
    span_completed_ = completed;
}

double RunPace::fraction(double elapsed_seconds) const {
    if (iterations_ != 0) return static_cast<double>(dealt_) / static_cast<double>(iterations_);
    return elapsed_seconds / duration_seconds_;
}

}  // namespace nd
