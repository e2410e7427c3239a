// SPDX-License-Identifier: MIT
// The program's objects and the place where it made each: those that are left when the process ends are leaked.
#pragma once

#include <string_view>
#include <unordered_map>

#include "base/lock.h"
#include "check/diagnostics.h"
#include "platform/process/call_stack.h"

namespace opennd {

// Any thread.
class UnreleasedObjects {
public:
    // `kind`: static text, a name or a mangled one. Throws std::bad_alloc.
    void add(const void* object, std::string_view kind) EXCLUDES(mutex_);
    // Its kind; empty: it was not added.
    std::string_view remove(const void* object) EXCLUDES(mutex_);

    // One diagnostic for each kind and place, with the number of objects. Throws std::bad_alloc.
    void tell(Diagnostics& diagnostics) const EXCLUDES(mutex_);

private:
    struct Made {
        std::string_view kind;
        CallStack at;
    };

    mutable Mutex mutex_;  // nothing is called under it
    std::unordered_map<const void*, Made> objects_ GUARDED_BY(mutex_);
};

}  // namespace opennd
