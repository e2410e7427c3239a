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

    // How many iterations to do before the next call; 0: no more. The clock starts with the first call.
    std::uint64_t next_batch();

    // The last iteration is complete.
    void finish();

    std::uint64_t iterations() const { return dealt_; }
    double seconds() const;
    // Of full batches; 0 if there was none.
    double best_iterations_per_second() const;

private:
    void note_batch(std::uint64_t now);
    double fraction(double elapsed_seconds) const;

    const std::uint64_t iterations_, batch_;
    const double duration_seconds_;
    ProgressBar* const bar_;
    std::uint64_t dealt_ = 0, last_batch_ = 0;
    std::uint64_t start_ = 0, end_ = 0, batch_start_ = 0, best_ticks_ = 0;
};

}  // namespace nd
