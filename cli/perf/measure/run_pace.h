// SPDX-License-Identifier: MIT
//
// RunPace: how long a loop goes on - a number of iterations or a time - dealt out in batches, so that the loop itself
// looks at no clock. An interruption ends it after the batch.
#pragma once

#include "perf/measure/measurement.h"
#include "perf/measure/progress_bar.h"

#include <cstdint>

namespace nd {

class RunPace {
public:
    // iterations 0: until duration_ms have passed. `lanes`: as many iterations complete for one that is dealt. bar may be null.
    RunPace(std::uint64_t iterations, std::uint32_t duration_ms, std::uint64_t batch, ProgressBar* bar,
            std::uint32_t lanes = 1)
        : RunPace(iterations, duration_ms, batch, bar, lanes, "") {}

    // Makes the pace of iterations before the measurement; there is at least 1 of them.
    static RunPace warm_up(std::uint64_t iterations, std::uint64_t batch, ProgressBar* bar, std::uint32_t lanes = 1) {
        return RunPace(iterations, 0, batch, bar, lanes, "warming up");
    }

    // How many iterations to do before the next call; 0: no more. The clock starts with the first call. `completed` is a
    // count that grows by one for each iteration whose completion was seen.
    std::uint64_t next_batch(std::uint64_t completed);
    // For loops that complete each iteration before they begin the next.
    std::uint64_t next_batch() { return next_batch(dealt_); }

    // For a loop that waits within a batch, as for operations that take long: shows how far it is.
    void look(std::uint64_t completed);

    // The last iteration is complete. `completed` is the count as for next_batch.
    void finish(std::uint64_t completed);
    void finish() { finish(dealt_); }

    // After finish(): iterations, seconds, the peak, and whether an interruption ended the loop. The peak is the rate of completions
    // in the best span of kPeakSpan to twice as much, or of the whole loop if that was shorter: it is never below the average.
    Measurement measured() const;

private:
    // A moment of the loop: its time, and the count of completions then.
    struct Moment {
        std::uint64_t ticks = 0, completed = 0;
    };

    RunPace(std::uint64_t iterations, std::uint32_t duration_ms, std::uint64_t batch, ProgressBar* bar,
            std::uint32_t lanes, const char* phase);

    static double rate_between(const Moment& from, const Moment& to);
    void note_completions(std::uint64_t now, std::uint64_t completed);
    void note_last_span(std::uint64_t completed);
    double fraction(std::uint64_t now, std::uint64_t completed) const;
    double seconds_until(std::uint64_t now) const;

    const std::uint64_t iterations_, batch_, lanes_;
    const double duration_seconds_;
    ProgressBar* const bar_;  // null where nobody would see it
    const char* const phase_;
    std::uint64_t dealt_ = 0;
    std::uint64_t start_ = 0, end_ = 0;
    std::uint64_t completed_before_ = 0;  // when the clock started
    Moment span_, earlier_span_;          // the beginnings of the span that goes on, and of the one before it
    double peak_per_second_ = 0;
    bool interrupted_ = false;  // before the last iteration
};

}  // namespace nd
