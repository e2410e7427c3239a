// SPDX-License-Identifier: MIT
// A value that is made once in a process, at the first need. Nobody waits: threads that need it at the same time may each make
// one, and the first to finish counts.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace opennd {

// A value of static storage that is never destroyed. A child of fork keeps its parent's. Any thread.
template <typename T>
class KeptOnce {
public:
    // The object, or null before the first need.
    const T* get() const { return kept_.load(std::memory_order_acquire); }

    // The one that counts, of a T made without arguments. Throws std::bad_alloc.
    const T& made() {
        const T* const kept = get();
        return kept ? *kept : keep(T());
    }

    // The one that counts. Throws std::bad_alloc.
    const T& keep(T value) {
        auto mine = std::make_unique<const T>(std::move(value));
        const T* other = nullptr;
        if (!kept_.compare_exchange_strong(other, mine.get(), std::memory_order_acq_rel)) return *other;
        return *mine.release();
    }

private:
    // Release and acquire: a reader sees the whole value.
    std::atomic<const T*> kept_{nullptr};
};

}  // namespace opennd
