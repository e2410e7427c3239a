// SPDX-License-Identifier: MIT
//
// Read run_pace.h first.
#include "perf/measure/run_pace.h"

#include "interruption.h"
#include "perf/measure/tick_clock.h"

#include <algorithm>

namespace nd {

RunPace::RunPace(std::uint64_t iterations, std::uint32_t duration_ms, std::uint64_t batch, ProgressBar* bar)
    : iterations_(iterations),
      batch_(std::max<std::uint64_t>(batch, 1)),
      duration_seconds_(duration_ms / 1e3),
      bar_(bar) {}

std::uint64_t RunPace::next_batch() {
    const std::uint64_t now = ticks_now();
    if (start_ == 0) start_ = now;
    note_batch(now);
    batch_start_ = now;
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

double RunPace::best_iterations_per_second() const {
    return best_ticks_ == 0 ? 0 : static_cast<double>(batch_) / (static_cast<double>(best_ticks_) * seconds_per_tick());
}

// The first batch also fills the queues, at more than the sustained rate, and does not count.
void RunPace::note_batch(std::uint64_t now) {
    if (last_batch_ != batch_ || dealt_ <= batch_) return;
    const std::uint64_t spent = now - batch_start_;
    if (best_ticks_ == 0 || spent < best_ticks_) best_ticks_ = spent;
}

double RunPace::fraction(double elapsed_seconds) const {
    if (iterations_ != 0) return static_cast<double>(dealt_) / static_cast<double>(iterations_);
    return elapsed_seconds / duration_seconds_;
}

}  // namespace nd
