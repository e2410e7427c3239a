// SPDX-License-Identifier: MIT
// HalfOpen: see half_open.h.
#include "transport/iwarp/half_open.h"

#include <algorithm>
#include <utility>

#include "transport/iwarp/connector.h"

namespace opennd::iwarp {

Ref<IwarpConnector> HalfOpen::add(const Ref<IwarpConnector>& connector, const Address& peer) {
    const Held lock(mutex_);
    const auto of_peer = [&](const Entry& entry) { return entry.peer.same_host(peer); };
    auto oldest = entries_.end();
    if (std::count_if(entries_.begin(), entries_.end(), of_peer) >= static_cast<std::ptrdiff_t>(kMostOfOnePeer))
        oldest = std::find_if(entries_.begin(), entries_.end(), of_peer);
    else if (entries_.size() >= kMost)
        oldest = entries_.begin();
    Ref<IwarpConnector> goes;
    if (oldest != entries_.end()) {
        goes = std::move(oldest->connector);
        entries_.erase(oldest);
    }
    entries_.push_back({connector, peer});
    return goes;
}

void HalfOpen::remove(const IwarpConnector& connector) {
    Ref<IwarpConnector> last;  // released outside the lock
    const Held lock(mutex_);
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& entry) { return entry.connector.get() == &connector; });
    if (found == entries_.end()) return;
    last = std::move(found->connector);
    entries_.erase(found);
}

}  // namespace opennd::iwarp
