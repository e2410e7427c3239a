// SPDX-License-Identifier: MIT
// The steps of a fork, one for each thing that a process has once: its threads may be inside when one of them forks, and the child has none of
// them. docs/process_wide.md lists all; docs/decisions/0077 says why.
#pragma once

#include <atomic>
#include <memory>
#include <new>

namespace opennd {

// A step has static storage. The functions run in the thread that forks, and neither allocate nor call anything of a program.
class ForkStep {
public:
    ForkStep(const ForkStep&) = delete;
    ForkStep& operator=(const ForkStep&) = delete;

    // Puts it into the list, for good. Before main, as the library is loaded: no other thread is inside yet.
    bool list() noexcept;

    // All steps: in the parent before the fork, there behind it, and in the child before fork returns.
    static void before() noexcept;
    static void behind() noexcept;
    static void in_child() noexcept;

protected:
    constexpr ForkStep() = default;
    ~ForkStep() = default;

private:
    // Takes a lock under which nothing waits and nothing of a program is called. Any other lock is left to begin_child().
    virtual void before_fork() noexcept {}
    // Gives that lock back.
    virtual void behind_fork() noexcept {}
    // Afterwards the child finds no lock held, and nothing that is its parent's.
    virtual void begin_child() noexcept = 0;

    ForkStep* next_ = nullptr;
    // Release and acquire: written as libraries are loaded.
    static constinit std::atomic<ForkStep*> first_;
};

// Differs between a process and its children: an object that remembers it knows whether it is its parent's.
unsigned process_generation() noexcept;

// In a child, where a thread of the parent may have held `lock`: it is free.
template <typename Lock>
void forget_holder(Lock& lock) noexcept {
    new (&lock) Lock;
}

// An object that a process has once, made at the first need and never destroyed. A child of fork makes its own: its parent's may have been
// in the middle of a change.
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
