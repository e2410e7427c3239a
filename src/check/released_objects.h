// SPDX-License-Identifier: MIT
// The program's objects that were released last, and the place where each was: for calls that come after that.
#pragma once

#include <cstddef>
#include <deque>
#include <string_view>
#include <unordered_map>

#include "base/lock.h"
#include "check/diagnostics.h"
#include "platform/process/call_stack.h"

namespace opennd {

// Any thread.
class ReleasedObjects {
public:
    // `kind`: static text. The calling thread releases it. Throws std::bad_alloc.
    void add(const void* object, std::string_view kind) EXCLUDES(mutex_);
    void forget(const void* object) EXCLUDES(mutex_);

    // The calling thread uses `object`. Throws std::bad_alloc.
    void tell_use(const void* object, std::string_view method, Diagnostics& diagnostics) const EXCLUDES(mutex_);

private:
    // The oldest ones are forgotten: programs release objects without end.
    static constexpr std::size_t kMost = 4096;

    struct Released {
        std::string_view kind;
        CallStack at;
    };

    mutable Mutex mutex_;  // nothing is called under it
    std::unordered_map<const void*, Released> objects_ GUARDED_BY(mutex_);
    std::deque<const void*> in_order_ GUARDED_BY(mutex_);  // the oldest first; some are forgotten
};

}  // namespace opennd
