// SPDX-License-Identifier: MIT
// IwarpConnector: what the program asks, and how a connection ends.
#include "transport/iwarp/handshake/connector.h"

#include "base/explanation.h"
#include "base/log.h"
#include "transport/iwarp/closing_socket.h"
#include "transport/iwarp/handshake/link.h"
#include "transport/soft/transport.h"

namespace opennd::iwarp {

IwarpConnector::IwarpConnector(Ref<soft::SoftAdapter> adapter, Ref<WireContext> context, ConnectionState state)
    : adapter_(std::move(adapter)), context_(std::move(context)), state_(state) {}

bool IwarpConnector::advance(ConnectionEvent event) {
    const auto next = transition(state_, event);
    if (!next) return false;
    state_ = *next;
    return true;
}

// From here on the event loop keeps this object alive, until end().
Status IwarpConnector::watch() {
    const Ref<EventLoop::Watcher> watch(new Watch(Ref<IwarpConnector>(this)));
    return adapter_->event_loop().add(socket_.descriptor(), EventLoop::kSocket, watch);
}

void IwarpConnector::set_sink(Ref<ConnectorSink> sink) {
    bool was_abandoned = false;
    {
        const Held lock(mutex_);
        std::swap(sink_, sink);
        was_abandoned = abandoned_ && sink_;
    }
    if (was_abandoned) later(to_sink([](ConnectorSink& to) { to.on_establish_failed(Status::connection_aborted); }));
}

MpaTerms IwarpConnector::terms(std::uint8_t revision) const {
    const AdapterLimits& limits = adapter_->limits();
    MpaTerms terms;
    terms.crc = context_->settings.crc;
    terms.revision = revision;
    terms.most = {limits.max_inbound_reads, limits.max_outbound_reads};
    return terms;
}

// False: the connection is broken. A frame always fits into a socket that has sent nothing yet.
bool IwarpConnector::write_frame(const MpaFrame& frame) {
    std::array<std::byte, MpaFrame::kMaxBytes> octets;
    const std::span<const std::byte> stored = frame.store(octets);
    const auto sent = socket_.send(stored);
    return sent.ok() && sent.value() == stored.size();
}

// canceled: the queue pair was released or flushed meanwhile; connection_aborted: there is no memory for it.
Status IwarpConnector::attach(MpaRole role, const MpaAgreement& agreement) {
    limits_ = agreement.limits;
    const auto own = socket_.local_address(), peer = socket_.peer_address();
    if (own.ok() && peer.ok()) stream_ = {own.value(), peer.value()};
    Ref<ChannelOwner> owner(new Owner(Ref<IwarpConnector>(this)));  // may throw: before the socket is given away
    IwarpChannel::Parts parts{
        &adapter_->event_loop(),           std::move(socket_),   role,          agreement,
        &queue_pair_->adapter()->tokens(), queue_pair_->scope(), arrived_,      std::move(owner),
        context_->settings.completion,     context_->pollers,    opened_early_, queue_pair_->adapter()->ledger()};
    try {
        channel_ = make_ref<IwarpChannel>(std::move(parts));
        channel_->watch();
        if (!queue_pair_->attach(Ref<soft::Channel>(channel_),
                                 Ref<soft::ConnectionEnd>(new End(Ref<IwarpConnector>(this))), limits_)) {
            channel_->abort();
            return Status::canceled;
        }
        adapter_->service().add(queue_pair_);
        return Status::success;
    } catch (const std::bad_alloc&) {  // the program's request is accepted already, and fails here
        if (parts.socket) socket_ = std::move(parts.socket);
        return report(Status::connection_aborted, {.object = "connection",
                                                   .operation = "beginning",
                                                   .asked = "buffers for what goes out and what comes in",
                                                   .limit = "memory that the system still has",
                                                   .remedy = "free memory, or end connections, and connect again",
                                                   .requirement = "ND2-GEN-02"});
    }
}

void IwarpConnector::complete() {
    Ref<soft::SoftQueuePair> ready, failed;
    Call established;
    {
        const Held lock(mutex_);
        if (state_ == ConnectionState::replied && socket_.peer_closed()) {
            // The peer's last word is here already: it decides (ND2-CON-CMPL-02). This runs after it was heard.
            later([self = Ref<IwarpConnector>(this)] {
                self->on_ready(EventLoop::kPeerEnded);
                self->complete();
            });
        } else if (state_ != ConnectionState::replied) {
            failed = std::exchange(given_up_, nullptr);  // the peer ended it; the sink knows or will
        } else if (const Status status = attach(MpaRole::request, *agreement_); !ok(status)) {
            failed = queue_pair_;
            end();
            later(to_sink([status](ConnectorSink& to) { to.on_establish_failed(status); }));
        } else {
            ready = queue_pair_;
            advance(ConnectionEvent::complete);
            channel_->open_stream();
            watch_idleness();
            established = to_sink([stream = stream_](ConnectorSink& sink) { sink.on_established(stream); });
        }
    }
    if (failed) failed->connection_ended();
    if (!ready) return;
    later([self = Ref<IwarpConnector>(this), established = std::move(established)] {
        established();
        self->look();  // what came before anybody looked
    });
}

void IwarpConnector::accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                            std::span<const std::byte> private_data) {
    const Ref<soft::SoftQueuePair> pair(static_cast<soft::SoftQueuePair*>(queue_pair.get()));
    Status status = Status::connection_aborted;  // given up by the peer: the sink knows or will
    {
        const Held lock(mutex_);
        if (state_ == ConnectionState::requested) {
            queue_pair_ = pair;
            status = accept_request(limits, private_data);
            if (!ok(status)) {
                end();
                later(to_sink([](ConnectorSink& to) { to.on_establish_failed(Status::connection_aborted); }));
            }
        }
    }
    if (!ok(status)) pair->connection_ended();
}

void IwarpConnector::reject(std::span<const std::byte> private_data) {
    const Held lock(mutex_);
    if (state_ == ConnectionState::requested) reject_request(private_data);
    if (state_ == ConnectionState::replied) refuse_reply({Layer::mpa, kMpaError, 0x05});
}

void IwarpConnector::disconnect() { end_connection(Farewell::order); }

// An end of the stream would be a notice.
void IwarpConnector::abort() {
    {
        const Held lock(mutex_);
        if (channel_) channel_->reset_when_closed();
    }
    end_connection(Farewell::order);
}

void IwarpConnector::end_connection(Farewell farewell) {
    Ref<soft::SoftQueuePair> queue_pair;
    {
        const Held lock(mutex_);
        queue_pair = queue_pair_;
        if (farewell == Farewell::failure && channel_) channel_->tell_local_failure();
    }
    // The queue pair comes to rest and gives the channel up, whose last octets then leave.
    release_queue_pair(queue_pair);
    const Held lock(mutex_);
    end();
}

void IwarpConnector::close(bool cancelled) {
    ConnectionState state;
    {
        const Held lock(mutex_);
        sink_ = nullptr;
        state = state_;
        switch (state) {
            case ConnectionState::requesting:  // README.md of the specifications, ruling 7
                if (cancelled)
                    end();
                else
                    end_in_order();
                break;
            case ConnectionState::replied: refuse_reply({Layer::mpa, kMpaError, 0x05}); break;
            case ConnectionState::requested: reject_request({}); break;
            case ConnectionState::idle:
            case ConnectionState::dialing:
            case ConnectionState::awaiting: end(); break;
            case ConnectionState::accepting:
            case ConnectionState::established:
            case ConnectionState::ended: break;
        }
    }
    if (state == ConnectionState::accepting || state == ConnectionState::established) disconnect();
}

void IwarpConnector::release_queue_pair(Ref<soft::SoftQueuePair> queue_pair) {
    if (!queue_pair) return;
    queue_pair->connection_ended();
    adapter_->service().remove(*queue_pair);
}

bool IwarpConnector::abandoned() const {
    const Held lock(mutex_);
    return abandoned_;
}

ConnectionPath IwarpConnector::path() const {
    const Held lock(mutex_);
    return {"iwarp", channel_ ? channel_->bulk_path() : std::string_view{}};
}

// Nothing is heard any more, and what holds this object lets go. A socket that no channel has is reset.
void IwarpConnector::end() {
    if (state_ == ConnectionState::ended) return;
    advance(ConnectionEvent::end);
    clear_deadline();
    adapter_->event_loop().cancel(std::exchange(ending_timer_, TimerId{}));
    if (std::exchange(claimed_, false)) adapter_->transport().release_addresses(local_, remote_);
    if (channel_) channel_->stop_watching();
    if (socket_) {
        adapter_->event_loop().remove(socket_.descriptor());
        socket_.reset();
    }
    leave_callers();
    listener_ = nullptr;
    queue_pair_ = nullptr;
}

// The peer gets this side's last octets and an end of the stream.
void IwarpConnector::end_in_order(std::span<const std::byte> last_words) {
    adapter_->event_loop().remove(socket_.descriptor());
    ClosingSocket::close(adapter_->event_loop(), std::move(socket_), last_words);
    end();
}

void IwarpConnector::later(Call call) { adapter_->event_loop().post(std::move(call)); }

}  // namespace opennd::iwarp
