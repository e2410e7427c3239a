// SPDX-License-Identifier: MIT
//
// See results.h.
#include "model/play/results.h"

#include <algorithm>

namespace opennd::modeled {

using conformance::Completion;

Results::Results(conformance::CompletionQueue& received, conformance::CompletionQueue& initiated, bool polled)
    : queues_{&received, &initiated} {
    if (polled) thread_ = std::thread([this] { poll(); });
}

void Results::end_polling() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
}

void Results::poll() {
    while (!over_) {
        for (std::size_t i = 0; i < queues_.size(); ++i) {
            const std::vector<Completion> results = queues_[i]->poll(4);
            const std::lock_guard lock(mutex_);
            polled_[i].insert(polled_[i].end(), results.begin(), results.end());
        }
        std::this_thread::yield();
    }
}

std::vector<Completion> Results::take(std::size_t most) {
    std::vector<Completion> taken;
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < queues_.size(); ++i) {
        std::deque<Completion>& polled = polled_[i];
        const std::size_t count = std::min(most, polled.size());
        const auto end = polled.begin() + static_cast<std::ptrdiff_t>(count);
        taken.insert(taken.end(), polled.begin(), end);
        polled.erase(polled.begin(), end);
        if (thread_.joinable() || count == most) continue;
        for (const Completion& each : queues_[i]->poll(most - count)) taken.push_back(each);
    }
    return taken;
}

}  // namespace opennd::modeled
