// SPDX-License-Identifier: MIT
// A listener: peers' requests on one side, the program's connectors that wait for one on the other; first come, first
// served on both. Read listener_state.h first.
//
// control_ serializes the program's calls down to the transport, mutex_ guards the two queues and is never held across
// a call down or to a connector, except calls that only read.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "core/adapter/live_objects.h"
#include "core/request/async_request.h"
#include "core/request/pending_requests.h"
#include "core/state/listener_state.h"
#include "model/address.h"
#include "transport/listener.h"

namespace opennd {

class Adapter;
class Connector;

class Listener final : public ListenerSink {
public:
    explicit Listener(Ref<Adapter> adapter);
    ~Listener() override;

    const Adapter& adapter() const { return *adapter_; }

    // A method that the state does not allow returns the status of listener_state.h; further statuses are noted.

    // invalid_address; address_in_use; no_free_port; insufficient_resources.
    Status bind(const Address& wanted);
    // At most `backlog` requests wait for a connector, further ones are refused; 0: no limit (ND2-LIS-LIST-01, -02).
    Status listen(std::uint32_t backlog);
    Result<Address> local_address() const;

    // Gives the next request to `connector`, of this adapter. success: pending; completes with success or canceled.
    // connection_active: the connector is not idle.
    Status get_connection_request(Ref<Connector> connector, std::unique_ptr<AsyncRequest> request);

    // For reports of the process.
    struct View {
        Address local;
        bool listens;
        std::uint32_t backlog;                                // 0: no limit
        std::size_t waiting;                                  // requests without a connector
        std::optional<std::chrono::nanoseconds> oldest = {};  // the age of the first of them
        std::size_t takers = 0;                               // connectors that wait for a request
    };
    // A view of a bound listener; nothing: not bound, or closed.
    std::optional<View> view() const EXCLUDES(mutex_);

    // Completes all pending requests as canceled, their connectors idle again (ND2-LIS-REQ-05); all are complete on
    // return.
    void cancel();
    // Releases it for the program (ND2-LIS-REL-01). Once.
    void close();

    // For Connector: it was released while it waits here.
    void withdraw(const Connector& connector);

    void on_request(Ref<TransportConnector> connector, ConnectionRequest request) override;

private:
    struct Waiter {
        Ref<Connector> connector;
        std::unique_ptr<AsyncRequest> request;
    };
    struct Guest {
        Ref<TransportConnector> transport;
        ConnectionRequest request;
        std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
    };

    bool take_pair(Waiter& waiter, Guest& guest) REQUIRES(mutex_);
    void serve() EXCLUDES(mutex_);
    void return_guest(Guest guest) EXCLUDES(mutex_);
    Ref<Connector> take_back_waiter(CompletionBatch& batch) EXCLUDES(mutex_);
    Ref<TransportConnector> take_guest() EXCLUDES(mutex_);

    const Ref<Adapter> adapter_;

    Mutex control_;                                          // before mutex_
    Ref<TransportListener> transport_ GUARDED_BY(control_);  // holds a Ref to this object until close()

    mutable Mutex mutex_;  // before a connector's mutex_
    StateMachine<ListenerState, ListenerEvent> state_ GUARDED_BY(mutex_){"listener", ListenerState::idle};
    Address local_ GUARDED_BY(mutex_);
    std::uint32_t backlog_ GUARDED_BY(mutex_) = 0;
    std::deque<Waiter> waiters_ GUARDED_BY(mutex_);
    std::deque<Guest> guests_ GUARDED_BY(mutex_);  // requests without a connector
    InFlight in_flight_;
    LiveObjects<Listener>::Place place_;  // last: see there
};

}  // namespace opennd
