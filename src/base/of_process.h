// SPDX-License-Identifier: MIT
// An object that a process has once, made at the first need and never destroyed. A child of fork makes its own: its parent's may have been
// in the middle of a change.
#pragma once

#include <atomic>
#include <memory>

#include "base/fork_step.h"

namespace opennd {

// It has static storage, and is listed (ForkStep). Nobody waits: threads that need the object at the same time may each make one, and the first
// to finish counts. `T` is made from a pointer to the parent process's object, or null: of that it may read plain numbers.
template <typename T>
class OfProcess final : public ForkStep {
public:
    constexpr OfProcess() = default;

    // The object, or null before the first need.
    T* found() const { return made_.load(std::memory_order_acquire); }
    // Throws as T's constructor does.
    T& get() {
        T* const made = found();
        return made ? *made : make();
    }

    // The next get() makes another one. No other thread is inside.
    void forget() noexcept {
        if (T* const left = made_.exchange(nullptr, std::memory_order_relaxed)) parents_ = left;
    }

private:
    T& make() {
        auto mine = std::make_unique<T>(parents_);
        T* other = nullptr;
        if (!made_.compare_exchange_strong(other, mine.get(), std::memory_order_acq_rel)) return *other;
        return *mine.release();
    }
    void begin_child() noexcept override { forget(); }

    // Release and acquire: a reader sees the whole object.
    std::atomic<T*> made_{nullptr};
    const T* parents_ = nullptr;  // written in a child alone, before it has another thread
};

}  // namespace opennd
