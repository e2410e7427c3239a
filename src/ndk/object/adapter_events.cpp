// SPDX-License-Identifier: MIT
// See adapter_events.h.
#include "ndk/object/adapter_events.h"

#include <algorithm>

#include "base/fork_step.h"

namespace opennd {
namespace {

constinit thread_local bool is_teller = false;

// A child that is forked in a event is in none of its own.
class TellerInChild final : public ForkStep {
    void begin_child() noexcept override { is_teller = false; }
};
constinit TellerInChild teller_in_child;
[[maybe_unused]] const bool teller_listed = teller_in_child.list();

}  // namespace

bool AdapterEvents::is_telling() { return is_teller; }

AdapterEvents::Entries::iterator AdapterEvents::find(const Consumer& consumer) {
    return std::find_if(entries_.begin(), entries_.end(),
                        [&](const Entry& entry) { return entry.consumer == consumer; });
}

bool AdapterEvents::add(const Consumer& consumer) {
    const Held lock(mutex_);
    if (find(consumer) != entries_.end()) return false;
    entries_.push_back({consumer, last_number_ + 1});
    ++last_number_;
    return true;
}

bool AdapterEvents::remove(const Consumer& consumer) {
    const Held lock(mutex_);
    const auto found = find(consumer);
    if (found == entries_.end()) return false;
    const std::uint64_t number = found->number;
    entries_.erase(found);
    while (told_ == number && teller_ != std::this_thread::get_id()) changed_.wait(mutex_);
    return true;
}

// Entries may come and go between two callbacks: each step takes the first entry above the last number told.
void AdapterEvents::tell(NET_IFINDEX interface, NET_PNP_EVENT_CODE event) {
    std::uint64_t last = 0;
    {
        const Held lock(mutex_);
        last = last_number_;
        teller_ = std::this_thread::get_id();
    }
    is_teller = true;
    for (std::uint64_t told = 0;;) {
        Consumer consumer{};
        {
            const Held lock(mutex_);
            told_ = 0;
            changed_.notify_all();
            const auto next =
                std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.number > told; });
            if (next == entries_.end() || next->number > last) break;
            told = told_ = next->number;
            consumer = next->consumer;
        }
        consumer.callback(consumer.context, interface, event);
    }
    is_teller = false;
}

}  // namespace opennd
