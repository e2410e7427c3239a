// SPDX-License-Identifier: MIT
// One end of a connection on this host: the handshake over a Unix socket, the channel that comes of it, and its end. Used
// by shm (two processes) and loopback (one).
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/lock.h"
#include "platform/descriptor/local_socket.h"
#include "platform/thread/event_loop.h"
#include "transport/connector.h"
#include "transport/listener.h"
#include "transport/local/callers.h"
#include "transport/local/control_message.h"
#include "transport/local/control_socket.h"
#include "transport/local/ring_channel.h"
#include "transport/soft/adapter.h"
#include "transport/soft/engine/queue_pair.h"

namespace opennd::local {

// What distinguishes the wires that use this connector.
struct WireTraits {
    std::string_view name;    // "shm"
    std::string scope;        // first part of the names of its sockets; none for a wire that has none
    bool same_process;        // both ends share an address space
    bool may_use_process_vm;  // false: as if the kernel refused it
};

class LocalConnector final : public TransportConnector {
public:
    enum class State : std::uint8_t {
        dialed,      // active: a socket or none yet, nothing said
        requesting,  // active: request sent
        replied,     // active: accepted by the peer
        incoming,    // passive: a socket, nothing heard
        requested,   // passive: the program has the request
        accepting,   // passive: accept sent
        established,
        ended,
    };

    // Without a socket if the listener had no room: connect() asks it again.
    static Ref<LocalConnector> active(Ref<soft::SoftAdapter> adapter, LocalSocket socket, const WireTraits& traits);
    // Reads the request, for which the peer has a while, and hands itself to `listener`. `place` is the caller's until it is
    // accepted or goes; null: it needs none.
    static void passive(Ref<soft::SoftAdapter> adapter, LocalSocket socket, const WireTraits& traits,
                        Ref<ListenerSink> listener, Ref<Callers::Place> place = nullptr);

    void set_sink(Ref<ConnectorSink> sink) override;
    void connect(const Address& local, PortOrigin origin, const Address& remote, const ReadLimits& offer,
                 std::span<const std::byte> private_data, Ref<TransportQueuePair> queue_pair) override;
    void complete() override;
    void accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                std::span<const std::byte> private_data) override;
    void reject(std::span<const std::byte> private_data) override;
    void disconnect() override;
    void abort() override { disconnect(); }  // a notice is another record
    void end_gracefully(std::chrono::milliseconds patience) override;
    void close(bool cancelled) override;
    bool abandoned() const override;
    ConnectionPath path() const override;

private:
    // Each keeps this object alive: the event loop's until end(), the queue pair's until its connection ended.
    class Watch;
    class End;

    LocalConnector(Ref<soft::SoftAdapter> adapter, LocalSocket socket, const WireTraits& traits, State state);

    // Something to call when the lock is released.
    using Call = std::function<void()>;

    Status watch() REQUIRES(mutex_);
    void on_readable();
    Call handle(ReceivedControl& received) REQUIRES(mutex_);
    Call handle_request(ReceivedControl& received) REQUIRES(mutex_);
    Call handle_accept(ReceivedControl& received) REQUIRES(mutex_);
    Call handle_reject(const ControlMessage& message) REQUIRES(mutex_);
    Call handle_ready() REQUIRES(mutex_);
    Call handle_finished() REQUIRES(mutex_);
    Call handle_segment(ReceivedControl& received) REQUIRES(mutex_);
    void answer_segment_request(std::uint32_t segment) REQUIRES(mutex_);
    Call out_of_turn(std::string_view what) REQUIRES(mutex_);
    Call peer_ended(Status to_establishing, Status to_established = Status::connection_aborted) REQUIRES(mutex_);
    Status make_channel(SharedMemory segment, Side side, ForeignDescriptor tokens, const ControlMessage& message)
        REQUIRES(mutex_);
    ControlMessage introduce(ControlType type) const REQUIRES(mutex_);
    void request() REQUIRES(mutex_);
    void request_later() REQUIRES(mutex_);
    Call handle_busy() REQUIRES(mutex_);
    Ref<soft::SoftQueuePair> woken() const REQUIRES(mutex_);
    void give_up_silent_caller();
    void connect_failed(Status status) REQUIRES(mutex_);
    void tell(const ControlMessage& message, std::span<const int> descriptors = {}) REQUIRES(mutex_);
    void end() REQUIRES(mutex_);
    void end_with(ControlType farewell) REQUIRES(mutex_);
    bool attach() REQUIRES(mutex_);
    Status accept_request(std::span<const std::byte> private_data) REQUIRES(mutex_);
    void end_connection(ControlType farewell);
    void finish_when_drained(std::chrono::milliseconds pause);
    bool finish_ending(Status outcome);
    void end_with_peer();
    Call at_rest(Ref<soft::SoftQueuePair> queue_pair, Call call);
    Call answered(Ref<soft::SoftQueuePair> queue_pair, Status how) REQUIRES(mutex_);
    void release_queue_pair(Ref<soft::SoftQueuePair> queue_pair);
    void finish_locally(Status told_to_sink);
    void later(Call call);
    void ask_for_segment(std::uint32_t segment);
    // A call of the sink in force when it runs.
    template <typename F>
    Call to_sink(F function);

    // Constant after construction.
    const Ref<soft::SoftAdapter> adapter_;
    const WireTraits traits_;

    mutable Mutex mutex_;  // taken before a queue pair's lock; never held while a sink or a queue pair's end is called
    State state_ GUARDED_BY(mutex_);
    Ref<ControlSocket> socket_ GUARDED_BY(mutex_);  // null: none yet, or none any more
    Ref<ConnectorSink> sink_ GUARDED_BY(mutex_);
    Ref<ListenerSink> listener_ GUARDED_BY(mutex_);  // until the request came
    Ref<soft::SoftQueuePair> queue_pair_ GUARDED_BY(mutex_);
    Ref<soft::SoftQueuePair> given_up_ GUARDED_BY(mutex_);  // active: its peer gave up before complete()
    Ref<RingChannel> channel_ GUARDED_BY(mutex_);
    SharedMemory segment_ GUARDED_BY(mutex_);       // until the channel has it
    ReceivedControl request_ GUARDED_BY(mutex_);    // passive: until accepted
    Ref<Callers::Place> place_ GUARDED_BY(mutex_);  // passive: likewise
    TimerId silence_timer_ GUARDED_BY(mutex_){};    // passive: until the request came
    // Active: what is asked, where, and how long to wait before it is asked again.
    struct Question {
        ControlMessage message;
        Address remote;
        std::chrono::milliseconds pause;
    };
    Question question_ GUARDED_BY(mutex_){};
    ReadLimits limits_ GUARDED_BY(mutex_);  // in force on this side
    bool abandoned_ GUARDED_BY(mutex_) = false;
    // How far end_gracefully() came: what was posted is still on its way; the peer was told; the outcome is known.
    enum class Ending : std::uint8_t { no, draining, told, over };
    Ending ending_ GUARDED_BY(mutex_) = Ending::no;
    TimerId ending_timer_ GUARDED_BY(mutex_){};
    bool ended_in_order_ GUARDED_BY(mutex_) = false;  // by the peer, while it was up
    bool peer_finished_ GUARDED_BY(mutex_) = false;
    // Passive: the two addresses claimed in the transport, until end().
    std::optional<std::pair<Address, Address>> claimed_ GUARDED_BY(mutex_);
};

}  // namespace opennd::local
