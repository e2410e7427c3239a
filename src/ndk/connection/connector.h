// SPDX-License-Identifier: MIT
// NDK_CONNECTOR: one connection, on either side (NDK-CON-*). connector.cpp sets it up, connector_events.cpp handles
// events of core and timers, connector_data.cpp answers queries. Read core/connection/connector.h first, which makes the
// connection; this class adds NDKPI's stages, callbacks and timeouts.
//
// Each NdkConnect makes a core connector, at the source address's adapter. mutex_ is never held while core is called.
#pragma once

#include <optional>
#include <span>

#include "base/lock.h"
#include "base/ref.h"
#include "core/connection/connector.h"
#include "model/address.h"
#include "model/provider_code.h"
#include "ndk/connection/connector_stage.h"
#include "ndk/connection/listener.h"
#include "ndk/connection/shared_endpoint.h"
#include "ndk/object/object.h"
#include "ndk/object/request_callback.h"
#include "ndk/queue/queue_pair.h"
#include "ndkpi.h"

namespace opennd {

// The callback that NdkAccept or NdkCompleteConnect was given, in either of its forms (NDK-CON-EVT-05), and the reasons
// it reports (NDK-CON-EVT-04). A failed request of either side counts as a loss, since the connector does not know the
// side.
enum class DisconnectReason : ULONG {
    none = 0,
    notice = 1,   // the peer's NdkDisconnect
    closed = 2,   // the peer ended it without asking
    lost = 3,     // a request failed at either side, the transport broke, or the peer's process ended
    removed = 6,  // NDK was disabled at this side's interface
};

struct DisconnectEvent {
    NDK_FN_DISCONNECT_EVENT_CALLBACK plain = nullptr;
    NDK_FN_DISCONNECT_EVENT_CALLBACK_EX extended = nullptr;
    PVOID context = nullptr;

    explicit operator bool() const { return plain || extended; }
    void call(ULONG reason) const {
        if (plain) plain(context);
        if (extended) extended(context, reason);
    }
};

// A peer's notice ends nothing until this side ends it too (NDK-CON-EVT-03).
inline constexpr ConnectorRules kConnectorRules{.outlives_notice = true};

class NdkConnector final : public NDK_CONNECTOR, public QueuePairUser {
public:
    static constexpr NDK_OBJECT_TYPE kType = NdkObjectTypeConnector;

    static NTSTATUS create(NdkAdapter& adapter, NDK_CONNECTOR** made);
    static NdkConnector& of(NDK_CONNECTOR* connector) { return static_cast<NdkConnector&>(*connector); }
    // For a peer's request, which `core` has.
    NdkConnector(NdkListener& listener, Ref<Connector> core) noexcept;
    // Indicates it to the consumer, or closes the connector where the listener indicates no more.
    void schedule_connect_event();

    // The arguments that NdkConnect and NdkAccept share.
    struct Terms {
        NDK_QP* queue_pair;
        ReadLimits limits;
        const VOID* data;
        ULONG data_bytes;
        NDK_FN_REQUEST_COMPLETION completion;
        PVOID context;
    };
    NTSTATUS connect(const SOCKADDR* source, ULONG source_bytes, const SOCKADDR* destination, ULONG destination_bytes,
                     const Terms& terms) EXCLUDES(mutex_);
    NTSTATUS connect_from(NDK_SHARED_ENDPOINT* endpoint, const SOCKADDR* destination, ULONG destination_bytes,
                          const Terms& terms) EXCLUDES(mutex_);
    NTSTATUS complete_connect(const DisconnectEvent& event, NDK_FN_REQUEST_COMPLETION completion, PVOID context)
        EXCLUDES(mutex_);
    NTSTATUS accept(const Terms& terms, const DisconnectEvent& event) EXCLUDES(mutex_);
    NTSTATUS reject(const VOID* data, ULONG data_bytes) EXCLUDES(mutex_);
    NTSTATUS disconnect(NDK_FN_REQUEST_COMPLETION completion, PVOID context) EXCLUDES(mutex_);

    void end_with_queue_pair() override EXCLUDES(mutex_);

    NTSTATUS get_data(ULONG* inbound, ULONG* outbound, PVOID data, ULONG* data_bytes) EXCLUDES(mutex_);
    NTSTATUS get_local_address(PSOCKADDR address, ULONG* bytes) EXCLUDES(mutex_);
    NTSTATUS get_peer_address(PSOCKADDR address, ULONG* bytes) EXCLUDES(mutex_);
    // The transport of the connection. For `call`, which is no function of a table.
    NTSTATUS get_path(const NdkCall& call, ConnectionPath& path) EXCLUDES(mutex_);

private:
    using Stage = ConnectorStage;

    // Each uses the object while its callback is under way.
    struct ConnectEvent final : Callback {
        explicit ConnectEvent(NdkConnector& of) : connector(of) {}
        void run() override { connector.tell_request(); }
        NdkConnector& connector;
    };
    struct EndEvent final : Callback {
        explicit EndEvent(NdkConnector& of) : connector(of) {}
        void run() override { connector.tell_end(); }
        NdkConnector& connector;
    };
    struct Patience final : CallbackTimer {
        explicit Patience(NdkConnector& of) : connector(of) {}
        void expire() override { connector.on_expiry(); }
        NdkConnector& connector;
    };
    // Where a connection starts: an endpoint of the consumer's, one of its own with a port that it named, or a port
    // that is only a label.
    struct Origin {
        Ref<Adapter> adapter;
        Address address;
        Ref<LocalEndpoint> own;
        Use<NdkSharedEndpoint> shared;
    };

    explicit NdkConnector(NdkAdapter& adapter);
    void give_up() override EXCLUDES(mutex_);
    void end() override EXCLUDES(mutex_);
    void end_with_device() override EXCLUDES(mutex_);

    NTSTATUS check_terms(const NdkCall& call, const Terms& terms, bool of_request, NdkQueuePair*& queue_pair) const;
    NTSTATUS find_origin(const NdkCall& call, const Address& source, Origin& origin);
    NTSTATUS check_attempt(const NdkCall& call, const Terms& terms, NdkQueuePair*& queue_pair) EXCLUDES(mutex_);
    NTSTATUS check_unused(const NdkCall& call) REQUIRES(mutex_);
    NTSTATUS begin(const NdkCall& call, Origin origin, const Address& destination, const Terms& terms,
                   NdkQueuePair& queue_pair);
    NTSTATUS refuse_stage(const NdkCall& call, NTSTATUS status, std::string_view limit, std::string_view requirement,
                          CheckRule misuse = {}) REQUIRES(mutex_);
    void answered();
    NTSTATUS pend() EXCLUDES(mutex_);

    void on_connected(Status status) EXCLUDES(mutex_);
    void on_established(Status status) EXCLUDES(mutex_);
    void on_disconnected(Status status) EXCLUDES(mutex_);
    void on_finished(Status status) EXCLUDES(mutex_);
    void on_expiry() EXCLUDES(mutex_);
    void wait_patiently() REQUIRES(mutex_);
    void stop_waiting() EXCLUDES(mutex_);
    void tell_request();
    void tell_end() EXCLUDES(mutex_);
    // NdkConnect, NdkCompleteConnect or NdkAccept: fail or withdraw.
    void fail(StageEvent event) EXCLUDES(mutex_);

    const Use<NdkListener> listener_;  // none: an active connector
    std::atomic<bool> unanswered_;     // counts at the listener

    Mutex mutex_;  // before the callback thread's
    StateMachine<ConnectorStage, StageEvent> stage_ GUARDED_BY(mutex_);
    Ref<Connector> core_ GUARDED_BY(mutex_);  // none before NdkConnect
    Origin origin_ GUARDED_BY(mutex_);
    Use<NdkQueuePair> queue_pair_ GUARDED_BY(mutex_);
    Address local_ GUARDED_BY(mutex_);
    Address peer_ GUARDED_BY(mutex_);
    bool named_ GUARDED_BY(mutex_) = false;                      // the two addresses are known
    bool refused_ GUARDED_BY(mutex_) = false;                    // the last NdkConnect was
    NTSTATUS cancels_as_ GUARDED_BY(mutex_) = STATUS_CANCELLED;  // of canceled requests, by cause
    bool waits_ GUARDED_BY(mutex_) = false;                      // patience_ is set
    bool let_go_ GUARDED_BY(mutex_) = false;                     // by the consumer: no event any more
    bool removed_ GUARDED_BY(mutex_) = false;                    // ended with the device, over wire_
    ProviderWire wire_ GUARDED_BY(mutex_) = ProviderWire::none;
    DisconnectEvent event_ GUARDED_BY(mutex_);
    DisconnectReason reason_ GUARDED_BY(mutex_) = DisconnectReason::none;
    std::unique_ptr<AsyncRequest> end_request_ GUARDED_BY(mutex_);  // to be told of the end, once it is established
    RequestCallback establishing_{*this};
    RequestCallback disconnecting_{*this};
    ConnectEvent connect_event_{*this};
    EndEvent end_event_{*this};
    Patience patience_{*this};
};

}  // namespace opennd
