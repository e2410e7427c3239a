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

RunPace::RunPace(std::uint64_t iterations, std::uint32_t duration_ms, std::uint64_t batch, ProgressBar* bar,
                 std::uint32_t lanes, const char* phase)
    : iterations_(iterations),
      batch_(std::max<std::uint64_t>(batch, 1)),
      lanes_(lanes),
      duration_seconds_(duration_ms / 1e3),
      bar_(bar != nullptr && bar->on_terminal() ? bar : nullptr),
      phase_(phase) {}

std::uint64_t RunPace::next_batch(std::uint64_t completed) {
    const std::uint64_t now = ticks_now();
    if (start_ == 0) {
        if (bar_ != nullptr) bar_->begin(phase_);
        start_ = now;
        completed_before_ = completed;
        span_ = earlier_span_ = {now, completed};
    }
    note_completions(now, completed);
    if (bar_ != nullptr) bar_->update(fraction(now, completed));

    const bool over = iterations_ != 0 ? dealt_ >= iterations_ : seconds_until(now) >= duration_seconds_;
    interrupted_ = !over && interrupted();
    if (over || interrupted_) return 0;
    const std::uint64_t next = iterations_ != 0 ? std::min(batch_, iterations_ - dealt_) : batch_;
    dealt_ += next;
    return next;
}

void RunPace::look(std::uint64_t completed) {
    if (bar_ != nullptr) bar_->update(fraction(ticks_now(), completed));
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

double RunPace::fraction(std::uint64_t now, std::uint64_t completed) const {
    if (iterations_ == 0) return seconds_until(now) / duration_seconds_;
    return static_cast<double>(completed - completed_before_) / static_cast<double>(iterations_ * lanes_);
}

double RunPace::seconds_until(std::uint64_t now) const {
    return static_cast<double>(now - start_) * seconds_per_tick();
}

}  // namespace nd
