// SPDX-License-Identifier: MIT
// One end of an iWARP connection: TCP and the frames of MPA, the channel that comes of them, and its end. connector.cpp
// has what the program asks, connector_active.cpp and connector_passive.cpp the two handshakes, connector_events.cpp what
// happens by itself. Read connection_state.h first.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/lock.h"
#include "platform/descriptor/tcp_socket.h"
#include "platform/thread/event_loop.h"
#include "transport/connector.h"
#include "transport/iwarp/channel.h"
#include "transport/iwarp/handshake/callers.h"
#include "transport/iwarp/handshake/connection_state.h"
#include "transport/iwarp/handshake/mpa_negotiation.h"
#include "transport/iwarp/handshake/wire_context.h"
#include "transport/iwarp/stream/mpa_frame_reader.h"
#include "transport/listener.h"
#include "transport/soft/adapter.h"
#include "transport/soft/engine/queue_pair.h"

namespace opennd::iwarp {

class IwarpConnector final : public TransportConnector {
public:
    static Ref<IwarpConnector> active(Ref<soft::SoftAdapter> adapter, Ref<WireContext> context);
    // Reads the request and hands itself to `listener`.
    static void passive(Ref<soft::SoftAdapter> adapter, Ref<WireContext> context, TcpSocket socket,
                        Ref<ListenerSink> listener, const Callers::Ceilings& ceilings);

    void set_sink(Ref<ConnectorSink> sink) override;
    void connect(const Address& local, PortOrigin origin, const Address& remote, const ReadLimits& offer,
                 std::span<const std::byte> private_data, Ref<TransportQueuePair> queue_pair) override;
    void complete() override;
    void accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                std::span<const std::byte> private_data) override;
    void reject(std::span<const std::byte> private_data) override;
    void disconnect() override;
    void abort() override;
    void end_gracefully(std::chrono::milliseconds patience) override;
    void close(bool cancelled) override;
    bool abandoned() const override;
    ConnectionPath path() const override;

private:
    // Each keeps this object alive: the loop's and the channel's until end(), the queue pair's until its connection ended.
    class Watch;
    class End;
    class Owner;

    // Something to call when the lock is released.
    using Call = std::function<void()>;
    // What the peer sees of an end.
    enum class Farewell : std::uint8_t { order, failure };

    IwarpConnector(Ref<soft::SoftAdapter> adapter, Ref<WireContext> context, ConnectionState state);

    // connector.cpp
    bool advance(ConnectionEvent event) REQUIRES(mutex_);
    Status watch() REQUIRES(mutex_);
    // The queue pair may be used over a channel from now on. False: it was released or flushed to error meanwhile.
    Status attach(MpaRole role, const MpaAgreement& agreement) REQUIRES(mutex_);
    MpaTerms terms(std::uint8_t revision) const;
    bool write_frame(const MpaFrame& frame) REQUIRES(mutex_);
    void end() REQUIRES(mutex_);
    void end_in_order(std::span<const std::byte> last_words = {}) REQUIRES(mutex_);
    void end_connection(Farewell farewell);
    void release_queue_pair(Ref<soft::SoftQueuePair> queue_pair);
    void later(Call call);

    // connector_ending.cpp
    void finish_when_drained(std::chrono::milliseconds pause);
    bool finish_ending(Status outcome);
    Call peer_finished() REQUIRES(mutex_);
    void answer_peer_finished();
    Call answered(Ref<soft::SoftQueuePair> queue_pair, Status how) REQUIRES(mutex_);

    template <typename F>
    Call to_sink(F function);

    // connector_active.cpp
    Status dial() REQUIRES(mutex_);
    Call on_dialed() REQUIRES(mutex_);
    Call send_request() REQUIRES(mutex_);
    Call read_reply() REQUIRES(mutex_);
    Call handle_reply(const MpaFrame& reply) REQUIRES(mutex_);
    void open_early() REQUIRES(mutex_);
    Call reply_missing() REQUIRES(mutex_);
    bool can_fall_back() const REQUIRES(mutex_);
    Call fall_back() REQUIRES(mutex_);
    Call fail_connect(Status status, const PrivateData& private_data = {}) REQUIRES(mutex_);
    void refuse_reply(const TerminateCause& cause) REQUIRES(mutex_);

    // connector_passive.cpp
    Call read_request() REQUIRES(mutex_);
    Call handle_request() REQUIRES(mutex_);
    Call watch_request() REQUIRES(mutex_);
    Call give_up_request() REQUIRES(mutex_);
    Call tell_abandoned() REQUIRES(mutex_);
    void make_place();
    void leave_callers() REQUIRES(mutex_);
    void log_silence(std::string_view why) const REQUIRES(mutex_);
    Status accept_request(const ReadLimits& limits, std::span<const std::byte> private_data) REQUIRES(mutex_);
    void reject_request(std::span<const std::byte> private_data) REQUIRES(mutex_);

    // connector_events.cpp
    void on_ready(std::uint32_t epoll_events);
    // What came of reading the peer's frame so far.
    enum class Frame : std::uint8_t { missing, whole, ended, faulty };
    Frame read_frame() REQUIRES(mutex_);
    void look();
    void poller_left();
    Call stream_ended() REQUIRES(mutex_);
    Call peer_ended(Status to_establishing, Status to_established) REQUIRES(mutex_);
    void finish_locally(Status told_to_sink);
    void set_deadline(std::chrono::milliseconds from_now) REQUIRES(mutex_);  // 0: none
    void clear_deadline() REQUIRES(mutex_);
    void watch_idleness() REQUIRES(mutex_);
    Call end_idle() REQUIRES(mutex_);
    void on_deadline(std::uint32_t number);

    // Constant after construction.
    const Ref<soft::SoftAdapter> adapter_;
    const Ref<WireContext> context_;

    mutable Mutex mutex_;  // taken before a queue pair's lock; never held while a sink or a queue pair's end is called
    ConnectionState state_ GUARDED_BY(mutex_);
    TcpSocket socket_ GUARDED_BY(mutex_);  // until the channel has it
    Ref<ConnectorSink> sink_ GUARDED_BY(mutex_);
    Ref<soft::SoftQueuePair> queue_pair_ GUARDED_BY(mutex_);
    Ref<soft::SoftQueuePair> given_up_ GUARDED_BY(mutex_);  // active: its peer gave up before complete()
    Ref<IwarpChannel> channel_ GUARDED_BY(mutex_);
    ReadLimits limits_ GUARDED_BY(mutex_);  // in force on this side

    // How far end_gracefully() came: what was posted is still on its way; this side's stream has ended; the outcome is known.
    enum class Ending : std::uint8_t { no, draining, told, over };
    Ending ending_ GUARDED_BY(mutex_) = Ending::no;
    TimerId ending_timer_ GUARDED_BY(mutex_){};
    bool ended_in_order_ GUARDED_BY(mutex_) = false;  // by the peer, while it was up
    bool peer_finished_ GUARDED_BY(mutex_) = false;   // its stream has ended in order

    // The handshake.
    std::optional<MpaFrameReader> reader_ GUARDED_BY(mutex_);
    std::optional<MpaFrame> peer_frame_ GUARDED_BY(mutex_);
    std::optional<Fault> frame_fault_ GUARDED_BY(mutex_);
    std::vector<std::byte> arrived_ GUARDED_BY(mutex_);  // behind the peer's frame
    std::uint32_t deadline_ GUARDED_BY(mutex_) = 0;      // number of the one in force; others have been cleared
    TimerId timer_ GUARDED_BY(mutex_){};
    std::uint64_t traffic_ GUARDED_BY(mutex_) = 0;  // of the stream, when its idleness was last looked at

    Address remote_ GUARDED_BY(mutex_);  // the peer's

    // Active.
    Address local_ GUARDED_BY(mutex_);
    std::optional<StreamAddresses> stream_ GUARDED_BY(mutex_);  // of the socket that the channel has
    PrivateData private_data_ GUARDED_BY(mutex_);
    std::optional<MpaFrame> request_ GUARDED_BY(mutex_);
    std::optional<MpaAgreement> agreement_ GUARDED_BY(mutex_);
    SteadyTime requested_at_ GUARDED_BY(mutex_){};
    std::uint8_t revision_ GUARDED_BY(mutex_) = MpaFrame::kEnhancedRevision;
    bool opened_early_ GUARDED_BY(mutex_) = false;  // before the program completed (IW-CM-11)
    bool claimed_ GUARDED_BY(mutex_) = false;       // local_ and remote_, in the transport, until end()

    // Passive.
    Ref<ListenerSink> listener_ GUARDED_BY(mutex_);                      // until the request came
    Callers::Number caller_ GUARDED_BY(mutex_) = Callers::Number::none;  // until the program answered, or the end
    bool abandoned_ GUARDED_BY(mutex_) = false;
};

}  // namespace opennd::iwarp
