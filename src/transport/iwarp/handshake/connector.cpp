// SPDX-License-Identifier: MIT
// IwarpConnector: the channel of a connection, and the farewells. See connector.h.
#include "transport/iwarp/handshake/connector.h"

#include <array>
#include <new>
#include <utility>

#include "base/explanation.h"
#include "transport/iwarp/closing_socket.h"

namespace opennd::iwarp {

class IwarpConnector::Owner final : public ChannelOwner {
public:
    explicit Owner(Ref<IwarpConnector> connector) : connector_(std::move(connector)) {}
    void revisit() override { connector_->look(); }
    void poller_left() override { connector_->poller_left(); }
    // While the loop looks for the peer's next Read or Write.
    bool look() override {
        connector_->look();
        const Ref<IwarpChannel> channel = connector_->streaming_channel();
        return channel && channel->looks_on();
    }

private:
    const Ref<IwarpConnector> connector_;
};

IwarpConnector::IwarpConnector(Ref<soft::SoftAdapter> adapter, Ref<WireContext> context, State initial)
    : WireConnector(std::move(adapter), "iwarp", initial, PeerHolds::nothing),
      context_(std::move(context)),
      handshake_(std::make_unique<Handshake>()) {}

MpaTerms IwarpConnector::terms(std::uint8_t revision) const {
    const AdapterLimits& limits = adapter_->limits();
    MpaTerms terms;
    terms.crc = context_->settings.crc;
    terms.revision = revision;
    terms.receipts = context_->settings.completion == CompletionProof::automatic;
    terms.most = {limits.max_inbound_reads, limits.max_outbound_reads};
    return terms;
}

// connection_aborted: the connection is broken. insufficient_resources: the system takes nothing. A frame always fits into a socket that
// has sent nothing yet.
Status IwarpConnector::write_frame(const MpaFrame& frame) {
    std::array<std::byte, MpaFrame::kMaxBytes> octets;
    const std::span<const std::byte> stored = frame.store(octets);
    const auto sent = socket_.send(stored);
    if (sent.status() == Status::insufficient_resources) return sent.status();
    return sent.ok() && sent.value() == stored.size() ? Status::success : Status::connection_aborted;
}

Status IwarpConnector::make_channel(MpaRole role, const MpaAgreement& agreement) {
    limits_ = agreement.limits;
    if (role == MpaRole::reply)
        carrier_.stream = {local_, remote_};
    else if (bound_.port() != 0)
        carrier_.stream = {bound_, remote_};
    else if (const auto own = socket_.local_address(); own.ok())
        carrier_.stream = {own.value(), remote_};
    Ref<ChannelOwner> owner(new Owner(Ref<IwarpConnector>(this)));  // may throw: before the socket is given away
    IwarpChannel::Parts parts{&adapter_->event_loop(),
                              std::move(socket_),
                              role,
                              agreement,
                              &queue_pair_->adapter()->tokens(),
                              queue_pair_->scope(),
                              handshake_->arrived,
                              std::move(owner),
                              context_->settings.completion,
                              context_->pollers,
                              opened_early_,
                              queue_pair_->adapter()->ledger(),
                              carrier_.wire,
                              context_->buffers,
                              context_->settings.tcp.dead_after};
    try {
        channel_ = make_ref<IwarpChannel>(std::move(parts));
        channel_->watch();
        if (attach(channel_)) {
            handshake_.reset();
            return Status::success;
        }
        channel_->abort();
        return Status::canceled;
    } catch (const std::bad_alloc&) {  // the program's request is accepted already, and fails here
        if (parts.socket) socket_ = std::move(parts.socket);
        return report(Status::connection_aborted, {.object = "connection",
                                                   .operation = "beginning",
                                                   .asked = "room for what is on its way",
                                                   .limit = "memory that the system still has",
                                                   .remedy = "free memory, or end connections, and connect again",
                                                   .requirement = "ND2-GEN-02"});
    }
}

// The peer is told by the first message on the stream.
Status IwarpConnector::begin_channel() {
    if (const Status status = make_channel(MpaRole::request, *agreement_); !ok(status)) return status;
    must_advance(Event::complete);
    channel_->open_stream();
    watch_idleness();
    return Status::success;
}

void IwarpConnector::withdraw(Withdrawal how) {
    if (how == Withdrawal::refused)
        end_in_order();
    else
        conclude();  // a reset, which the peer tells from a rejection (ND2-CON-ACC-10)
}

ConnectionPath IwarpConnector::path() const {
    const Held lock(mutex_);
    return {"iwarp", channel_ ? channel_->bulk_path() : std::string_view{}};
}

// ---- the end --------------------------------------------------------------------------------------------------------

// An end in order needs nothing here: the queue pair closes the channel, and ClosingSocket sends the last octets and the
// end of the stream. The peer takes that end for a notice. Where it must not, the close resets the stream.
void IwarpConnector::prepare_farewell(Farewell farewell) {
    if (!channel_) return;
    switch (farewell) {
        case Farewell::order: break;
        case Farewell::no_notice:
        case Farewell::unfinished:
        case Farewell::death: channel_->reset_when_closed(); break;
        case Farewell::failure: channel_->tell_local_failure(); break;
    }
}

// A side that has ended its direction answers nothing: messages of this side complete when the stream has taken them, and its
// Reads fail.
void IwarpConnector::outlive_peers_finish() {
    channel_->outlive_end();
    queue_pair_->service().serve_later(*queue_pair_);
}

IwarpConnector::Call IwarpConnector::take_as_end() {
    return peer_ended(Status::connection_refused, EndCause::disconnect);
}

// A socket that no channel has is reset.
void IwarpConnector::let_go() {
    if (channel_) channel_->stop_watching();
    if (socket_) {
        adapter_->event_loop().remove(socket_.descriptor(), EventLoop::Known::left);
        socket_.reset();
    }
    leave_callers();
}

// The peer gets this side's last octets and an end of the stream.
void IwarpConnector::end_in_order(std::span<const std::byte> last_words) {
    adapter_->event_loop().remove(socket_.descriptor(), EventLoop::Known::left);
    ClosingSocket::close(adapter_->event_loop(), std::move(socket_), last_words);
    conclude();
}

}  // namespace opennd::iwarp
