// SPDX-License-Identifier: MIT
// The program's calls that end a connection, or the work of its connector: Disconnect, Cancel, releases. Read connector.cpp first.
#include <chrono>
#include <utility>

#include "core/connection/connector.h"
#include "core/connection/listener.h"
#include "core/state/refusal.h"

namespace opennd {

Status Connector::notify_disconnect(std::unique_ptr<AsyncRequest> request) {
    CompletionBatch batch(in_flight_);
    const Held lock(mutex_);
    if (const Status status = check(ConnectorMethod::notify_disconnect); !ok(status)) return status;
    pending_.add(std::move(request), RequestKind::notify_disconnect);
    const bool ended = state_ == ConnectorState::peer_gone || state_ == ConnectorState::done ||
                       (peer_finished_ && state_ == ConnectorState::connected);
    if (ended) pending_.take(RequestKind::notify_disconnect, end_, batch);  // ND2-CON-NTF-02
    return Status::success;
}

Status Connector::disconnect(std::unique_ptr<AsyncRequest> request) {
    CompletionBatch batch(in_flight_);
    const Held control(control_);
    Ending ending = Ending::disconnect;
    {
        const Held lock(mutex_);
        if (const Status status = check(ConnectorMethod::disconnect); !ok(status)) return status;
        request->begin();
        if (state_ == ConnectorState::completing || state_ == ConnectorState::accepting) ending = Ending::give_up;
        if (ends_without_notice()) ending = Ending::abort;
        must_advance(ConnectorEvent::disconnect);
        pending_.take(RequestKind::complete_connect | RequestKind::accept, Status::canceled, batch);
    }
    // All results of the queue pair are in its completion queues when this returns (ND2-CON-DISC-01).
    end_transport(ending);
    // Where the peer was first, the transport let the queue pair go before, and has not ended it.
    end_queue_pair(QueuePair::Outcome::spent);
    const Held lock(mutex_);
    must_advance(ConnectorEvent::end);
    pending_.take(RequestKind::notify_disconnect, end_, batch);
    batch.add(std::move(request), Status::success);
    return Status::success;
}

Status Connector::check_end() const {
    if (state_ == ConnectorState::disconnecting)
        return refuse(ConnectorMethod::disconnect, state_.state(), Status::invalid_state);
    const bool ended_in_order = state_ == ConnectorState::peer_gone && end_ != Status::connection_aborted;
    if (state_ == ConnectorState::connected || ended_in_order) return Status::success;
    return refuse(ConnectorMethod::disconnect, state_.state(), Status::not_connected);
}

Status Connector::end_gracefully(std::chrono::milliseconds patience, std::unique_ptr<AsyncRequest> request) {
    CompletionBatch batch(in_flight_);
    const Held control(control_);
    bool connected = false;
    {
        const Held lock(mutex_);
        if (const Status status = check_end(); !ok(status)) return status;
        connected = state_ == ConnectorState::connected;
        must_advance(ConnectorEvent::disconnect);
        if (connected)
            pending_.add(std::move(request), RequestKind::end);
        else
            request->begin();
    }
    if (connected) {
        transport_->finish(patience);
        return Status::success;
    }
    end_transport(Ending::disconnect);
    end_queue_pair(QueuePair::Outcome::spent);
    const Held lock(mutex_);
    must_advance(ConnectorEvent::end);
    batch.add(std::move(request), Status::success);
    return Status::success;
}

void Connector::cancel() {
    {
        CompletionBatch batch(in_flight_);
        const Held control(control_);
        bool abandoned;
        bool connecting;
        {
            const Held lock(mutex_);
            connecting = state_ == ConnectorState::connecting;
            const bool starts_over = connecting && starts_over_;
            abandoned = advance(starts_over ? ConnectorEvent::start_over : ConnectorEvent::cancel);
            pending_.take(RequestKind::every, Status::canceled, batch);
        }
        if (abandoned) {
            end_transport(connecting ? Ending::cancel : Ending::give_up);
            end_queue_pair(connecting ? QueuePair::Outcome::reusable : QueuePair::Outcome::spent);
        }
    }
    in_flight_.wait_until_idle();
}

void Connector::on_queue_pair_closed() {
    CompletionBatch batch(in_flight_);
    const Held control(control_);
    ConnectorState before;
    {
        const Held lock(mutex_);
        before = state_.state();
        if (!advance(ConnectorEvent::lose_queue_pair)) return;
        if (before == ConnectorState::connected) pending_.take(RequestKind::notify_disconnect, end_, batch);
        pending_.take(RequestKind::every, Status::canceled, batch);  // ND2-CON-ACC-09
        queue_pair_ = nullptr;
    }
    switch (before) {
        case ConnectorState::connecting: return end_transport(Ending::cancel);
        case ConnectorState::connected: return end_transport(Ending::disconnect);
        default: return end_transport(Ending::give_up);
    }
}

void Connector::close() {
    Ref<Listener> listener;
    {
        CompletionBatch batch(in_flight_);
        const Held control(control_);
        Ending ending = Ending::give_up;
        bool attached;
        {
            const Held lock(mutex_);
            if (state_ == ConnectorState::connecting) ending = Ending::cancel;
            if (ends_without_notice()) ending = Ending::abort;
            attached =
                history_.was_connected || state_ == ConnectorState::completing || state_ == ConnectorState::accepting;
            if (!peer_gave_up_) tell_unanswered("its connector was released");
            must_advance(ConnectorEvent::close);
            pending_.take(RequestKind::every, Status::canceled, batch);
            listener = std::exchange(listener_, nullptr);
        }
        end_transport(ending);
        end_queue_pair(attached ? QueuePair::Outcome::spent : QueuePair::Outcome::reusable);
    }
    if (listener) listener->withdraw(*this);
    in_flight_.wait_until_idle();
}

void Connector::end_transport(Ending ending) {
    const Ref<TransportConnector> transport = std::exchange(transport_, nullptr);
    if (!transport) return;
    transport->end(ending);
    transport->set_sink(nullptr);
}

void Connector::end_queue_pair(QueuePair::Outcome outcome) {
    Ref<QueuePair> queue_pair;
    {
        const Held lock(mutex_);
        queue_pair = std::exchange(queue_pair_, nullptr);
    }
    if (!queue_pair) return;
    if (outcome == QueuePair::Outcome::spent) queue_pair->end();
    queue_pair->release(*this, outcome);
}

}  // namespace opennd
