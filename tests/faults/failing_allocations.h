// SPDX-License-Identifier: MIT
//
// This program's own operators new: allocations of libopennd's code may fail. The C++ library's allocations on its
// behalf, and calloc, which sanitizers have as their own, never fail here.
#pragma once

#include <string>

namespace opennd::faults {

// While it lives, one of the allocations of libopennd in this thread fails: the `number`th, from 0.
class FailingAllocation {
public:
    explicit FailingAllocation(long number);
    FailingAllocation(const FailingAllocation&) = delete;
    FailingAllocation& operator=(const FailingAllocation&) = delete;
    ~FailingAllocation();

    // While it lives, no allocation fails: posts and polls throw nothing, and a data path without memory ends the
    // process.
    class Truce {
    public:
        Truce();
        Truce(const Truce&) = delete;
        Truce& operator=(const Truce&) = delete;
        ~Truce();

    private:
        const bool interrupts_;
    };

    // False: there were fewer allocations.
    bool failed() const;
    // Where: for addr2line, "libopennd.so+0x1234".
    std::string text() const;
};

}  // namespace opennd::faults
