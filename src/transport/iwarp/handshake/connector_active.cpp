// SPDX-License-Identifier: MIT
// IwarpConnector, the active side's handshake: TCP, Request, Reply, and a second attempt for peers that know revision 1
// alone (IW-CM-17).
#include <chrono>

#include "base/explanation.h"
#include "base/until_memory.h"
#include "transport/iwarp/handshake/connector.h"
#include "transport/iwarp/opening.h"

namespace opennd::iwarp {
namespace {

constexpr std::chrono::seconds kTcpPatience{20};  // T_tcp
// A peer that ends sooner than this without an octet may not know revision 2; later it has refused (IW-CM-18).
constexpr std::chrono::seconds kFallBackWithin{2};

// The status of a Connect for the kernel's of its socket.
Status connect_status(Status told) {
    switch (told) {
        case Status::timed_out:
        case Status::network_unreachable:
        case Status::host_unreachable:
        case Status::no_memory:
        case Status::insufficient_resources:
        case Status::connection_refused: return told;
        case Status::invalid_address: return Status::network_unreachable;  // the local address is gone
        default: return Status::connection_refused;
    }
}

std::string_view limit_of(Status status) {
    switch (status) {
        case Status::timed_out:
            return "a peer that answers in time: 20 s for TCP, OPENND_IWARP_PATIENCE_MS for the Reply, 5 s within it";
        case Status::address_exists: return "one connection for each pair of addresses and ports; this one exists";
        case Status::connection_refused:
            return "a listener at that address and port, which speaks iWARP, has room and accepts";
        case Status::no_memory:
        case Status::insufficient_resources: return "memory, descriptors and free ports that this process still has";
        default: return "what the network can reach from the local address";
    }
}

std::string_view remedy_of(Status status, const Address& remote) {
    switch (status) {
        case Status::address_exists: return "bind the connector to port 0 or to another port";
        case Status::connection_refused:
            return "see GetPrivateData for what the peer said; check its address, its port and its log";
        case Status::no_memory:
        case Status::insufficient_resources:
            return "raise the limits of this process (ulimit -n, ulimit -v), or end connections, and connect again";
        default:
            return remote.is_link_local()
                       ? "give the link-local address the scope of the link that the peer is on (fe80::1%eth0; the "
                         "adapter's own is meant without one), and connect from the adapter of that link"
                       : "check the address, the route and whether the peer runs";
    }
}

// The peer's words, which the program has to hear, and so a copy waits for memory.
std::vector<std::byte> copy_of(std::span<const std::byte> octets) {
    return until_memory([octets] { return std::vector<std::byte>(octets.begin(), octets.end()); });
}

}  // namespace

Ref<IwarpConnector> IwarpConnector::active(Ref<soft::SoftAdapter> adapter, Ref<WireContext> context) {
    return Ref<IwarpConnector>(new IwarpConnector(std::move(adapter), std::move(context), State::idle));
}

void IwarpConnector::connect(const Address& local, PortOrigin origin, const Address& remote, const ReadLimits& offer,
                             std::span<const std::byte> private_data, Ref<TransportQueuePair> queue_pair) {
    const Way way = way_to(remote, local, adapter_->interface());
    const Held lock(mutex_);
    local_ = local;
    remote_ = remote;
    way_ = way;
    handshake_->private_data = PrivateData(private_data);
    begin(local, remote, offer, private_data, queue_pair);
    const bool old =
        context_->settings.revisions == Revisions::automatic && context_->revisions.contains(remote, now());
    revision_ = old || context_->settings.revisions == Revisions::one ? 1 : MpaFrame::kEnhancedRevision;
    // ND2-CON-BIND-04: within this process; between processes TCP sees to it where it has the port.
    const bool free = claim_addresses(local_, remote_, origin == PortOrigin::program);
    if (const Call call = free ? dial() : fail_connect(Status::address_exists)) later(call);
}

// The program's port is a label: it is TCP's as well where TCP can have it, and where that is no connection of a socket
// with itself.
IwarpConnector::Call IwarpConnector::dial() {
    bound_ = way_.from == remote_ ? way_.from.with_port(0) : way_.from;
    auto socket = TcpSocket::connect(bound_, remote_, way_.interface, context_->settings.tcp);
    if (!socket.ok()) {
        bound_ = bound_.with_port(0);
        socket = TcpSocket::connect(bound_, remote_, way_.interface, context_->settings.tcp);
    }
    if (!socket.ok()) return fail_connect(connect_status(socket.status()));
    socket_ = socket.take();
    must_advance(Event::dial);
    // On one host TCP has connected by now.
    const bool connected = socket_.peer_address().ok();
    if (!connected) set_deadline(kTcpPatience);
    Call call = connected ? send_request() : Call();
    if (call) return call;
    const Status status = watch(socket_.descriptor(), connected ? EventLoop::kSocket : EventLoop::kFullSocket);
    return ok(status) ? Call() : fail_connect(status);
}

IwarpConnector::Call IwarpConnector::on_dialed() {
    const Status status = socket_.outcome();
    if (!ok(status)) return fail_connect(connect_status(status));
    const Status connected = socket_.peer_address().status();
    if (connected == Status::not_connected) return {};  // not decided yet
    if (!ok(connected)) return fail_connect(connect_status(connected));
    return send_request();
}

IwarpConnector::Call IwarpConnector::send_request() {
    must_advance(Event::ask);
    handshake_->request = make_request(terms(revision_), limits_, handshake_->private_data.octets());
    handshake_->reader.emplace(MpaRole::reply);
    requested_at_ = now();
    set_deadline(context_->settings.patience);  // T_reply
    const Status sent = write_frame(*handshake_->request);
    return ok(sent) ? Call() : fail_connect(connect_status(sent));
}

IwarpConnector::Call IwarpConnector::read_reply() {
    switch (read_frame()) {
        case Frame::missing: return {};
        case Frame::whole: return handle_reply(*handshake_->peer_frame);
        case Frame::ended:
            if (now() - requested_at_ < kFallBackWithin && !handshake_->reader->begun() && can_fall_back())
                return fall_back();
            context_->revisions.remove(remote_);
            return fail_connect(Status::connection_refused);
        case Frame::faulty: return fail_connect(Status::connection_refused);
    }
    return {};
}

bool IwarpConnector::can_fall_back() const {
    return revision_ == MpaFrame::kEnhancedRevision && context_->settings.revisions == Revisions::automatic;
}

IwarpConnector::Call IwarpConnector::fall_back() {
    log(LogLevel::info, "connection to {}: the peer does not answer revision 2 of MPA; trying revision 1 (IW-CM-17)",
        remote_.text());
    clear_deadline();
    adapter_->event_loop().remove(socket_.descriptor(), EventLoop::Known::left);
    socket_.reset();
    handshake_->arrived.clear();
    revision_ = 1;
    return dial();
}

IwarpConnector::Call IwarpConnector::handle_reply(const MpaFrame& reply) {
    clear_deadline();
    const auto settled = settle(terms(revision_), *handshake_->request, reply, limits_);
    if (!settled.ok() && may_fall_back(settled.fault().kind) && can_fall_back()) return fall_back();
    if (revision_ != MpaFrame::kEnhancedRevision) context_->revisions.add(remote_, now());
    if (reply.rejected) return fail_connect(Status::connection_refused, reply.private_data.octets());
    if (!settled.ok()) {
        handshake_->frame_fault = settled.fault();
        return fail_connect(Status::connection_refused);
    }
    agreement_ = settled.value();
    limits_ = agreement_->limits;
    Call call = replied(copy_of(reply.private_data.octets()));
    if (context_->settings.open_at == OpenAt::reply && agreement_->rtr != Rtr::none) open_early();
    // Only the peer's end is reported until the program completes (IW-CM-10).
    (void)adapter_->event_loop().modify(socket_.descriptor(), EventLoop::kPeerEnded);
    return call;
}

// The channel, which the program's CompleteConnect makes, goes on behind it. A socket that is broken shows later. Without memory
// the channel opens the stream.
void IwarpConnector::open_early() {
    Output output(agreement_->crc, agreement_->markers, *context_->buffers);
    if (!output.has_slab()) return;
    put_opening(output, agreement_->rtr, agreement_->immediate);
    (void)output.flush(socket_);
    opened_early_ = true;
}

// The peer learns why, where it has a Reply to be told so (3.3).
IwarpConnector::Call IwarpConnector::fail_connect(Status status, std::span<const std::byte> private_data) {
    (void)report(status, {.object = "connector",
                          .operation = "Connect",
                          .asked = handshake_->frame_fault ? describe(*handshake_->frame_fault)
                                                           : phrase("a connection to {} over iwarp", remote_.text()),
                          .limit = limit_of(status),
                          .remedy = remedy_of(status, remote_),
                          .requirement = status == Status::address_exists ? "ND2-CON-BIND-04" : "ND2-CON-CONN-05"});
    const bool answers = handshake_->peer_frame && !handshake_->peer_frame->rejected && handshake_->frame_fault;
    if (answers)
        refuse_reply(cause(*handshake_->frame_fault));
    else if (handshake_->peer_frame && socket_)
        end_in_order();
    return connect_failed(status, copy_of(private_data));
}

// The one FPDU of a stream that never was, but for an early opening.
void IwarpConnector::refuse_reply(const TerminateCause& cause) {
    const bool with_crc = handshake_->request->crc == Crc::on || handshake_->peer_frame->crc == Crc::on;
    Output output(with_crc ? Crc::on : Crc::off, handshake_->peer_frame->markers, *context_->buffers);
    if (!output.has_slab()) return end_in_order();
    if (opened_early_) {
        put_opening(output, agreement_->rtr, agreement_->immediate);
        output.skip();
    }
    output.put(Terminate(cause).ulpdu());
    end_in_order(output.unsent());
}

}  // namespace opennd::iwarp
