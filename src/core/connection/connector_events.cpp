// SPDX-License-Identifier: MIT
// The events of a connector: from its transport, as ConnectorSink, and from the listener that it waits at. Any thread.
//
// An event that finds the connector in a state where it means nothing came too late: the program has cancelled or let
// go.
#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

#include "base/checker.h"
#include "base/explanation.h"
#include "core/adapter/adapter.h"
#include "core/connection/connector.h"
#include "core/connection/listener.h"

namespace opennd {
namespace {

// Which failures of Connect leave the connector bound, for another try (ND2-CON-CONN-05).
bool may_be_tried_again(Status status) {
    return status == Status::connection_refused || status == Status::timed_out ||
           status == Status::network_unreachable || status == Status::host_unreachable ||
           status == Status::address_exists || status == Status::address_unspecified;
}

// The other side's end makes this side's request fail.
[[gnu::cold]] void report_given_up(Status status, std::string_view method, const Address& local, const Address& peer) {
    (void)report(status, {.object = "connector",
                          .operation = method,
                          .asked = phrase("a connection between {} and {}", local.text(), peer.text()),
                          .limit = "both sides see it through; the peer rejected, cancelled, released, or has ended",
                          .remedy = "connect again with new objects; the peer's log may say why it gave up",
                          .requirement = method == "Accept" ? "ND2-CON-ACC-03" : "ND2-CON-CMPL-02",
                          .cause = LogCause::peer});
}

}  // namespace

Status Connector::start_waiting(Ref<Listener> listener) {
    const Held lock(mutex_);
    if (const Status status = check(ConnectorMethod::get_connection_request); !ok(status)) return status;
    must_advance(ConnectorEvent::wait);
    listener_ = std::move(listener);
    return Status::success;
}

void Connector::stop_waiting() {
    Ref<Listener> listener;  // dropped without the lock
    const Held lock(mutex_);
    if (advance(ConnectorEvent::stop_waiting)) listener = std::exchange(listener_, nullptr);
}

bool Connector::assign(Ref<TransportConnector>& transport, ConnectionRequest& request) {
    std::vector<std::byte> data = padded(request.private_data, &AdapterLimits::max_caller_data_bytes);
    Ref<Listener> listener;
    const Held control(control_);
    {
        const Held lock(mutex_);
        if (state_ != ConnectorState::waiting) return false;  // released or cancelled meanwhile
        local_ = request.local;
        peer_ = request.peer;
        must_advance(ConnectorEvent::request);
        listener = std::exchange(listener_, nullptr);
        history_.named_peer = true;
        limits_ = request.limits;  // ND2-CON-LIM-02
        private_data_ = std::move(data);
    }
    transport_ = std::move(transport);
    transport_->set_sink(Ref<ConnectorSink>(this));  // may report at once that the peer has given up
    return true;
}

// The data as programs see them, as long as the messages of the connection manager (ND2-CON-PD-02). Events call this before they change
// anything, because it takes memory.
std::vector<std::byte> Connector::padded(std::span<const std::byte> private_data,
                                         std::uint32_t AdapterLimits::*most) const {
    const std::size_t bytes = adapter_->traits().pads_private_data ? adapter_->limits().*most : 0;
    std::vector<std::byte> data(std::max(private_data.size(), bytes));
    std::ranges::copy(private_data, data.begin());
    return data;
}

void Connector::on_replied(const ReadLimits& limits, std::span<const std::byte> private_data) {
    std::vector<std::byte> data = padded(private_data, &AdapterLimits::max_callee_data_bytes);
    CompletionBatch batch(in_flight_);
    const Held lock(mutex_);
    if (!advance(ConnectorEvent::reply)) return;
    limits_ = limits;  // ND2-CON-LIM-04
    private_data_ = std::move(data);
    pending_.take(RequestKind::connect, Status::success, batch);
}

void Connector::on_connect_failed(Status status, std::span<const std::byte> private_data) {
    std::vector<std::byte> data;
    if (!private_data.empty()) data = padded(private_data, &AdapterLimits::max_callee_data_bytes);
    CompletionBatch batch(in_flight_);
    Ref<QueuePair> queue_pair;  // released before the request completes: the program may use it again at once
    {
        const Held lock(mutex_);
        const bool again = starts_over_ || may_be_tried_again(status);
        if (!advance(again ? ConnectorEvent::refuse : ConnectorEvent::fail, status)) return;
        if (starts_over_) must_advance(ConnectorEvent::start_over);
        failed_method_ = "Connect";
        private_data_ = std::move(data);
        history_.refused_with_data = !private_data_.empty();
        pending_.take(RequestKind::connect, status, batch);
        queue_pair = std::exchange(queue_pair_, nullptr);
    }
    queue_pair->release(*this, QueuePair::Outcome::reusable);  // ND2-CON-CONN-06
}

void Connector::on_established(const Carrier& carrier) {
    CompletionBatch batch(in_flight_);
    const Held lock(mutex_);
    if (history_.was_connected) return;  // on_disconnected came first
    carrier_ = carrier;
    if (!advance(ConnectorEvent::establish)) return;
    history_.was_connected = true;
    pending_.take(RequestKind::complete_connect | RequestKind::accept, Status::success, batch);
    if (peer_finished_) pending_.take(RequestKind::notify_disconnect, end_, batch);
}

void Connector::on_establish_failed(Status status) {
    {
        const Held lock(mutex_);
        if (state_ == ConnectorState::requested || state_ == ConnectorState::replied) {
            // Nothing waits for it yet: the program learns of it from its next call (ND2-LIS-REQ-06).
            history_.abandoned = true;
            peer_gave_up_ = status;
            tell_unanswered("the peer gave up");
            return;
        }
    }
    fail_establishing(status);
}

// The side that shows a Connect that hangs is the other one.
void Connector::tell_unanswered(std::string_view end) const noexcept try {
    if (state_ != ConnectorState::requested) return;
    log(LogLevel::warn, LogCause::peer, "connection {} - {}: {}, and neither Accept nor Reject was called",
        local_.text(), peer_.text(), end);
    if (Checker* const checks = checker())
        checks->tell({CheckRule::no_answer, phrase("connector {}", local_.text()),
                      phrase("a request of {}, and neither Accept nor Reject until {}", peer_.text(), end)});
} catch (const std::bad_alloc&) {  // the line is lost
}

void Connector::fail_establishing(Status status) {
    CompletionBatch batch(in_flight_);
    Ref<QueuePair> queue_pair;
    {
        const Held lock(mutex_);
        if (state_ != ConnectorState::completing && state_ != ConnectorState::accepting) return;
        failed_method_ = state_ == ConnectorState::accepting ? "Accept" : "CompleteConnect";
        if (status != Status::canceled) report_given_up(status, failed_method_, local_, peer_);
        must_advance(ConnectorEvent::fail, status);
        pending_.take(RequestKind::every, status, batch);  // NotifyDisconnect too (ND2-CON-NTF-03)
        queue_pair = std::exchange(queue_pair_, nullptr);
    }
    queue_pair->end();  // ND2-CON-ACC-07
    queue_pair->release(*this, QueuePair::Outcome::spent);
}

// on_disconnected may overtake on_established, which the transport may call on another thread.
void Connector::on_disconnected(EndCause cause) {
    on_established({});
    Ref<QueuePair> queue_pair;
    bool told = false;
    {
        CompletionBatch batch(in_flight_);
        const Held lock(mutex_);
        queue_pair = queue_pair_;
        if (advance(ConnectorEvent::lose_peer, status_of(cause), cause)) {
            // The peer, or a failure (ND2-CON-NTF-01).
            if (cause != EndCause::release) end_ = rules_.outlives_notice ? status_of(cause) : Status::success;
            told = pending_.has(RequestKind::notify_disconnect);
            pending_.take(RequestKind::notify_disconnect, end_, batch);
        }
    }
    if (queue_pair && queue_pair->end_with_peer(cause, told)) end_queue_pair(QueuePair::Outcome::spent);
}

bool Connector::on_peer_finished() {
    if (!rules_.outlives_notice) return false;
    CompletionBatch batch(in_flight_);
    const Held lock(mutex_);
    if (state_ == ConnectorState::disconnecting) return true;  // this side is ending it, and on_finished follows
    peer_finished_ = true;
    end_ = Status::success;
    // Before that, the program is told of the connection first (NDK-CON-EVT-02).
    if (state_ == ConnectorState::connected) pending_.take(RequestKind::notify_disconnect, end_, batch);
    return true;
}

void Connector::on_finished(Status status) {
    CompletionBatch batch(in_flight_);
    const Held control(control_);
    {
        const Held lock(mutex_);
        if (state_ != ConnectorState::disconnecting || !pending_.has(RequestKind::end)) return;  // closed meanwhile
    }
    end_transport(Ending::give_up);
    end_queue_pair(QueuePair::Outcome::spent);
    const Held lock(mutex_);
    must_advance(ConnectorEvent::end);
    pending_.take(RequestKind::end, status, batch);
    pending_.take(RequestKind::notify_disconnect, end_, batch);
}

}  // namespace opennd
