// SPDX-License-Identifier: MIT
// VerbsConnector, its ends: by the program's calls, by the queue pair's failure or release, and the one that both sides want.
//
// On InfiniBand the queue pair comes to rest before the peer is told: what it had reported as sent, the peer's hardware has
// acknowledged. On iWARP the peer is told first, so that the stream ends in order behind what TCP still holds.
#include <chrono>
#include <utility>

#include "platform/process/clock.h"
#include "transport/verbs/connection/connection_id.h"
#include "transport/verbs/connection/connector.h"

namespace opennd::verbs {

VerbsConnector::VerbsConnector(Ref<TransportAdapter> owner, Ref<Device> device, State initial)
    : owner_(std::move(owner)), device_(std::move(device)), state_("connection over verbs", initial) {}

Ref<ConnectorSink> VerbsConnector::sink() const {
    const Held lock(mutex_);
    return sink_;
}

// ---- the private data of its messages -------------------------------------------------------------------------------

std::vector<std::byte> VerbsConnector::message(std::span<const std::byte> data, CmMessage message,
                                               const VerbsQueuePair* queue_pair) const {
    if (is_iwarp()) return {data.begin(), data.end()};
    const bool waits = queue_pair && (queue_pair->waits_for_receives() || queue_pair->has_shared_receives());
    return with_mark(data, message, {.waits_for_receives = waits});
}

std::span<const std::byte> VerbsConnector::program_data(const CmEvent& event) const {
    return is_iwarp() ? event.private_data() : without_mark(event.private_data()).data;
}

bool VerbsConnector::waits_for_receives(const CmEvent& event) {
    return event.has_shared_receives || without_mark(event.private_data()).mark.waits_for_receives;
}

Carrier VerbsConnector::carrier() const {
    Carrier carrier{"verbs"};
    if (is_iwarp()) carrier.stream = StreamAddresses{id_->local(), id_->peer()};
    return carrier;
}

ConnectionPath VerbsConnector::path() const {
    switch (device_->facts().technology) {
        case Technology::infiniband: return {"verbs", "InfiniBand"};
        case Technology::roce:
        case Technology::roce_v2: return {"verbs", "RoCE"};
        case Technology::iwarp: return {"verbs", "iWARP"};
    }
    return {"verbs", ""};
}

// ---- the end, and its parts -----------------------------------------------------------------------------------------

VerbsConnector::Rest VerbsConnector::conclude(Event event) {
    const State before = state_.state();
    if (!state_.advance(event)) return {};
    device_->event_loop().cancel(std::exchange(patience_, TimerId{}));
    claim_.reset();
    if (const Ref<PeerQuestion> question = std::exchange(question_, nullptr)) question->let_go();
    if (id_) {
        if (is_up(before) || before == State::replied) parting_ = make_ref<Parting>(id_);
        id_->set_sink(parting_);
    }
    return {before, std::exchange(id_, nullptr), std::exchange(queue_pair_, nullptr)};
}

void VerbsConnector::end_connection(const Rest& rest) {
    if (is_iwarp()) say_farewell(rest);
    rest.queue_pair->end(Status::canceled);
    if (!is_iwarp()) say_farewell(rest);
}

// Says farewell. The id stays until the peer has answered, since rdma_destroy_id would forget a word that is lost on
// its way.
void VerbsConnector::say_farewell(const Rest& rest) {
    const bool is_said = rest.before == State::told;
    const bool is_heard = rest.before == State::peer_told || rest.before == State::answering;
    // InfiniBand refuses a peer that has not completed by rdma_destroy_id.
    const bool is_refusal = rest.before == State::accepting && !is_iwarp();
    const bool waits = !is_said && !is_refusal && rdma().disconnect(rest.id->get()) == 0 && !is_heard;
    if (!waits) parting()->let_go();
}

void VerbsConnector::refuse(const Rest& rest, std::span<const std::byte> private_data) {
    if (rest.before == State::replied && is_iwarp()) return say_farewell(rest);  // the stream is up
    const std::vector<std::byte> data = message(private_data, CmMessage::refusal, nullptr);
    (void)rdma().reject(rest.id->get(), data.data(), static_cast<std::uint8_t>(data.size()));
    if (const Ref<Parting> last = parting()) last->let_go();
}

Ref<Parting> VerbsConnector::parting() const {
    const Held lock(mutex_);
    return parting_;
}

// ---- by this side ---------------------------------------------------------------------------------------------------

// An abort is a disconnect: rdma_cm has one word for both, so that a peer takes either for the answer to its finish(), or neither.
void VerbsConnector::end(Ending how) {
    if (how == Ending::disconnect || how == Ending::abort)
        disconnect();
    else
        give_up();
}

void VerbsConnector::disconnect() {
    Rest rest;
    {
        const Held lock(mutex_);
        if (is_up(state_.state())) rest = conclude(Event::end);
    }
    if (rest.id) end_connection(rest);
}

void VerbsConnector::reject(std::span<const std::byte> private_data) {
    Rest rest;
    Ref<VerbsQueuePair> attempted;
    {
        const Held lock(mutex_);
        attempted = std::exchange(given_up_, nullptr);
        if (state_ == State::requested || state_ == State::replied) rest = conclude(Event::end);
    }
    if (rest.id) refuse(rest, private_data);
    if (rest.queue_pair) attempted = rest.queue_pair;
    if (attempted) attempted->end_attempt(this);
}

void VerbsConnector::give_up() {
    Rest rest;
    Ref<VerbsQueuePair> attempted, outlived;
    {
        const Held lock(mutex_);
        sink_ = nullptr;
        std::swap(outlived, outlived_);
        attempted = std::exchange(given_up_, nullptr);
        rest = conclude(Event::end);
    }
    if (is_up(rest.before)) return end_connection(rest);
    if (rest.id && (rest.before == State::replied || rest.before == State::requested)) refuse(rest, {});
    if (rest.queue_pair) attempted = rest.queue_pair;
    if (attempted) attempted->end_attempt(this);
}

// ---- that both sides want (NDK-CON-DISC-01 to -04) ------------------------------------------------------------------

void VerbsConnector::finish(std::chrono::milliseconds patience) {
    {
        const Held lock(mutex_);
        if (ends_gracefully(state_.state())) return;
        if (!state_.advance(Event::begin_end)) {
            return later([self = Ref<VerbsConnector>(this)] { self->finish_after_peer(); });
        }
        patience_ = device_->event_loop().schedule(now() + patience,
                                                   [self = Ref<VerbsConnector>(this)] { self->give_up_patience(); });
    }
    device_->event_loop().repeat([self = Ref<VerbsConnector>(this)] { return self->tell_once_drained(); });
}

// Answers finish() after the peer's end. Nothing of the queue pair is outstanding when on_finished() is called.
void VerbsConnector::finish_after_peer() {
    Ref<VerbsQueuePair> outlived;
    Status outcome = Status::connection_aborted;
    {
        const Held lock(mutex_);
        std::swap(outlived, outlived_);
        if (ended_in_order_) outcome = Status::success;
    }
    if (outlived) outlived->end(Status::canceled);
    tell([outcome](ConnectorSink& to) { to.on_finished(outcome); });
}

// Returns false if requests are still on their way.
bool VerbsConnector::tell_once_drained() {
    Ref<VerbsQueuePair> pair;
    {
        const Held lock(mutex_);
        if (state_ == State::draining || state_ == State::answering) pair = queue_pair_;
    }
    if (!pair) return true;
    if (!pair->finished_requests()) return false;
    Rest rest;
    {
        const Held lock(mutex_);
        if (state_ == State::draining) {
            state_.must_advance(Event::tell);
            // A failure: the peer's own word is on its way here, or the device is gone. Both are told.
            (void)rdma().disconnect(id_->get());
        } else if (state_ == State::answering) {
            rest = conclude(Event::tell);
        }
    }
    if (!rest.id) return true;
    end_connection(rest);
    tell_later([](ConnectorSink& to) { to.on_finished(Status::success); });
    return true;
}

void VerbsConnector::give_up_patience() {
    Rest rest;
    {
        const Held lock(mutex_);
        if (ends_gracefully(state_.state())) rest = conclude(Event::end);
    }
    if (!rest.id) return;
    end_connection(rest);
    tell([](ConnectorSink& to) { to.on_finished(Status::timed_out); });
}

// ---- by the queue pair ----------------------------------------------------------------------------------------------

// Ends the connection of a queue pair that failed (connection_aborted), which a peer on InfiniBand does not notice, or
// was released (canceled). Any thread.
void VerbsConnector::on_queue_pair_end(Status told_to_sink) {
    Rest rest;
    {
        const Held lock(mutex_);
        if (is_up(state_.state())) rest = conclude(Event::end);
    }
    if (!rest.id) return;
    end_connection(rest);
    const bool released = told_to_sink == Status::canceled;
    tell_later([before = rest.before, released, told_to_sink](ConnectorSink& to) {
        if (ends_gracefully(before)) return to.on_finished(Status::connection_aborted);
        // A message that fails has come from a peer that has completed.
        if (before == State::accepting && released) return to.on_establish_failed(told_to_sink);
        if (before == State::accepting) to.on_established({});
        to.on_disconnected(released ? EndCause::release : EndCause::failure);
    });
}

// Asks on the path of the connection, in the service thread.
void VerbsConnector::on_queue_pair_stands() {
    const Held lock(mutex_);
    if (!is_up(state_.state())) return;
    if (question_) question_->let_go();
    question_ = PeerQuestion::ask(device_, id_->local(), id_->peer(), [self = Ref<VerbsConnector>(this)] {
        Ref<VerbsQueuePair> pair;
        {
            const Held held(self->mutex_);
            pair = self->queue_pair_;
        }
        if (pair) pair->peer_answered();
    });
}

// Tells rdma_cm, which then tells ESTABLISHED, as if the peer's word had come.
void VerbsConnector::on_queue_pair_heard() {
    const Held lock(mutex_);
    if (state_ == State::accepting) (void)rdma().notify(id_->get(), IBV_EVENT_COMM_EST);
}

}  // namespace opennd::verbs
