// SPDX-License-Identifier: MIT
// The bindings of memory windows that end with one object: a region, a queue pair, or a window (ND2-MW-05). Not
// thread-safe; each owner says which lock guards its list.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/ref.h"
#include "transport/window_binding.h"

namespace opennd {

class BindingList {
public:
    // Forgets those at rest now and then, so that binding and invalidating may go on for ever.
    void add(Ref<TransportWindowBinding> binding) {
        if (bindings_.size() >= forget_at_) {
            std::erase_if(bindings_, [](const Ref<TransportWindowBinding>& each) { return each->at_rest(); });
            forget_at_ = std::max(kFirstForgetting, 2 * bindings_.size());
        }
        bindings_.push_back(std::move(binding));
    }

    bool any_alive() const {
        return std::any_of(bindings_.begin(), bindings_.end(),
                           [](const Ref<TransportWindowBinding>& each) { return each->alive(); });
    }

    // Ends all of a list that was moved out of its owner. No lock held.
    static void end(BindingList list) {
        for (const Ref<TransportWindowBinding>& each : list.bindings_) each->end();
    }

private:
    static constexpr std::size_t kFirstForgetting = 16;

    std::vector<Ref<TransportWindowBinding>> bindings_;
    std::size_t forget_at_ = kFirstForgetting;
};

}  // namespace opennd
