// SPDX-License-Identifier: MIT
// One end of an iWARP connection: TCP, the frames of MPA, and the channel that they make. Read soft/connection/wire_connector.h
// and connection.h first: they have the states and the ends. connector_active.cpp and connector_passive.cpp have the two handshakes,
// connector_events.cpp arrivals and deadlines, connector.cpp the channel and the farewells.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "platform/descriptor/tcp_socket.h"
#include "transport/iwarp/channel.h"
#include "transport/iwarp/handshake/callers.h"
#include "transport/iwarp/handshake/mpa_negotiation.h"
#include "transport/iwarp/handshake/way.h"
#include "transport/iwarp/handshake/wire_context.h"
#include "transport/iwarp/stream/mpa_frame_reader.h"
#include "transport/soft/connection/wire_connector.h"

namespace opennd::iwarp {

class IwarpConnector final : public soft::WireConnector {
public:
    static Ref<IwarpConnector> active(Ref<soft::SoftAdapter> adapter, Ref<WireContext> context);
    // Reads the request and hands itself to `listener`.
    static void passive(Ref<soft::SoftAdapter> adapter, Ref<WireContext> context, TcpListener::Accepted accepted,
                        Ref<ListenerSink> listener, const Callers::Ceilings& ceilings);

    void connect(const Address& local, PortOrigin origin, const Address& remote, const ReadLimits& offer,
                 std::span<const std::byte> private_data, Ref<TransportQueuePair> queue_pair) override;
    ConnectionPath path() const override;

private:
    // The channel's way back; keeps this object alive until let_go().
    class Owner;

    IwarpConnector(Ref<soft::SoftAdapter> adapter, Ref<WireContext> context, State initial);

    // connector.cpp
    bool has_last_word() override REQUIRES(mutex_) { return socket_.peer_closed(); }
    Status begin_channel() override REQUIRES(mutex_);
    void take_first_arrivals(soft::SoftQueuePair&) override { look(); }
    void withdraw(Withdrawal how) override REQUIRES(mutex_);
    bool peer_has_completed() const override REQUIRES(mutex_) { return channel_->opened(); }
    void prepare_farewell(Farewell farewell) override REQUIRES(mutex_);
    // False: octets are still to go.
    bool tell_finished() override REQUIRES(mutex_) { return channel_->finish(); }
    void outlive_peers_finish() override REQUIRES(mutex_);
    Call take_as_end() override REQUIRES(mutex_);
    void let_go() override REQUIRES(mutex_);
    // canceled, connection_aborted: as begin_channel().
    Status make_channel(MpaRole role, const MpaAgreement& agreement) REQUIRES(mutex_);
    MpaTerms terms(std::uint8_t revision) const;
    Status write_frame(const MpaFrame& frame) REQUIRES(mutex_);
    void end_in_order(std::span<const std::byte> last_words = {}) REQUIRES(mutex_);

    // connector_active.cpp
    Call dial() REQUIRES(mutex_);
    Call on_dialed() REQUIRES(mutex_);
    Call send_request() REQUIRES(mutex_);
    Call read_reply() REQUIRES(mutex_);
    Call handle_reply(const MpaFrame& reply) REQUIRES(mutex_);
    void open_early() REQUIRES(mutex_);
    bool can_fall_back() const REQUIRES(mutex_);
    Call fall_back() REQUIRES(mutex_);
    Call fail_connect(Status status, std::span<const std::byte> private_data = {}) REQUIRES(mutex_);
    void refuse_reply(const TerminateCause& cause) REQUIRES(mutex_);

    // connector_passive.cpp
    // `may_have_ended`: the loop may have told of an end of the stream already.
    Call read_request(bool may_have_ended) REQUIRES(mutex_);
    Call handle_request(bool may_have_ended) REQUIRES(mutex_);
    Call watch_request() REQUIRES(mutex_);
    Call give_up_request() REQUIRES(mutex_);
    void make_place();
    void leave_callers() REQUIRES(mutex_);
    void log_silence(std::string_view why) const REQUIRES(mutex_);
    Status accept_request(const ReadLimits& limits, std::span<const std::byte> private_data) override REQUIRES(mutex_);
    void refuse(std::span<const std::byte> private_data) override REQUIRES(mutex_);

    // connector_events.cpp
    void on_ready(std::uint32_t epoll_events) override;
    // How far the peer's frame has been read.
    enum class Frame : std::uint8_t { missing, whole, ended, faulty };
    Frame read_frame() REQUIRES(mutex_);
    void look();
    Ref<IwarpChannel> streaming_channel() const EXCLUDES(mutex_);
    void poller_left();
    Call stream_ended() REQUIRES(mutex_);
    Call on_handshake(std::uint32_t epoll_events) REQUIRES(mutex_);
    void watch_idleness() REQUIRES(mutex_);
    Call end_idle() REQUIRES(mutex_);
    Call on_deadline() override REQUIRES(mutex_);

    const Ref<WireContext> context_;

    TcpSocket socket_ GUARDED_BY(mutex_);  // until the channel has it
    Ref<IwarpChannel> channel_ GUARDED_BY(mutex_);

    // What only the handshake needs.
    struct Handshake {
        std::optional<MpaFrameReader> reader;
        std::optional<MpaFrame> peer_frame;
        std::optional<Fault> frame_fault;
        std::vector<std::byte> arrived;  // behind the peer's frame
        // Active.
        PrivateData private_data;
        std::optional<MpaFrame> request;
    };
    std::unique_ptr<Handshake> handshake_ GUARDED_BY(mutex_);  // null once the channel is attached
    std::uint64_t traffic_ GUARDED_BY(mutex_) = 0;             // of the stream, when its idleness was last looked at

    Address remote_ GUARDED_BY(mutex_);  // the peer's

    // Active.
    Address local_ GUARDED_BY(mutex_);
    Way way_ GUARDED_BY(mutex_);
    Address bound_ GUARDED_BY(mutex_);  // the socket's; port 0: the system has chosen another
    std::optional<MpaAgreement> agreement_ GUARDED_BY(mutex_);
    SteadyTime requested_at_ GUARDED_BY(mutex_){};
    std::uint8_t revision_ GUARDED_BY(mutex_) = MpaFrame::kEnhancedRevision;
    bool opened_early_ GUARDED_BY(mutex_) = false;  // before the program completed (IW-CM-11)

    // Passive.
    Callers::Number caller_ GUARDED_BY(mutex_) = Callers::Number::none;  // until the program answered, or the end
};

}  // namespace opennd::iwarp
