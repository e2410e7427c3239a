// SPDX-License-Identifier: MIT
// The connections that peers made and no program has answered: silent ones, which have not sent their request, and requests.
// No host and no number of hosts gets more than a part of the descriptors that the process may have. A burst is taken; those
// that stay silent give way, the oldest first (IW-SEC-15).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/lock.h"
#include "model/address.h"
#include "platform/process/clock.h"

namespace opennd::iwarp {

// Any thread.
class Callers {
public:
    // A connection that is silent for longer than kSilence counts as one that stays silent. kMostSilent bounds their number.
    static constexpr std::chrono::seconds kSilence{1};
    static constexpr std::size_t kMostSilentOfOneHost = 32, kMostSilent = 256;

    // Silent ones and requests together.
    struct Ceilings {
        std::size_t of_one_host, in_all;
    };
    static Ceilings ceilings(std::size_t descriptors);

    enum class Number : std::uint64_t { none };
    using Leave = std::function<void()>;
    struct Admission {
        Number number;  // none: its host has too many requests
        Leave
            leaves;  // ends the caller that must leave for it; may be empty. To be called soon, with no lock held; after
                     // it that caller has asked, or is removed
    };

    // Returns true if one more comes up to no ceiling, for any number of descriptors.
    bool are_few() const EXCLUDES(mutex_);
    // Requests have taken all places: the next connection stays in the socket.
    bool full(const Ceilings& ceilings) const EXCLUDES(mutex_);
    // One more, silent. Only if not full(). `leave` ends it, and goes with it.
    Admission add(const Address& peer, Leave leave, const Ceilings& ceilings, SteadyTime at) EXCLUDES(mutex_);
    // The caller has sent its request. No effect if it is removed already, as with remove().
    void asked(Number number) EXCLUDES(mutex_);
    void remove(Number number) EXCLUDES(mutex_);

private:
    enum class State : std::uint8_t {
        silent,
        leaving,  // unless its request has arrived. Does not count until then
        asked,
    };
    struct Caller {
        Number number;
        Address peer;
        SteadyTime since;
        State state;
        Leave leave;
    };
    using Iterator = std::vector<Caller>::iterator;
    Iterator oldest_silent(const Address* host) REQUIRES(mutex_);
    std::size_t count_of(const Address* host) const REQUIRES(mutex_);
    Iterator who_leaves(const Address& host, const Ceilings& ceilings, SteadyTime at) REQUIRES(mutex_);

    mutable Mutex mutex_;                             // nothing is called under it
    std::vector<Caller> callers_ GUARDED_BY(mutex_);  // oldest first
    std::uint64_t newest_ GUARDED_BY(mutex_) = 0;
};

}  // namespace opennd::iwarp
