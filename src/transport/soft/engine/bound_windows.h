// SPDX-License-Identifier: MIT
// The memory windows that are bound on one queue pair, for a peer's SendAndInvalidate of one of them (ND1-EP-SINV-03). Not
// thread-safe: the queue pair's lock guards it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/ref.h"
#include "transport/soft/engine/window_binding.h"

namespace opennd::soft {

// A list through the bindings themselves: a Bind executes where nothing may fail, on the service thread too.
class BoundWindows {
public:
    BoundWindows() = default;
    ~BoundWindows() { clear(); }
    BoundWindows(const BoundWindows&) = delete;
    BoundWindows& operator=(const BoundWindows&) = delete;

    // Adds a binding, once. Now and then this forgets bindings that have ended without take().
    void add(SoftWindowBinding& binding) {
        if (count_ >= forget_at_) {
            forget_ended();
            forget_at_ = std::max(kFirstForgetting, 2 * count_);
        }
        binding.next_bound() = std::exchange(first_, Ref<SoftWindowBinding>(&binding));
        ++count_;
    }

    // Removes the binding with this token from the list; null: none that is alive. The caller ends the binding, so that of two
    // callers only one does (ND1-MW-08).
    Ref<SoftWindowBinding> take(Token remote_token) {
        for (Ref<SoftWindowBinding>* at = &first_; *at; at = &(*at)->next_bound()) {
            if ((*at)->remote_token() != remote_token) continue;
            Ref<SoftWindowBinding> taken = unlink(*at);
            return taken->alive() ? taken : nullptr;
        }
        return nullptr;
    }

    void clear() {
        while (first_) unlink(first_);
    }

private:
    Ref<SoftWindowBinding> unlink(Ref<SoftWindowBinding>& at) {
        Ref<SoftWindowBinding> taken = std::exchange(at, nullptr);
        at = std::exchange(taken->next_bound(), nullptr);
        --count_;
        return taken;
    }
    void forget_ended() {
        for (Ref<SoftWindowBinding>* at = &first_; *at;) {
            if ((*at)->alive())
                at = &(*at)->next_bound();
            else
                unlink(*at);
        }
    }

    static constexpr std::size_t kFirstForgetting = 16;

    Ref<SoftWindowBinding> first_;  // the newest
    std::size_t count_ = 0;
    std::size_t forget_at_ = kFirstForgetting;
};

}  // namespace opennd::soft
