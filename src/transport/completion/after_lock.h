// SPDX-License-Identifier: MIT
// The work that results leave for after all locks: events, failures, requests that may go on. Rare: in the common case it costs a
// comparison.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "base/ref.h"
#include "base/until_memory.h"

namespace opennd {

// The order of the work: a program that hears of a failure or an overrun finds its queue pair in error, and gets results before the end of
// its connection.
enum class Turn : std::uint8_t { failure, request, event, connection };

// An object that has work for a thread without locks.
class Deferrable {
public:
    virtual void run_deferred() = 0;

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

    // Adds work, and waits until there is memory for it: a result that waits for its event has no other way to it. `call` may throw
    // std::bad_alloc where it is copied.
    template <std::invocable Call>
    void add(Turn turn, const Call& call) {
        std::function<void()> work;
        until_memory([&] { work = call; });
        append(turn, std::move(work));
    }
    void add(Turn turn, const Deferral& deferral) {
        add(turn, [kept = Ref<RefCounted>(deferral.object), work = deferral.work] { work->run_deferred(); });
    }

    // Does all the work, also that which is added meanwhile. Work that has no memory holds up none behind it; std::bad_alloc is
    // thrown at the end. No lock held.
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
    void append(Turn turn, std::function<void()> work);
    void run_all();

    std::unique_ptr<Work, Delete> work_;
};

}  // namespace opennd
