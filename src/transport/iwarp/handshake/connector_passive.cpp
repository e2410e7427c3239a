// SPDX-License-Identifier: MIT
// IwarpConnector, the passive side's handshake: the Request, the program's answer, the Reply.
#include <array>
#include <chrono>
#include <new>

#include "base/explanation.h"
#include "transport/iwarp/closing_socket.h"
#include "transport/iwarp/handshake/connector.h"

namespace opennd::iwarp {
namespace {

constexpr std::chrono::seconds kRequestPatience{10};  // T_req

void refuse_caller(const Address& peer, const Callers::Ceilings& ceilings) {
    (void)report(Status::connection_refused,
                 {.object = "listener",
                  .operation = "a connection",
                  .asked = phrase("one more of {}", peer.text()),
                  .limit = phrase("{} requests of one host that no program has answered", ceilings.of_one_host),
                  .remedy = "answer requests sooner, or let the process have more descriptors (RLIMIT_NOFILE)",
                  .requirement = "IW-SEC-15",
                  .cause = LogCause::caller});
}

}  // namespace

void IwarpConnector::passive(Ref<soft::SoftAdapter> adapter, Ref<WireContext> context, TcpListener::Accepted accepted,
                             Ref<ListenerSink> listener, const Callers::Ceilings& ceilings) {
    const Ref<IwarpConnector> connector(new IwarpConnector(std::move(adapter), std::move(context), State::awaiting));
    const Held lock(connector->mutex_);
    Callers::Admission admission = connector->context_->callers.add(
        accepted.peer, [connector] { connector->make_place(); }, ceilings, now());
    if (admission.leaves) connector->adapter_->event_loop().post(std::move(admission.leaves));
    if (admission.number == Callers::Number::none) return refuse_caller(accepted.peer, ceilings);
    connector->caller_ = admission.number;
    connector->remote_ = accepted.peer;
    connector->socket_ = std::move(accepted.socket);
    connector->listener_ = std::move(listener);
    connector->handshake_->reader.emplace(MpaRole::request);
    try {
        connector->set_deadline(kRequestPatience);
        if (!ok(connector->watch(connector->socket_.descriptor(), EventLoop::kSocket))) connector->conclude();
    } catch (const std::bad_alloc&) {
        connector->conclude();
    }
}

// A connection keeps its place if its request has come by now.
void IwarpConnector::make_place() {
    under_lock([this]() REQUIRES(mutex_) {
        if (state() != State::awaiting) return Call();
        Call call = read_request(true);
        if (state() == State::awaiting) {
            log_silence("it asks for nothing, and others need its place");
            conclude();
        }
        return call;
    });
}

void IwarpConnector::log_silence(std::string_view why) const {
    log(LogLevel::warn, LogCause::caller, "listener: a connection of {} ends: {} (IW-SEC-15)", remote_.text(), why);
}

void IwarpConnector::leave_callers() {
    if (caller_ != Callers::Number::none) context_->callers.remove(std::exchange(caller_, Callers::Number::none));
}

// Anything but a request is reset without a word, and the program learns nothing of it (IW-CM-15).
IwarpConnector::Call IwarpConnector::read_request(bool may_have_ended) {
    const Frame frame = read_frame();
    if (frame == Frame::missing) return {};
    // An initiator waits for the Reply before it says more (IW-NEG-17).
    if (frame == Frame::whole && handshake_->arrived.empty()) return handle_request(may_have_ended);
    if (handshake_->frame_fault)
        log(LogLevel::info, LogCause::caller, "listener: a connection ends: {}",
            describe(*handshake_->frame_fault).c_str());
    conclude();
    return {};
}

IwarpConnector::Call IwarpConnector::handle_request(bool may_have_ended) {
    const auto local = socket_.local_address();
    if (!local.ok()) {
        conclude();
        return {};
    }
    local_ = local.value();
    context_->callers.asked(caller_);
    const std::span<const std::byte> data = handshake_->peer_frame->private_data.octets();
    Call call = requested(
        {local_, remote_, limits_left(*handshake_->peer_frame, terms(revision_).most), {data.begin(), data.end()}});
    set_deadline(context_->settings.patience);
    // An end that came together with the request is told again; one that comes later is told by itself.
    if (may_have_ended) (void)adapter_->event_loop().modify(socket_.descriptor(), EventLoop::kSocket);
    return call;
}

// R2: neither octets nor an end are in order before the answer.
IwarpConnector::Call IwarpConnector::watch_request() {
    std::array<std::byte, 1> octet;
    if (socket_.receive(octet).status() == Status::would_block) return {};
    conclude();
    return tell_abandoned(Status::connection_aborted);
}

// Its peer waits no longer than that, and it holds a place that others need.
IwarpConnector::Call IwarpConnector::give_up_request() {
    log(LogLevel::warn, LogCause::caller,
        "listener: a request of {} is rejected: the program has not answered it within {} ms "
        "(OPENND_IWARP_PATIENCE_MS)",
        remote_.text(), context_->settings.patience.count());
    refuse({});
    return tell_abandoned(Status::connection_aborted);
}

Status IwarpConnector::accept_request(const ReadLimits& limits, std::span<const std::byte> private_data) {
    leave_callers();
    const MpaTerms mine = terms(revision_);
    const MpaFrame reply = make_reply(mine, *handshake_->peer_frame, limits, false, private_data);
    const MpaAgreement agreement = agreed(mine, *handshake_->peer_frame, reply, limits);
    if (!ok(write_frame(reply))) return Status::connection_aborted;
    if (const Status status = make_channel(MpaRole::reply, agreement); !ok(status)) return status;
    must_advance(Event::accept);
    if (agreement.peer_to_peer) {
        set_deadline(context_->settings.patience);  // T_rtr
    } else {  // no opening is owed: the program is done, though nothing may be sent before the peer has (IW-CM-21)
        later(opened());
        watch_idleness();
    }
    return Status::success;
}

// The data reach the peer though this object is released at once (ND2-CON-REJ-03).
void IwarpConnector::refuse(std::span<const std::byte> private_data) {
    if (state() == State::replied) return refuse_reply({Layer::mpa, kMpaError, 0x05});
    const MpaTerms mine = terms(revision_);
    const MpaFrame reply =
        make_reply(mine, *handshake_->peer_frame, limits_left(*handshake_->peer_frame, mine.most), true, private_data);
    std::array<std::byte, MpaFrame::kMaxBytes> octets;
    end_in_order(reply.store(octets));
}

}  // namespace opennd::iwarp
