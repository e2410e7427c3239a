// SPDX-License-Identifier: MIT
// The stream of a TCP channel as its machines share it: the socket, the terms of the handshake, and how the stream ended. A machine
// knows this base of the channel, the machines below it, and no more: watching.h, then outlet.h, outbound.h, inbound.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>

#include "platform/descriptor/tcp_socket.h"
#include "platform/thread/event_loop.h"
#include "transport/iwarp/settings.h"
#include "transport/iwarp/stream/mpa_agreement.h"
#include "transport/iwarp/wire/ddp_header.h"
#include "transport/iwarp/wire/fault.h"
#include "transport/soft/channel/channel.h"
#include "transport/soft/channel/traffic_ledger.h"

namespace opennd::iwarp {

// The atomic words are read again and again, by any thread. Release and acquire where the reader also reads earlier stores.
class StreamState : public soft::Channel {
public:
    // The end of the stream by the peer.
    enum class End : std::uint8_t {
        none,      // not ended
        in_order,  // between two messages
        abnormal,  // within a message, or by a Terminate
        reset,     // by the peer's system
        lost,      // nothing answers any more
        refused,   // by a Terminate before any message
    };

    EventLoop& loop() const { return loop_; }
    const MpaAgreement& agreement() const { return agreement_; }
    // The proof that completes a request; never automatic.
    CompletionProof completion() const { return completion_; }
    TcpSocket& socket() { return socket_; }
    // The system tells of acknowledgements, and leaves it to this side to give up a silent peer.
    bool finds_silence() const { return finds_silence_; }
    soft::TrafficMeter& traffic() { return traffic_; }
    const soft::TrafficMeter& traffic() const { return traffic_; }

    // The peer's first message has opened this side's direction (IW-CM-07).
    bool opened() const { return opened_.load(std::memory_order_acquire); }
    void open() {
        PeersImmediate none_yet = PeersImmediate::offered;  // the first message has not taken it
        immediate_.compare_exchange_strong(none_yet, PeersImmediate::none, std::memory_order_relaxed);
        opened_.store(true, std::memory_order_release);
    }
    End ended() const { return end_.load(std::memory_order_acquire); }
    void end(End how) { end_.store(how, std::memory_order_release); }

    // Whether this side takes immediate data of the peer: an initiator that has agreed does at once, a responder when the opening
    // of the stream says so. For the thread in receive().
    Immediate immediate() const {
        return immediate_.load(std::memory_order_relaxed) == PeersImmediate::agreed ? Immediate::taken
                                                                                    : Immediate::refused;
    }
    // The opening of a responder's stream takes its offer.
    void agree_on_immediate() { immediate_.store(PeersImmediate::agreed, std::memory_order_relaxed); }
    bool carries_immediate() const override {
        return immediate_.load(std::memory_order_relaxed) != PeersImmediate::none;
    }

    // close() was called. Relaxed: a lock orders the uses of the socket against close().
    bool closed() const { return closed_.load(std::memory_order_relaxed); }
    // close() resets the stream, and the peer sees that: from reset_when_closed() on, for good.
    bool resets() const { return resets_.load(); }
    void reset_when_closed() { resets_.store(true); }

    // The cause in the Terminate that ends the stream, either way; the first one counts. Called before any request completes
    // because of it.
    void note(const TerminateCause& cause) {
        std::int32_t none = kNoTerminate;
        terminate_.compare_exchange_strong(none, number(cause), std::memory_order_relaxed);
    }

    // The words that every channel has, for the thread in receive().
    void count_taken() { expected_.fetch_add(1, std::memory_order_relaxed); }
    void show_left_work(bool left) { left_work_.store(left, std::memory_order_relaxed); }
    // The queue pair fails, and with it the connection.
    void break_off() { broken_.store(true, std::memory_order_release); }

protected:
    StreamState(soft::PeerAttention& peer, soft::PeerAccess& access, EventLoop& loop, const MpaAgreement& agreement,
                CompletionProof completion, bool opened, Ref<soft::TrafficLedger> ledger, std::string_view wire)
        : Channel(peer, access, {.over_socket = true}),  // arrival_ stays null: a socket has no arrival word
          loop_(loop),
          agreement_(agreement),
          completion_(completion),
          traffic_(std::move(ledger), wire),
          opened_(opened),
          immediate_(!agreement.immediate ? PeersImmediate::none
                     : opened             ? PeersImmediate::agreed
                                          : PeersImmediate::offered) {}

    void take(TcpSocket&& socket) {
        socket_ = std::move(socket);
        finds_silence_ = socket_.leave_silence_to_caller();
    }
    // Returns false if it was closed before.
    bool begin_close() { return !closed_.exchange(true); }

    // The number of the cause that was noted, or kNoTerminate. Relaxed: requests that complete because of it complete after the
    // store.
    static constexpr std::int32_t kNoTerminate = -1;
    std::int32_t noted() const { return terminate_.load(std::memory_order_relaxed); }

private:
    // Constant after construction.
    EventLoop& loop_;  // outlives the channel
    const MpaAgreement agreement_;
    const CompletionProof completion_;
    bool finds_silence_ = false;

    soft::TrafficMeter traffic_;  // `started` under the lock of Outlet, `taken` by the thread in receive()

    // The descriptor is closed under the locks of Outlet and of Watching, when neither start() nor receive() runs any more.
    TcpSocket socket_;

    enum class PeersImmediate : std::uint8_t { none, offered, agreed };

    std::atomic<bool> opened_;
    // Relaxed: nothing starts before the first message of the peer, which settles it.
    std::atomic<PeersImmediate> immediate_;
    std::atomic<End> end_{End::none};
    std::atomic<bool> closed_{false};
    std::atomic<bool> resets_{false};  // sequentially consistent, and read under the lock of Outlet, where it decides
    std::atomic<std::int32_t> terminate_{kNoTerminate};
};

}  // namespace opennd::iwarp
