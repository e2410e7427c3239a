// SPDX-License-Identifier: MIT
//
// The results of a side's two completion queues: as it polls them, or as a second thread does all the time, which so runs the library
// while the side ends its connections.
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "conformance/vocabulary/driver.h"

namespace opennd::modeled {

class Results {
public:
    // Both outlive this. `polled`: by a second thread.
    Results(conformance::CompletionQueue& received, conformance::CompletionQueue& initiated, bool polled);
    Results(const Results&) = delete;
    Results& operator=(const Results&) = delete;
    ~Results() { end_polling(); }

    // At most so many of each queue.
    std::vector<conformance::Completion> take(std::size_t most);
    // The second thread ends; the queues have what it did not take.
    void end_polling();

private:
    void poll();

    const std::array<conformance::CompletionQueue*, 2> queues_;
    std::atomic<bool> over_{false};
    std::mutex mutex_;  // guards polled_
    std::array<std::deque<conformance::Completion>, 2> polled_;
    std::thread thread_;  // last: it uses the rest
};

}  // namespace opennd::modeled
