// SPDX-License-Identifier: MIT
// The steps of a fork, one for each thing that a process has once: its threads may be inside when one of them forks, and the child has none of
// them. docs/process_wide.md lists all; docs/decisions/0077 says why.
#pragma once

#include <atomic>
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

// In a child, where a thread of the parent may have held `lock`: it is free.
template <typename Lock>
void forget_holder(Lock& lock) noexcept {
    new (&lock) Lock;
}

}  // namespace opennd
