// SPDX-License-Identifier: MIT
// The work that results leave for after all locks: events, failures, requests that may go on. Rare: in the common case it costs a
// comparison.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/ref.h"

namespace opennd {

// The order of the work: a program that hears of a failure or an overrun finds its queue pair in error, and gets results before the end of
// its connection.
enum class Turn : std::uint8_t { failure, request, event, connection };

// An object that has work for a thread without locks.
class Deferrable {
public:
    virtual void do_deferred() = 0;

protected:
    ~Deferrable() = default;
};

// Such an object, and the reference count that keeps it until the work is done.
struct Deferral {
    template <typename Object>
    Deferral(Object& owner) : object(&owner), work(&owner) {}

    RefCounted* object;
    Deferrable* work;
};

// Not thread-safe.
class AfterLock {
public:
    AfterLock() = default;

    // Waits until there is memory: a result that waits for its event has no other way to it.
    void add(Turn turn, const std::function<void()>& work);
    void add(Turn turn, const Deferral& deferral) {
        add(turn, [kept = Ref<RefCounted>(deferral.object), work = deferral.work] { work->do_deferred(); });
    }

    // Does all the work, also that which is added meanwhile. No lock held.
    void run() {
        if (work_) [[unlikely]]
            run_all();
    }
    bool empty() const { return !work_; }

private:
    struct Work;
    struct Delete {
        void operator()(Work* work) const;
    };
    void run_all();

    std::unique_ptr<Work, Delete> work_;
};

}  // namespace opennd
