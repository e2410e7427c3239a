// SPDX-License-Identifier: MIT
//
// This program's own functions of the system, between the library and the C library: each passes the call on, unless a
// test has it fail. A program's functions come before those of shared objects, so that nothing is preloaded and nothing
// in the library knows.
#pragma once

#include <string>

namespace opennd::faults {

// Why a call fails: its resource has run out, a sandbox forbids it, or the kernel lacks it. Each function has its own
// error number for each.
enum class Cause { exhausted, forbidden, absent };

// While it lives, one of the calls of the whole process fails: the `number`th, from 0.
class FailingCall {
public:
    FailingCall(long number, Cause cause);
    FailingCall(const FailingCall&) = delete;
    FailingCall& operator=(const FailingCall&) = delete;
    ~FailingCall();

    // Whether a call failed; false: there were fewer calls.
    bool failed() const;
    // The function that failed, and its number: "memfd_create: Too many open files".
    std::string text() const;
};

// While it lives, each call that a signal may interrupt is interrupted once before it is made.
class Interruptions {
public:
    Interruptions();
    Interruptions(const Interruptions&) = delete;
    Interruptions& operator=(const Interruptions&) = delete;
    ~Interruptions();

    // How many there were.
    long count() const;
};

// While it lives, every call of this function fails with this error.
class FailingFunction {
public:
    FailingFunction(const char* function, int error);
    FailingFunction(const FailingFunction&) = delete;
    FailingFunction& operator=(const FailingFunction&) = delete;
    ~FailingFunction();

    // How many calls have failed.
    long count() const;
};

}  // namespace opennd::faults
