// SPDX-License-Identifier: MIT
// One thread's run of the data path: the array that it offers for results, and the work that is left for after all locks.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "base/ref.h"
#include "model/completion.h"

namespace opennd::soft {

class ResultRing;

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

class Progress {
public:
    Progress() = default;
    // A caller polls `results` into `completions`.
    Progress(const ResultRing& results, std::span<Completion> completions) : polled(&results), room(completions) {}

    // Null if the thread does not poll.
    const ResultRing* const polled = nullptr;
    const std::span<Completion> room;
    std::size_t used = 0;

    bool full() const { return polled != nullptr && used == room.size(); }

    // An event of a queue is due; a queue pair has something to do outside its lock, which comes after all events. Rare.
    void add_event(const Deferral& queue);
    void add_unsettled(const Deferral& queue_pair);

    // Does the added work. No lock held.
    void do_deferred() {
        if (deferred_) [[unlikely]]
            do_all_deferred();
    }

private:
    struct Deferred;
    struct Delete {
        void operator()(Deferred* deferred) const;
    };
    Deferred& deferred();
    void do_all_deferred();

    std::unique_ptr<Deferred, Delete> deferred_;  // null in the common case, which costs one comparison
};

}  // namespace opennd::soft
