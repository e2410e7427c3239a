// SPDX-License-Identifier: MIT
// One end of a connection on this host: the handshake over a Unix socket and a link, and the channel that it makes. shm (two
// processes) and loopback (one) use it. Read link.h first, and soft/connection/wire_connector.h: it and connection.h have the states and
// the ends.
// connector.cpp has the handshake as the program asks for it, connector_events.cpp the peer's messages.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "platform/descriptor/local_socket.h"
#include "transport/local/link/control_message.h"
#include "transport/local/link/dial.h"
#include "transport/local/link/link.h"
#include "transport/local/link/links.h"
#include "transport/local/local_callers.h"
#include "transport/local/ring_channel.h"
#include "transport/soft/connection/wire_connector.h"

namespace opennd::local {

// The differences between the wires that use this connector.
struct WireTraits {
    std::string_view name;    // "shm"
    std::string scope;        // first part of the names of its sockets; none for a wire that has none
    bool same_process;        // both ends share an address space
    bool may_use_process_vm;  // false: as if the kernel refused it
    Ref<Links> links = make_ref<Links>();
};

class LocalConnector final : public soft::WireConnector {
public:
    // Makes the active end. `socket` is none if the listener had no room, or if a link leads to it: connect() asks it.
    static Ref<LocalConnector> active(Ref<soft::SoftAdapter> adapter, LocalSocket socket, const WireTraits& traits);
    // Makes a passive end, which reads the request, for which the peer has a while, and hands itself to `listener`.
    // `place` is the caller's until the program accepts or the connection ends; null: it needs none.
    static void passive(Ref<soft::SoftAdapter> adapter, LocalSocket socket, const WireTraits& traits,
                        Ref<ListenerSink> listener, Ref<LocalCallers::Place> place = nullptr);
    // Makes a passive end for a request that was heard on `link`. Service thread.
    static void passive(Ref<soft::SoftAdapter> adapter, const Ref<Link>& link, ReceivedControl& request,
                        const WireTraits& traits, Ref<ListenerSink> listener, Ref<LocalCallers::Place> place);

    void connect(const Address& local, PortOrigin origin, const Address& remote, const ReadLimits& offer,
                 std::span<const std::byte> private_data, Ref<TransportQueuePair> queue_pair) override;
    ConnectionPath path() const override;

private:
    // The object that the link and the dial call.
    class User;

    LocalConnector(Ref<soft::SoftAdapter> adapter, LocalSocket socket, const WireTraits& traits, State initial);

    // connector.cpp
    bool has_last_word() override REQUIRES(mutex_);
    Status begin_channel() override REQUIRES(mutex_);
    void take_first_arrivals(soft::SoftQueuePair& queue_pair) override;
    Status accept_request(const ReadLimits& limits, std::span<const std::byte> private_data) override REQUIRES(mutex_);
    void withdraw(Withdrawal how) override REQUIRES(mutex_);
    void refuse(std::span<const std::byte> private_data) override REQUIRES(mutex_);
    // A peer that has not completed cannot fail this side's queue pair, though its word may still be on the way.
    bool peer_has_completed() const override REQUIRES(mutex_) { return true; }
    void say_farewell(Farewell farewell) override REQUIRES(mutex_);
    bool tell_finished() override REQUIRES(mutex_);
    Call take_as_end() override REQUIRES(mutex_);
    void let_go() override REQUIRES(mutex_);
    void request() REQUIRES(mutex_);
    [[nodiscard]] Status ask(Ref<Dial> dial) REQUIRES(mutex_);
    void request_later() REQUIRES(mutex_);
    Call on_deadline() override REQUIRES(mutex_);
    Ref<LinkUser> user();
    ControlMessage introduce(ControlType type) const REQUIRES(mutex_);
    void tell(const ControlMessage& message, std::span<const int> descriptors = {}) REQUIRES(mutex_);
    void end_with(const ControlMessage& farewell) REQUIRES(mutex_);
    void let_caller_go() REQUIRES(mutex_);

    // connector_events.cpp
    void on_ready(std::uint32_t epoll_events) override;
    bool hear_caller();
    void on_joined(const Ref<LinkEnd>& link_end);
    void on_record(ReceivedControl& record);
    void on_left(Status why);
    template <typename Handle>
    void on_event(Handle handle);
    Call end_without_memory() REQUIRES(mutex_);
    Call handle_caller(ReceivedControl& received) REQUIRES(mutex_);
    Status join_link(ReceivedControl& request) REQUIRES(mutex_);
    Call handle(ReceivedControl& received) REQUIRES(mutex_);
    Call handle_request(ReceivedControl& received) REQUIRES(mutex_);
    Call handle_accept(ReceivedControl& received) REQUIRES(mutex_);
    Call handle_reject(const ControlMessage& message) REQUIRES(mutex_);
    Call handle_ready() REQUIRES(mutex_);
    Call handle_finished() REQUIRES(mutex_);
    Call handle_no_place(ControlType answer) REQUIRES(mutex_);
    Call hand_over(ReceivedControl& received) REQUIRES(mutex_);
    Call turn_away(Status status) REQUIRES(mutex_);
    Call handle_segment(ReceivedControl& received) REQUIRES(mutex_);
    Call out_of_turn(std::string_view what) REQUIRES(mutex_);
    Call keep_out_and_end(Status to_establishing, EndCause cause = EndCause::failure) REQUIRES(mutex_);
    Status make_channel(Side side, ReceivedControl& received) REQUIRES(mutex_);
    void ask_for_segment(std::uint32_t segment);
    void answer_segment_request(std::uint32_t segment) REQUIRES(mutex_);

    const WireTraits traits_;

    // The socket of the handshake. Active: to the listener, until it is asked. Passive: from the caller, until the link
    // has it or the caller lets it go.
    LocalSocket socket_ GUARDED_BY(mutex_);
    Ref<Dial> dial_ GUARDED_BY(mutex_);         // active: from the request until the listener's process answers
    Ref<LinkEnd> link_end_ GUARDED_BY(mutex_);  // from then on, until the end
    bool looked_ GUARDED_BY(mutex_) = false;    // all packets of before complete() were heard
    Ref<RingChannel> channel_ GUARDED_BY(mutex_);
    std::unique_ptr<ReceivedControl> request_ GUARDED_BY(mutex_);  // passive: until accepted
    Ref<LocalCallers::Place> place_ GUARDED_BY(mutex_);            // passive: likewise
    // The request, the listener's address, and the pause before it is asked again. Of the active side, until it is
    // joined.
    struct Question {
        Question(const ControlMessage& request, const Address& listener, std::chrono::milliseconds first_pause)
            : message(request), remote(listener), pause(first_pause) {}
        ControlMessage message;
        Address remote;
        std::chrono::milliseconds pause;
    };
    std::unique_ptr<Question> question_ GUARDED_BY(mutex_);
};

}  // namespace opennd::local
