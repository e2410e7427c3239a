// SPDX-License-Identifier: MIT
// A channel over one TCP connection: RDMAP over DDP over MPA. Four machines stand above each other on the state of the stream: Watching
// knows the readers of the socket, Outlet the octets that leave, Outbound the messages that leave, Inbound those that arrive. Read
// transport/soft/channel/channel.h first, then stream_state.h.
//
// Threads: start() and receive() share the output, under the lock of Outlet; the input belongs to the thread in receive().
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

#include "model/provider_code.h"
#include "platform/descriptor/tcp_socket.h"
#include "platform/thread/event_loop.h"
#include "transport/iwarp/inbound.h"
#include "transport/iwarp/outbound.h"
#include "transport/iwarp/outlet.h"
#include "transport/iwarp/settings.h"
#include "transport/iwarp/stream/mpa_agreement.h"
#include "transport/iwarp/stream_state.h"
#include "transport/iwarp/watching.h"

namespace opennd::iwarp {

class IwarpChannel final : public StreamState, public soft::PeerAttention, public soft::PeerAccess {
public:
    struct Parts {
        EventLoop* loop;  // outlives it; watches the socket already, and has its timers
        TcpSocket socket;
        MpaRole role;  // of the frame that this side sent
        MpaAgreement agreement;
        const soft::TokenTable* tokens;      // of the adapter, which outlives it
        std::uint32_t scope;                 // SoftQueuePair::scope of the queue pair
        std::span<const std::byte> arrived;  // octets behind the peer's frame
        Ref<ChannelOwner> owner;
        CompletionProof completion;            // the proof that completes a Send, as the administrator chose
        Ref<PollerWatch> pollers;              // of all connections
        bool opening_sent;                     // initiator: the RTR was sent already
        Ref<soft::TrafficLedger> ledger;       // of its interface
        std::string_view wire;                 // its name in the ledger
        Ref<SocketBuffers> buffers;            // of all connections
        std::chrono::milliseconds dead_after;  // a peer that acknowledges nothing for so long is lost
    };
    // Throws std::bad_alloc: the socket is still in `parts` then.
    explicit IwarpChannel(Parts&& parts);
    ~IwarpChannel() override;

    soft::StartResult start(const soft::OutboundRequest& request) override { return outbound_.start(request); }
    soft::StartResult start_with_immediate(const soft::OutboundRequest& request, std::uint32_t immediate) override {
        return outbound_.start_with_immediate(request, immediate);
    }
    std::size_t receive(soft::ReceiveTurn& turn, std::size_t budget) override { return inbound_.receive(turn, budget); }
    bool decline(soft::ReceiveTurn& turn) override { return inbound_.decline(turn); }
    bool find_outcome(soft::Ticket ticket, Status& status) override { return outbound_.find_outcome(ticket, status); }
    Status unfinished() const override { return outbound_.unfinished(); }
    std::uint32_t failure_code(Operation operation, Status status) const override;
    void refuse(Status reason) override { inbound_.refuse(reason); }
    void close() override;

    [[nodiscard]] bool stop_requests() override;

    soft::Attention attention() const override { return watching_.attention(); }
    soft::Attention set_attention(soft::Attention attention) override;
    void nudge() override {}
    bool join(soft::Crowd& crowd, soft::Place place) override { return watching_.join(crowd, place); }
    void leave(soft::Crowd& crowd) override { watching_.leave(crowd); }
    void move_to(EventLoop& loop) override { watching_.move_to(loop); }
    void describe_connection(QueuePairUse& use) const override;
    std::string_view bulk_path() const;

    // Initiator: opens the stream with the agreed RTR (IW-CM-08).
    void open_stream() { outbound_.open_stream(opening_sent_); }
    // The loop watches the socket as a stream's from now on.
    void watch() { watching_.begin(); }
    // In a callback: see Watching.
    void begin_to_look() { watching_.begin_to_look(); }
    bool looks_on() { return watching_.looks_on(); }
    // The owner is called no more, and the loop watches the socket no more.
    void stop_watching() { watching_.stop(); }
    // A request failed here: sends the Terminate for that, unless another is due (ND2-QP-RDMA-04).
    void tell_local_failure() { outlet_.terminate(Terminate(kOwnFailure)); }
    // Ends this side's direction of the stream, in order. False: octets are still to go; call again soon. True: nothing is
    // sent any more, not even answers to the peer's Reads.
    bool finish();
    // The peer has ended its direction, in order, and this side continues without its answers: messages count as placed when
    // the stream has taken them, and Reads fail.
    void outlive_end() { outbound_.outlive_end(); }
    // close(), but the peer sees a reset.
    void abort();
    // Ends a stream that nobody reads, because a message waits for a receive, if it broke.
    void look_for_break() { outlet_.look_for_break(); }
    // A message of the peer waits for a receive, so that nothing behind it is read.
    bool starved() const { return inbound_.starved(); }
    // Grows with the octets that leave and the FPDUs that arrive.
    std::uint64_t octets_moved() const { return outlet_.sent() + taken(); }

private:
    const bool opening_sent_;
    const Ref<SocketBuffers> buffers_;
    const GrantedMemory memory_;

    // Each knows those above it here. Their headers have the rules of locks and threads.
    Watching watching_;
    Outlet outlet_;
    Outbound outbound_;
    Inbound inbound_;
};

}  // namespace opennd::iwarp
