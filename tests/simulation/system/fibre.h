// SPDX-License-Identifier: MIT
// A thread that runs only when it is told to, in the one thread of the system that runs them all. It has a stack and
// thread-local variables of its own, because it is a thread of the system as far as these go: one that was made, stopped before
// it did anything, and whose stack and thread pointer another one now uses.
#pragma once

#include <cstdint>
#include <functional>

namespace opennd::simulation {

class Fibre {
public:
    // One that nobody uses, or a new one; never destroyed.
    static Fibre& obtain();
    // Where main runs.
    static Fibre& of_main();
    static Fibre& current();

    // The next switch_to() begins the job, with thread-local variables as in a new thread. The job does not return: it switches
    // away for good, and the fibre may then be given back.
    void prepare(std::function<void()> job);
    // Leaves the current one where it is, and goes on where this one was.
    void switch_to();
    // Another obtain() may have it. Its stack is not needed any more.
    void give_back();

private:
    Fibre() = default;
    static Fibre* make();
    static void* thread_main(void* fibre);
    void run();

    void* stack_pointer_ = nullptr;
    std::uint64_t thread_pointer_ = 0;
    std::uint32_t parked_ = 0;
    std::function<void()> job_;
};

}  // namespace opennd::simulation
