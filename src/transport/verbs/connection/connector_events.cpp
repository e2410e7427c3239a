// SPDX-License-Identifier: MIT
// VerbsConnector: the events of rdma_cm. Each event has its meaning in its state (cm_state.h). The change of
// state, and of all that the lock guards, comes first; then, without the lock, the queue pair and the program. On the
// service thread.
#include <algorithm>
#include <cerrno>
#include <utility>

#include "transport/verbs/connection/connection_id.h"
#include "transport/verbs/connection/connector.h"

namespace opennd::verbs {

void VerbsConnector::on_event(const CmEvent& event) {
    Rest rest;
    std::optional<Event> what;
    Ref<Parting> last;
    {
        const Held lock(mutex_);
        what = meaning(state_.state(), event.type, fabric());
        if (!what)
            last = parting_;
        else if (*what == Event::address || *what == Event::route)
            what = go_on(*what);
        else if (*what == Event::reply || *what == Event::open || *what == Event::hear_end)
            state_.must_advance(*what);
        else if (*what != Event::fail)
            rest = conclude(*what);
    }
    if (event.type == RDMA_CM_EVENT_ADDR_CHANGE) note_change_of_link();
    if (last) return last->on_event(event);  // it had asked for the receiver before this side's end
    if (!what) return;
    switch (*what) {
        case Event::fail: return on_connect_failed(event);
        case Event::reply: return on_replied(event);
        case Event::open: return on_opened();
        case Event::give_up: return on_given_up(event, rest);
        case Event::hear_end: return on_peer_told(event);
        case Event::peer_end: return on_peer_end(rest, event);
        case Event::remove: return on_removed(rest);
        default: return;
    }
}

void VerbsConnector::note_change_of_link() const {
    const Held lock(mutex_);
    log(LogLevel::info,
        "connection over verbs with {}: its interface has another link; it goes on if the device finds its peer there "
        "within {} ms",
        remote_.text(), device_->settings().path_time.count());
}

// An address leads to the question for its route, a route to the request. fail: it leads to another device.
CmInput VerbsConnector::go_on(Event found) {
    if (found == Event::address && !device_->serves(*id_->get())) return Event::fail;
    state_.must_advance(found);
    if (found == Event::address)
        find_route();
    else
        request();
    return found;
}

void VerbsConnector::on_connect_failed(const CmEvent& event) {
    Address remote;
    {
        const Held lock(mutex_);
        remote = remote_;
    }
    const Phrase asked = phrase("a connection with {}", remote.text());
    if (event.type == RDMA_CM_EVENT_ADDR_RESOLVED)
        return connect_failed(report(Status::network_unreachable,
                                     {.object = "connector",
                                      .operation = "Connect",
                                      .asked = asked,
                                      .limit = phrase("a route through RDMA device {}", device_->facts().name),
                                      .remedy = "see `ip route get`, with the device's address as source",
                                      .requirement = "ND2-CON-CONN-05"}),
                              {});
    // A refusal of InfiniBand has more room than programs may give to both.
    const AdapterLimits& limits = owner_->limits();
    const std::size_t most = std::max(limits.max_private_data_bytes, limits.max_callee_data_bytes);
    std::span<const std::byte> data;  // a program's alone: rdma_cm has refusals of its own
    if (refused_by_program(event)) data = program_data(event);
    connect_failed(report_connect_failure(event, asked), data.first(std::min(data.size(), most)));
}

void VerbsConnector::on_replied(const CmEvent& event) {
    ReadLimits limits;
    {
        const Held lock(mutex_);
        if (state_ != State::replied) return;
        peer_waits_ = waits_for_receives(event);
        // The event of siw has other numbers than siw keeps to.
        if (is_iwarp())
            limits_ = queue_pair_->settled_reads(limits_);
        else
            limits_ = {std::min<std::uint32_t>(limits_.inbound, event.responder_resources),
                       std::min<std::uint32_t>(limits_.outbound, event.initiator_depth)};
        limits = limits_;
    }
    const std::span<const std::byte> data = program_data(event);
    // InfiniBand's message has more room than version 2 says; iWARP's data are exact.
    const AdapterLimits& may = owner_->limits();
    const std::size_t most =
        is_iwarp() ? std::max(may.max_private_data_bytes, may.max_callee_data_bytes) : may.max_callee_data_bytes;
    tell([&](ConnectorSink& to) { to.on_replied(limits, data.first(std::min(data.size(), most))); });
}

void VerbsConnector::on_opened() {
    Ref<VerbsQueuePair> pair;
    Carrier carrier;
    {
        const Held lock(mutex_);
        if (state_ != State::established) return;
        pair = queue_pair_;
        carrier = this->carrier();
    }
    pair->release_held();
    tell([&](ConnectorSink& to) { to.on_established(carrier); });
}

void VerbsConnector::on_given_up(const CmEvent& event, Rest rest) {
    if (rest.before == State::replied) {
        // The kernel has flushed the hardware's queue pair on iWARP, which takes no receive any more.
        if (is_iwarp()) rest.queue_pair->end_attempt(this);
        // The program answers first, and its answer decides about the queue pair (ND2-CON-CMPL-02).
        const Held lock(mutex_);
        given_up_ = rest.queue_pair;
        parting_->let_go();
    } else {
        parting()->let_go();
        rest.queue_pair->end(Status::canceled);  // ND2-CON-ACC-07
    }
    const bool refused = rest.before == State::accepting && refused_by_program(event);
    const Status status = refused ? Status::connection_refused : Status::connection_aborted;
    tell([status](ConnectorSink& to) { to.on_establish_failed(status); });
}

void VerbsConnector::on_peer_told(const CmEvent& event) {
    {
        const Held lock(mutex_);
        if (state_ != State::peer_told) return;  // this side ends too, and answers when it has finished
    }
    bool goes_on = false;
    tell([&goes_on](ConnectorSink& to) { goes_on = to.on_peer_finished(); });
    if (goes_on) return;
    Rest rest;
    {
        const Held lock(mutex_);
        if (state_ == State::peer_told) rest = conclude(Event::end);
    }
    if (rest.id) on_peer_end(rest, event);
}

void VerbsConnector::on_peer_end(const Rest& rest, const CmEvent& event) {
    // The answer to the peer's word on InfiniBand is the last one.
    if (!is_iwarp() && rest.before != State::told) (void)rdma().disconnect(rest.id->get());
    parting()->let_go();
    const bool in_order = rest.queue_pair->end_by_peer() && event.status == 0;
    {
        const Held lock(mutex_);
        ended_in_order_ = in_order;
        if (!ends_gracefully(rest.before)) outlived_ = rest.queue_pair;
    }
    if (ends_gracefully(rest.before)) {
        rest.queue_pair->end(Status::canceled);
        return tell(
            [=](ConnectorSink& to) { to.on_finished(in_order ? Status::success : Status::connection_aborted); });
    }
    // On InfiniBand the program was asked by on_peer_told().
    bool answers = false;
    if (is_iwarp() && in_order && rest.before == State::established)
        tell([&answers](ConnectorSink& to) { answers = to.on_peer_finished(); });
    if (!answers)
        tell([=](ConnectorSink& to) { to.on_disconnected(in_order ? EndCause::disconnect : EndCause::failure); });
    // The kernel has flushed the queue pair on iWARP: a request that is posted from here on would wait for ever.
    if (is_iwarp()) rest.queue_pair->end(Status::canceled);
}

// The hardware completes nothing any more: the queue pair completes its outstanding requests by itself.
void VerbsConnector::on_removed(const Rest& rest) {
    if (const Ref<Parting> last = parting()) last->let_go();
    const State before = rest.before;
    if (before == State::replied) {
        const Held lock(mutex_);
        given_up_ = rest.queue_pair;
    } else if (is_up(before)) {
        rest.queue_pair->end(Status::canceled);
    } else if (rest.queue_pair) {
        rest.queue_pair->end_attempt(this);
    }
    tell([before](ConnectorSink& to) {
        if (ends_gracefully(before)) return to.on_finished(Status::connection_aborted);
        if (before == State::replied || before == State::requested || before == State::accepting)
            return to.on_establish_failed(Status::connection_aborted);
        if (is_up(before)) return to.on_disconnected(EndCause::failure);
        to.on_connect_failed(Status::device_removed, {});
    });
    device_->end();
}

}  // namespace opennd::verbs
