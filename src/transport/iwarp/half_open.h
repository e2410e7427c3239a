// SPDX-License-Identifier: MIT
// The connections of one listener that have not sent their request yet: not too many, and not too many of one peer, the
// oldest going first (IW-SEC-15).
#pragma once

#include <cstddef>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "model/address.h"

namespace opennd::iwarp {

class IwarpConnector;

class HalfOpen final : public RefCounted {
public:
    static constexpr std::size_t kMost = 256;
    static constexpr std::size_t kMostOfOnePeer = 32;

    // The one that has to go for this one; null: there is room.
    Ref<IwarpConnector> add(const Ref<IwarpConnector>& connector, const Address& peer);
    // No effect if it has gone already.
    void remove(const IwarpConnector& connector);

private:
    struct Entry {
        Ref<IwarpConnector> connector;
        Address peer;
    };
    Mutex mutex_;
    std::vector<Entry> entries_ GUARDED_BY(mutex_);  // oldest first
};

}  // namespace opennd::iwarp
