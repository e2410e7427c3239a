// SPDX-License-Identifier: MIT
// The checking layer as the other layers know it: they tell events, on paths where a load costs nothing, and it judges. There
// is none unless OPENND_CHECK asks for it.
#pragma once

#include <atomic>
#include <string_view>

#include "base/check_rule.h"

namespace opennd {

// The texts are borrowed for the call.
struct Misuse {
    CheckRule rule;
    std::string_view object;  // "queue pair 3"
    std::string_view fact;    // "Read of 8 bytes, and the outbound read limit is 0"
};

// Any thread, also with locks held: an implementation calls nothing but the log and the program's sink.
class Checker {
public:
    // The program's frames of the calling thread are the call site. May end the process.
    virtual void tell(const Misuse& misuse) noexcept = 0;

    // An object that the program has to release. `kind`: static text. The address is a name only.
    virtual void made(const void* object, std::string_view kind) noexcept = 0;
    virtual void released(const void* object) noexcept = 0;
    // A method was called on an object after its last Release. `method`: static text.
    virtual void used_after_release(const void* object, std::string_view method) noexcept = 0;

    // A request that completes in an OVERLAPPED: accepted for `object`; about to get its status; asked for through `object`.
    virtual void began(const void* overlapped, const void* object) noexcept = 0;
    virtual void ends(const void* overlapped) noexcept = 0;
    virtual void asked(const void* overlapped, const void* object) noexcept = 0;

    // The process ends in order.
    virtual void at_exit() noexcept = 0;

protected:
    ~Checker() = default;
};

namespace internal {
// Acquire and release: the object is complete. It is never destroyed.
inline constinit std::atomic<Checker*> checker{nullptr};
}  // namespace internal

// The checker of this process; null: nothing is checked.
inline Checker* checker() noexcept { return internal::checker.load(std::memory_order_acquire); }
inline void set_checker(Checker* checker) noexcept { internal::checker.store(checker, std::memory_order_release); }

}  // namespace opennd
