// SPDX-License-Identifier: MIT
// A listening rdma_cm_id, whose requests become passive VerbsConnectors.
#pragma once

#include "base/lock.h"
#include "transport/adapter.h"
#include "transport/listener.h"
#include "transport/verbs/connection/connection_id.h"
#include "transport/verbs/device/device.h"

namespace opennd::verbs {

class VerbsListener final : public TransportListener {
public:
    VerbsListener(Ref<TransportAdapter> owner, Ref<Device> device, Ref<ListenerSink> sink);

    Result<Address> bind(const Address& address) override EXCLUDES(mutex_);
    Status listen(std::uint32_t backlog) override EXCLUDES(mutex_);
    void close() override EXCLUDES(mutex_);

private:
    class Events;

    Result<int> listen_at(const Address& address) EXCLUDES(mutex_);
    void on_request(Ref<ConnectionId> id, const CmEvent& event) EXCLUDES(mutex_);

    const Ref<TransportAdapter> owner_;  // also for its limits
    const Ref<Device> device_;

    Mutex mutex_;                                // never held while the sink runs
    Ref<ListenerSink> sink_ GUARDED_BY(mutex_);  // until close()
    Ref<ConnectionId> id_ GUARDED_BY(mutex_);    // from bind() to close()
    bool listens_ GUARDED_BY(mutex_) = false;
};

}  // namespace opennd::verbs
