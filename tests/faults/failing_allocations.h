// SPDX-License-Identifier: MIT
//
// This program's own operators new: allocations of libopennd's code may fail. The C++ library's allocations on its
// behalf, and calloc, which sanitizers have as their own, never fail here.
#pragma once

#include <cstdint>
#include <string>

namespace opennd::faults {

// While it lives, allocations of libopennd fail on every thread, the service thread and those of callbacks included: one in `one_in`, by
// chance. One at a time.
class ScarceMemory {
public:
    ScarceMemory(unsigned one_in, std::uint64_t seed);
    ScarceMemory(const ScarceMemory&) = delete;
    ScarceMemory& operator=(const ScarceMemory&) = delete;
    ~ScarceMemory();

    // How many have failed.
    long failures() const;
};

// While it lives, one of the allocations of libopennd in this thread fails: the `number`th, from 0.
class FailingAllocation {
public:
    explicit FailingAllocation(long number);
    FailingAllocation(const FailingAllocation&) = delete;
    FailingAllocation& operator=(const FailingAllocation&) = delete;
    ~FailingAllocation();

    // While it lives, none of this thread fails that way: of posts, polls and callbacks those are walked that ScarceMemory finds.
    class Truce {
    public:
        Truce();
        Truce(const Truce&) = delete;
        Truce& operator=(const Truce&) = delete;
        ~Truce();

    private:
        const bool interrupts_;
    };

    // Whether an allocation failed; false: there were fewer.
    bool failed() const;
    // Where: for addr2line, "libopennd.so+0x1234".
    std::string text() const;
};

}  // namespace opennd::faults
