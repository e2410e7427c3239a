// SPDX-License-Identifier: MIT
// A function outside the library that is told of events, one call at a time, and its replacement.
#pragma once

#include <atomic>
#include <memory>

#include "base/fork_step.h"
#include "base/lock.h"

namespace opennd {

// A sink has static storage, and is listed (ForkStep). `Function`: a pointer to a function. Any thread. The function must not call set().
template <typename Function>
class Sink final : public ForkStep {
public:
    constexpr Sink() = default;

    // The old function is not running when this returns; a null `function` leaves none. Throws std::bad_alloc, and then the old one
    // stays.
    void set(Function function, void* context) {
        std::unique_ptr<const Target> target;
        if (function) target = std::make_unique<const Target>(Target{function, context});
        const Held lock(mutex_);
        target.reset(target_.exchange(target.release()));
    }

    // Calls `call(function, context)`. False: there is no function.
    template <typename Call>
    bool tell(Call&& call) {
        if (target_.load() == nullptr) return false;
        const Held lock(mutex_);
        const Target* const target = target_.load();
        if (target) call(target->function, target->context);
        return target != nullptr;
    }

private:
    struct Target {
        Function function;
        void* context;
    };
    // The function may have been running in a thread of the parent.
    void begin_child() noexcept override { forget_holder(mutex_); }

    Mutex mutex_;  // held while the function runs, so that set() returns after it
    // Changed under mutex_; a child of fork has the old or the new one. Sequentially consistent.
    std::atomic<const Target*> target_{nullptr};
};

}  // namespace opennd
