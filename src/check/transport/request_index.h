// SPDX-License-Identifier: MIT
// Outstanding requests by number. A checked request carries its number in place of the program's context, so that its completion tells
// which one it is.
#pragma once

#include <atomic>
#include <cstdint>
#include <unordered_map>

#include "base/lock.h"
#include "base/ref.h"

namespace opennd {

class RequestBook;

// Any thread.
class RequestIndex {
public:
    RequestIndex();
    ~RequestIndex();

    // Increases with each call; never 0. The order of numbers is that of the calls.
    std::uint64_t next_number() { return next_.fetch_add(1); }

    // Throws std::bad_alloc.
    void add(std::uint64_t number, Ref<RequestBook> book) EXCLUDES(mutex_);
    // The book that has the request, which the index forgets; null: it has none such.
    Ref<RequestBook> take(std::uint64_t number) EXCLUDES(mutex_);
    // The book that has the request, which the index keeps; null: it has none such.
    Ref<RequestBook> find(std::uint64_t number) const EXCLUDES(mutex_);

private:
    std::atomic<std::uint64_t> next_{1};

    mutable Mutex mutex_;  // nothing is called under it
    std::unordered_map<std::uint64_t, Ref<RequestBook>> books_ GUARDED_BY(mutex_);
};

}  // namespace opennd
