// SPDX-License-Identifier: MIT
//
// Read counter_rates.h first.
#include "inspect/counter_rates.h"

#include <utility>

namespace nd {

std::optional<double> CounterRates::add(unsigned pid, std::uint64_t interface, const NamedCounter& counter, Time when) {
    const Key key = {pid, interface, counter.name, counter.wire};
    now_[key] = {counter.value, when};
    const auto before = before_.find(key);
    if (!counter.grows || before == before_.end()) return std::nullopt;
    const auto [value, then] = before->second;
    const double seconds = std::chrono::duration<double>(when - then).count();
    if (counter.value < value || seconds <= 0) return std::nullopt;
    return static_cast<double>(counter.value - value) / seconds;
}

std::optional<double> CounterRates::seconds(unsigned pid, Time when) const {
    const auto first = before_.lower_bound({pid, 0, "", ""});
    if (first == before_.end() || std::get<unsigned>(first->first) != pid) return std::nullopt;
    return std::chrono::duration<double>(when - first->second.when).count();
}

void CounterRates::end_sample() { before_ = std::exchange(now_, {}); }

}  // namespace nd
