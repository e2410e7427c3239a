// SPDX-License-Identifier: MIT
// The pairs of addresses of this process's connections over RDMA devices (ND2-CON-BIND-04): RoCE does not see that two
// connections have the same four-tuple.
#pragma once

#include <optional>
#include <set>
#include <utility>

#include "base/lock.h"
#include "model/address.h"

namespace opennd::verbs {

class FourTuples {
public:
    // A claim of a pair of addresses, until it is destroyed.
    class Claim {
    public:
        Claim(Claim&& other) noexcept : of_(std::exchange(other.of_, nullptr)), at_(other.at_) {}
        Claim& operator=(Claim&&) = delete;
        ~Claim() {
            if (of_) of_->release(at_);
        }

    private:
        friend class FourTuples;
        using Place = std::multiset<std::pair<Address, Address>>::iterator;
        Claim(FourTuples* of, Place at) : of_(of), at_(at) {}

        FourTuples* of_;
        Place at_;
    };

    // Claims the pair of addresses. Returns nothing if the pair has to be `unique` and a connection has it.
    std::optional<Claim> claim(const Address& local, const Address& peer, bool unique) EXCLUDES(mutex_) {
        const Held lock(mutex_);
        if (unique && taken_.contains({local, peer})) return std::nullopt;
        return Claim(this, taken_.emplace(local, peer));
    }

private:
    void release(Claim::Place at) EXCLUDES(mutex_) {
        const Held lock(mutex_);
        taken_.erase(at);
    }

    Mutex mutex_;  // after a connector's
    std::multiset<std::pair<Address, Address>> taken_ GUARDED_BY(mutex_);
};

}  // namespace opennd::verbs
