// SPDX-License-Identifier: MIT
//
// RunPace: how long a loop goes on - a number of iterations or a time - dealt out in batches, so that the loop itself
// looks at no clock. SIGINT ends it after the batch.
#pragma once

#include "perf/measure/progress_bar.h"

#include <cstdint>

namespace nd {

class RunPace {
public:
    // iterations 0: until duration_ms have passed. bar may be null.
    RunPace(std::uint64_t iterations, std::uint32_t duration_ms, std::uint64_t batch, ProgressBar* bar);

    // How many iterations to do before the next call; 0: no more. The clock starts with the first call. `completed` is a
    // count that grows by one for each iteration whose completion was seen.
    std::uint64_t next_batch(std::uint64_t completed);
    // For loops that complete each iteration before they begin the next.
    std::uint64_t next_batch() { return next_batch(dealt_); }

    // The last iteration is complete.
    void finish();

    std::uint64_t iterations() const { return dealt_; }
    double seconds() const;
    // Completions in the best span of kPeakSpan or little more; 0 if the loop was shorter.
    double peak_per_second() const { return peak_per_second_; }

private:
    void note_completions(std::uint64_t now, std::uint64_t completed);
    double fraction(double elapsed_seconds) const;

    const std::uint64_t iterations_, batch_;
    const double duration_seconds_;
    ProgressBar* const bar_;
    std::uint64_t dealt_ = 0, last_batch_ = 0;
    std::uint64_t start_ = 0, end_ = 0;
    std::uint64_t span_start_ = 0, span_completed_ = 0;  // the time and the count at the beginning of the span
    double peak_per_second_ = 0;
};

}  // namespace nd
