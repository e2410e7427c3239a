// SPDX-License-Identifier: MIT
// One end of a connection over an RDMA device, made and ended by rdma_cm. The queue pair is OpenND's, not rdma_cm's: rdma_cm
// says with which attributes it is connected, and the connector hands these on. Read cm_state.h first.
//
// connector_active.cpp and connector_passive.cpp set a connection up as the program asks, connector_ending.cpp ends it,
// connector_events.cpp has what rdma_cm tells.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/lock.h"
#include "platform/thread/event_loop.h"
#include "transport/adapter.h"
#include "transport/connector.h"
#include "transport/listener.h"
#include "transport/verbs/connection/cm_state.h"
#include "transport/verbs/connection/connection_id.h"
#include "transport/verbs/connection/four_tuples.h"
#include "transport/verbs/connection/peer_question.h"
#include "transport/verbs/connection/private_data_mark.h"
#include "transport/verbs/device/device.h"
#include "transport/verbs/queue/queue_pair.h"

namespace opennd::verbs {

// The number of times that a lost request or answer is sent again. 7, the most that fits, is without end for some
// devices.
inline constexpr std::uint8_t kRetriesOfPath = 6;
// That of a message that finds no receive: 7 is without end. OpenND keeps the time itself (../queue/message_watch.h).
inline constexpr std::uint8_t kRetriesWithoutEnd = 7;

class Parting;

class VerbsConnector final : public TransportConnector {
public:
    // `owner` is the open that asks; its limits hold. Arguments and events as TransportAdapter::connect.
    static Ref<TransportConnector> connect(Ref<TransportAdapter> owner, Ref<Device> device, Ref<ConnectorSink> sink,
                                           const Address& local, PortOrigin origin, const Address& remote,
                                           const ReadLimits& offer, std::span<const std::byte> private_data,
                                           Ref<TransportQueuePair> queue_pair);
    // Makes the connector of the passive side, in its requested state.
    static Ref<VerbsConnector> passive(Ref<TransportAdapter> owner, Ref<Device> device, Ref<ConnectionId> id,
                                       const CmEvent& request);

    void set_sink(Ref<ConnectorSink> sink) override EXCLUDES(mutex_);
    void complete() override EXCLUDES(mutex_);
    void accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                std::span<const std::byte> private_data) override EXCLUDES(mutex_);
    void reject(std::span<const std::byte> private_data) override EXCLUDES(mutex_);
    void end(Ending how) override EXCLUDES(mutex_);
    void finish(std::chrono::milliseconds patience) override EXCLUDES(mutex_);
    bool abandoned() const override EXCLUDES(mutex_);
    ConnectionPath path() const override;

private:
    using State = CmState;
    using Event = CmInput;
    class Events;  // called by rdma_cm
    class End;     // called by the queue pair

    // The objects that an end leaves to its caller, which ends them without the lock.
    struct Rest {
        State before = State::ended;
        Ref<ConnectionId> id;
        Ref<VerbsQueuePair> queue_pair;
    };

    VerbsConnector(Ref<TransportAdapter> owner, Ref<Device> device, State initial);

    const CmFunctions& rdma() const { return device_->rdma(); }
    bool is_iwarp() const { return device_->facts().is_iwarp(); }
    Carrier carrier() const REQUIRES(mutex_);
    Fabric fabric() const { return is_iwarp() ? Fabric::iwarp : Fabric::infiniband; }

    // connector_active.cpp
    void begin(const Address& local, PortOrigin origin, const Address& remote) REQUIRES(mutex_);
    void find_route() REQUIRES(mutex_);
    void request() REQUIRES(mutex_);
    void call_failed(int error, std::string_view call) EXCLUDES(mutex_);
    void connect_failed(Status status, std::span<const std::byte> private_data) EXCLUDES(mutex_);
    Status establish() REQUIRES(mutex_);

    // connector_passive.cpp
    Status answer(VerbsQueuePair& queue_pair, std::span<const std::byte> private_data) REQUIRES(mutex_);
    bool is_withdrawn() const REQUIRES(mutex_);
    // Lets the hardware learn its peer, on both sides, on InfiniBand. rdma_cm proposes the attributes.
    Status make_ready(VerbsQueuePair& queue_pair) REQUIRES(mutex_);
    Status join_partition(VerbsQueuePair& queue_pair) REQUIRES(mutex_);
    // The options of devices for each other travel in rdma_cm's request and reply, where both ends and their kernels know them.
    void offer_options(const VerbsQueuePair& queue_pair) const REQUIRES(mutex_);
    void take_options(VerbsQueuePair& queue_pair) const REQUIRES(mutex_);
    // The limit of messages that wait for a receive of the peer; null: none.
    std::optional<MessageLimit> message_limit(const VerbsQueuePair& queue_pair) const REQUIRES(mutex_);
    rdma_conn_param terms(const VerbsQueuePair& queue_pair) const REQUIRES(mutex_);
    static void put(std::span<const std::byte> data, rdma_conn_param& terms) {
        terms.private_data = data.data();
        terms.private_data_len = static_cast<std::uint8_t>(data.size());
    }

    // connector_events.cpp
    void on_event(const CmEvent& event) EXCLUDES(mutex_);
    void note_change_of_link() const EXCLUDES(mutex_);
    Event go_on(Event found) REQUIRES(mutex_);
    void on_connect_failed(const CmEvent& event) EXCLUDES(mutex_);
    void on_replied(const CmEvent& event) EXCLUDES(mutex_);
    void on_opened() EXCLUDES(mutex_);
    void on_given_up(const CmEvent& event, Rest rest) EXCLUDES(mutex_);
    void on_peer_end(const Rest& rest, const CmEvent& event) EXCLUDES(mutex_);
    void on_peer_told(const CmEvent& event) EXCLUDES(mutex_);
    void on_removed(const Rest& rest) EXCLUDES(mutex_);

    // connector_ending.cpp
    // The private data of a message, as it goes out. `queue_pair`: null in a refusal.
    std::vector<std::byte> message(std::span<const std::byte> data, CmMessage message,
                                   const VerbsQueuePair* queue_pair) const;
    // The program's part of what came in, as far as that is known.
    std::span<const std::byte> program_data(const CmEvent& event) const;
    static bool waits_for_receives(const CmEvent& event);
    void disconnect() EXCLUDES(mutex_);
    void give_up() EXCLUDES(mutex_);
    void on_queue_pair_end(Status told_to_sink) EXCLUDES(mutex_);
    void on_queue_pair_heard() EXCLUDES(mutex_);
    void on_queue_pair_stands() EXCLUDES(mutex_);
    void finish_after_peer() EXCLUDES(mutex_);
    [[nodiscard]] bool tell_once_drained() EXCLUDES(mutex_);
    void give_up_patience() EXCLUDES(mutex_);
    // Tells the peer, unless it has said its last word, and completes outstanding requests.
    void end_connection(const Rest& rest) EXCLUDES(mutex_);
    void say_farewell(const Rest& rest) EXCLUDES(mutex_);
    void refuse(const Rest& rest, std::span<const std::byte> private_data) EXCLUDES(mutex_);
    // Moves to the state ended, by `event`: this connection hears nothing any more. If it is too late, the Rest has no
    // id, and is in state ended.
    Rest conclude(Event event) REQUIRES(mutex_);
    Ref<Parting> parting() const EXCLUDES(mutex_);

    Ref<ConnectorSink> sink() const EXCLUDES(mutex_);
    // Runs `call` soon, on the service thread.
    void later(std::function<void()> call) { device_->event_loop().post(std::move(call)); }
    // Calls the sink in force, in this call.
    template <typename F>
    void tell(F&& function) EXCLUDES(mutex_) {
        if (const Ref<ConnectorSink> to = sink()) function(*to);
    }
    // Calls the sink that is in force then, soon, on the service thread.
    template <typename F>
    void tell_later(F function) {
        later([self = Ref<VerbsConnector>(this), function = std::move(function)] { self->tell(function); });
    }

    // Constant after construction.
    const Ref<TransportAdapter> owner_;
    const Ref<Device> device_;

    // This mutex is taken before a queue pair's lock. It is held across short calls of rdma_cm and of
    // VerbsQueuePair::modify and attach; never while the sink or a call of the queue pair that completes requests runs.
    mutable Mutex mutex_;
    StateMachine<CmState, CmInput> state_ GUARDED_BY(mutex_);
    Ref<ConnectorSink> sink_ GUARDED_BY(mutex_);
    Ref<ConnectionId> id_ GUARDED_BY(mutex_);            // until the end
    Ref<Parting> parting_ GUARDED_BY(mutex_);            // from then on, if the peer may have to be told
    Ref<VerbsQueuePair> queue_pair_ GUARDED_BY(mutex_);  // from connect or accept to the end
    Ref<VerbsQueuePair> given_up_
        GUARDED_BY(mutex_);                       // active: the peer gave up before complete(); its attempt goes on
    ReadLimits limits_ GUARDED_BY(mutex_);        // offered, then in force on this side
    bool peer_waits_ GUARDED_BY(mutex_) = false;  // for receives of its own, without limit
    std::chrono::milliseconds answer_time_
        GUARDED_BY(mutex_){};  // after which the hardware repeats; set by make_ready()
    Ref<PeerQuestion> question_ GUARDED_BY(mutex_);
    std::vector<std::byte> request_data_ GUARDED_BY(mutex_);  // active: until rdma_connect
    std::optional<FourTuples::Claim> claim_ GUARDED_BY(mutex_);
    Address remote_ GUARDED_BY(mutex_);               // for people
    TimerId patience_ GUARDED_BY(mutex_){};           // of finish()
    bool ended_in_order_ GUARDED_BY(mutex_) = false;  // by the peer, while the connection was up
    // The queue pair of a connection that the peer has ended, while the program may let it outlive that until finish().
    Ref<VerbsQueuePair> outlived_ GUARDED_BY(mutex_);
};

// The receivers of calls that rdma_cm and the queue pair make of a VerbsConnector. Each keeps it alive: rdma_cm's until the end, the queue pair's until
// its connection ended.
class VerbsConnector::Events final : public CmEventSink {
public:
    explicit Events(Ref<VerbsConnector> connector) : connector_(std::move(connector)) {}
    void on_event(const CmEvent& event) override { connector_->on_event(event); }

private:
    const Ref<VerbsConnector> connector_;
};

class VerbsConnector::End final : public ConnectionEnd {
public:
    explicit End(Ref<VerbsConnector> connector) : connector_(std::move(connector)) {}
    void queue_pair_failed() override { connector_->on_queue_pair_end(Status::connection_aborted); }
    void queue_pair_heard() override { connector_->on_queue_pair_heard(); }
    void queue_pair_stands() override { connector_->on_queue_pair_stands(); }
    void queue_pair_closed() override { connector_->on_queue_pair_end(Status::canceled); }

private:
    const Ref<VerbsConnector> connector_;
};

}  // namespace opennd::verbs
