// SPDX-License-Identifier: MIT
// A connector: one connection, on either side, for one queue pair. Read connector_state.h first: which method may be
// called when, and what state follows. connector.cpp and connector_end.cpp have the program's calls,
// connector_events.cpp the transport's.
//
// Two locks. control_ serializes the calls that go down to the transport; mutex_ guards what both directions see and is
// never held across a call down, because the transport may answer from inside it. Requests complete with neither.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "base/status.h"
#include "core/adapter/activity.h"
#include "core/queue/queue_pair.h"
#include "core/request/async_request.h"
#include "core/request/pending_requests.h"
#include "core/state/connector_state.h"
#include "model/address.h"
#include "model/end_cause.h"
#include "model/limits.h"
#include "model/received_data.h"
#include "transport/connector.h"

namespace opennd {

class Adapter;
class Listener;

// Rules that differ between faces.
struct ConnectorRules {
    // A peer that ends gracefully only gives notice: the connection goes on until this side ends it too
    // (NDK-CON-EVT-03), and NotifyDisconnect tells the kind of end: see notify_disconnect(). Otherwise it is an end in
    // order.
    bool outlives_notice = false;
};

class Connector final : public QueuePairClaimant {
public:
    explicit Connector(Ref<Adapter> adapter, const ConnectorRules& rules = {});
    ~Connector() override;

    const Adapter& adapter() const { return *adapter_; }

    // A method that the state does not allow returns the status of connector_state.h; further statuses are noted. A
    // method that takes a request returns success when the request is pending, and leaves no trace otherwise.

    // Sets the local address; port 0 takes one of 49152-65535. The port is a label (ND2-CON-PORT-01). invalid_address.
    Status bind(const Address& wanted);

    // May Connect go there? invalid_address: multicast, broadcast, port 0, or another family than the one bound.
    Status check_destination(const Address& remote) const;

    // Asks for a connection. `offer` is lowered to the adapter's limits (ND2-CON-LIM-01); the data are within them.
    //   connection_active, invalid_state   the queue pair is in use, or used up
    //   insufficient_resources, no_memory
    Status connect(Ref<QueuePair> queue_pair, const Address& remote, const ReadLimits& offer,
                   std::span<const std::byte> private_data, std::unique_ptr<AsyncRequest> request);
    // bind() and connect() in one, for a face where Connect names the port: if it fails, at once or later, or is cancelled,
    // the connector is idle again (ND1-CN-CONN-14). `local` is an address of the adapter; port 0 takes one.
    Status connect_from(const Address& local, Ref<QueuePair> queue_pair, const Address& remote, const ReadLimits& offer,
                        std::span<const std::byte> private_data, std::unique_ptr<AsyncRequest> request);
    Status complete_connect(std::unique_ptr<AsyncRequest> request);

    // Accepts the request a listener assigned. `limits` lower those of read_limits(). Statuses as connect.
    Status accept(Ref<QueuePair> queue_pair, const ReadLimits& limits, std::span<const std::byte> private_data,
                  std::unique_ptr<AsyncRequest> request);
    // connection_aborted: the peer has taken its request back.
    Status reject(std::span<const std::byte> private_data);

    // Completes when the other side ends the connection, or it is lost. With outlives_notice:
    //   success             the other side ends gracefully, and waits for this one
    //   disconnected        it has ended the connection in order
    //   timed_out           nothing answers any more: the connection is lost
    //   connection_aborted  the connection failed, at either end, or was reset
    Status notify_disconnect(std::unique_ptr<AsyncRequest> request);
    Status disconnect(std::unique_ptr<AsyncRequest> request);

    // Ends the connection when both sides want it; see TransportConnector::finish. When the request completes nothing
    // of the queue pair is outstanding. It completes with
    //   success             the other side ended likewise, or in order, before or after this call
    //   timed_out           it did not within `patience`; the connection was aborted
    //   connection_aborted  the connection failed meanwhile
    // not_connected: not connected, or it had failed. invalid_state: this or disconnect() is in progress.
    Status end_gracefully(std::chrono::milliseconds patience, std::unique_ptr<AsyncRequest> request);

    Result<ReadLimits> read_limits() const;
    // The peer's. connection_aborted: it has taken its request back.
    Result<ReceivedData> private_data();
    Result<Address> local_address() const;
    Result<Address> peer_address() const;
    // For a face whose methods have rules of their own for the state; its methods check again.
    struct View {
        ConnectorState state;
        ConnectorHistory history;
    };
    View view() const;
    // The peer gave up before this side answered its request or reply: done, and true. A face that tells this at the call
    // asks before it answers.
    bool done_if_peer_gave_up();

    // The newest attempt to establish a connection, if it has failed: the method of its request, and the ends.
    struct FailedAttempt {
        std::string_view method;
        Address local, peer;
    };
    std::optional<FailedAttempt> failed_attempt() const;

    // How the bytes travel. not_connected.
    Result<ConnectionPath> path() const;

    // Completes all pending requests as canceled, with the effects of ND2-OVL-14; all are complete on return.
    void cancel();
    // Releases it for the program (ND2-CON-REL-01). Once.
    void close();

    // For Listener: begins and ends waiting for a request of it. connection_active: not idle.
    Status start_waiting(Ref<Listener> listener);
    void stop_waiting();
    // Hands over a peer's request; takes both only if it returns true. False: it does not wait any more.
    bool assign(Ref<TransportConnector>& transport, ConnectionRequest& request);

    void on_queue_pair_closed() override;

    void on_replied(const ReadLimits& limits, std::span<const std::byte> private_data) override;
    void on_connect_failed(Status status, std::span<const std::byte> private_data) override;
    void on_established(const Carrier& carrier) override;
    void on_establish_failed(Status status) override;
    void on_disconnected(EndCause cause) override;
    bool on_peer_finished() override;
    void on_finished(Status status) override;

private:
    // Every change of the state, with its lines in the adapter's activity and in the log. `why`: of a failure; `cause`: of
    // lose_peer. False: the event came too late, and nothing changes.
    [[nodiscard]] bool advance(ConnectorEvent event, Status why = Status::success, EndCause cause = {})
        REQUIRES(mutex_);
    // For an event that the state allows, as the caller has checked.
    void must_advance(ConnectorEvent event, Status why = Status::success) REQUIRES(mutex_);
    // Whether this adapter may connect to `remote` at all. address_unspecified; network_unreachable, reported.
    Status check_reach(const Address& remote) const;
    // A request that has no answer, if it is one: `end` is its end.
    void tell_unanswered(std::string_view end) const noexcept REQUIRES(mutex_);
    std::vector<std::byte> padded(std::span<const std::byte> private_data, std::uint32_t AdapterLimits::*most) const;
    void set_local(const Address& local) REQUIRES(mutex_);
    Status check(ConnectorMethod method) const REQUIRES(mutex_);
    Status check_end() const REQUIRES(mutex_);
    // A peer that knows notices must not take this end for one (NDK-CON-CLOSE-01).
    bool ends_without_notice() const REQUIRES(mutex_) {
        return rules_.outlives_notice && state_ == ConnectorState::connected && !peer_finished_;
    }
    void end_transport(Ending ending) REQUIRES(control_) EXCLUDES(mutex_);
    void end_queue_pair(QueuePair::Outcome outcome) EXCLUDES(mutex_);
    void fail_establishing(Status status) EXCLUDES(control_, mutex_);
    void fail_if_peer_gave_up() EXCLUDES(control_, mutex_);
    void notice_abandonment() REQUIRES(control_) EXCLUDES(mutex_);

    const Ref<Adapter> adapter_;
    const ConnectorRules rules_;

    mutable Mutex control_;  // before mutex_, before a listener's or a queue pair's lock
    // From connect, if a transport finds the peer, or from a listener; gone when the connection is. It holds a Ref to this object as its sink, which
    // end_transport() takes back.
    Ref<TransportConnector> transport_ GUARDED_BY(control_);

    mutable Mutex mutex_;
    StateMachine<ConnectorState, ConnectorEvent> state_ GUARDED_BY(mutex_){"connector", ConnectorState::idle};
    PendingRequests pending_ GUARDED_BY(mutex_);
    ConnectorHistory history_ GUARDED_BY(mutex_);
    Activity::Place activity_place_ GUARDED_BY(mutex_);
    Address local_ GUARDED_BY(mutex_);
    PortOrigin port_origin_ GUARDED_BY(mutex_) = PortOrigin::program;
    Address peer_ GUARDED_BY(mutex_);
    Carrier carrier_ GUARDED_BY(mutex_);                      // while it is up
    ReadLimits limits_ GUARDED_BY(mutex_);                    // this side's effective values
    std::vector<std::byte> private_data_ GUARDED_BY(mutex_);  // the peer's
    Ref<QueuePair> queue_pair_ GUARDED_BY(mutex_);            // claimed
    bool starts_over_ GUARDED_BY(mutex_) = false;             // connect_from()
    std::string_view failed_method_ GUARDED_BY(mutex_);       // of failed_attempt(); empty: none
    Ref<Listener> listener_ GUARDED_BY(mutex_);               // while waiting; it holds a Ref to this object too
    // Why the other side gave up between request or reply and this side's answer.
    std::optional<Status> peer_gave_up_ GUARDED_BY(mutex_);
    // The status of NotifyDisconnect once the connection has ended; the first cause counts (ND2-CON-NTF-01).
    Status end_ GUARDED_BY(mutex_) = Status::disconnected;
    bool peer_finished_ GUARDED_BY(mutex_) = false;  // and this side outlives it
    InFlight in_flight_;
};

// The life of a connection in the log: the line of a change of state that people look for, with its addresses, its wire, and the reason; nothing for any other. `why`: of the events refuse and fail;
// `cause`: of lose_peer. A line for which there is no memory is left out. Any thread, also under a connector's lock.
void log_connection(ConnectorState from, ConnectorEvent event, Status why, EndCause cause,
                    const LiveConnection& is) noexcept;

// The probes `connect`, `refuse` and `end` (docs/probes.md), each at its change of state; nothing at any other. `why`: of the events refuse, fail and lose_peer. Any thread, also under a connector's
// lock.
void probe_connection(ConnectorState from, ConnectorEvent event, Status why, const LiveConnection& is) noexcept;

}  // namespace opennd
