// SPDX-License-Identifier: MIT
// The memory windows that are bound on one queue pair, for the peer that takes one of them away (ND1-EP-SINV-03). Not
// thread-safe: the queue pair's lock guards it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/ref.h"
#include "transport/soft/window_binding.h"

namespace opennd::soft {

class BoundWindows {
public:
    // Forgets those that ended otherwise now and then.
    void add(SoftWindowBinding& binding) {
        if (bindings_.size() >= forget_at_) {
            std::erase_if(bindings_, [](const Ref<SoftWindowBinding>& each) { return !each->alive(); });
            forget_at_ = std::max(kFirstForgetting, 2 * bindings_.size());
        }
        bindings_.emplace_back(&binding);
    }

    // The binding with this token, which is in the list no more; null: none that is alive. Whoever takes it ends it, so
    // that of two who want to only one does (ND1-MW-08).
    Ref<SoftWindowBinding> take(Token remote_token) {
        const auto found = std::find_if(bindings_.begin(), bindings_.end(), [&](const Ref<SoftWindowBinding>& each) {
            return each->remote_token() == remote_token;
        });
        if (found == bindings_.end()) return nullptr;
        Ref<SoftWindowBinding> taken = std::move(*found);
        bindings_.erase(found);
        return taken->alive() ? taken : nullptr;
    }

    void clear() { bindings_.clear(); }

private:
    static constexpr std::size_t kFirstForgetting = 16;

    std::vector<Ref<SoftWindowBinding>> bindings_;
    std::size_t forget_at_ = kFirstForgetting;
};

}  // namespace opennd::soft
