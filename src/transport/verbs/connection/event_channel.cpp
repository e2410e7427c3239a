// SPDX-License-Identifier: MIT
// See event_channel.h.
#include "transport/verbs/connection/event_channel.h"

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "transport/verbs/connection/connection_id.h"

namespace opennd::verbs {
namespace {

// The number of events taken in one turn, before the turn of others.
constexpr int kTakenAtOnce = 64;

CmEvent copy_of(const rdma_cm_event& event) {
    CmEvent copy;
    copy.type = event.event;
    copy.status = event.status;
    const rdma_conn_param& terms = event.param.conn;
    copy.responder_resources = terms.responder_resources;
    copy.initiator_depth = terms.initiator_depth;
    copy.has_shared_receives = terms.srq != 0;
    if (terms.private_data) {
        copy.private_bytes = terms.private_data_len;
        std::memcpy(copy.private_octets.data(), terms.private_data, terms.private_data_len);
    }
    return copy;
}

}  // namespace

class EventChannel::Watch final : public EventLoop::Watcher {
public:
    explicit Watch(EventChannel& channel) : channel_(channel) {}
    void on_ready(std::uint32_t) override { channel_.drain(); }

private:
    EventChannel& channel_;
};

Result<std::unique_ptr<EventChannel>> EventChannel::open(const CmFunctions& rdma, EventLoop& loop, Reaper& reaper) {
    rdma_event_channel* const channel = rdma.create_event_channel();
    if (!channel)
        return explain_cm_failure(errno, "rdma_create_event_channel", "connections of RDMA devices",
                                  "the device file /dev/infiniband/rdma_cm");
    std::unique_ptr<EventChannel> made(new EventChannel(rdma, loop, reaper, channel));
    if (const Status status = made->watch(); !ok(status)) return status;
    return made;
}

Status EventChannel::watch() {
    const int flags = fcntl(channel_->fd, F_GETFL);
    if (flags < 0 || fcntl(channel_->fd, F_SETFL, flags | O_NONBLOCK) != 0)
        return explain_cm_failure(errno, "fcntl", "connections of RDMA devices", "events without a wait for them");
    return loop_.add(channel_->fd, EventLoop::kArrival, make_ref<Watch>(*this));
}

EventChannel::~EventChannel() {
    loop_.remove(channel_->fd);
    events_.reset();
    rdma_.destroy_event_channel(channel_);
}

void EventChannel::drain() {
    for (int taken = 0; taken < kTakenAtOnce; ++taken)
        if (!take_one()) return;
    loop_.post([this] { drain(); });  // the rest has arrived, and no event of the descriptor tells of it again
}

// Takes one event. Returns false if there is none.
bool EventChannel::take_one() {
    rdma_cm_event* event = nullptr;
    if (rdma_.get_cm_event(channel_, &event) != 0) return false;
    const CmEvent copy = copy_of(*event);
    const bool is_request = event->event == RDMA_CM_EVENT_CONNECT_REQUEST;
    // The addressee of a request is the listener's id. Neither it nor its mailbox goes before the acknowledgement.
    const rdma_cm_id& addressee = is_request ? *event->listen_id : *event->id;
    const Ref<CmEventSink> sink = static_cast<ConnectionId::Mailbox*>(addressee.context)->sink();
    Ref<ConnectionId> asking;
    if (is_request) asking = adopt(event->id);
    (void)rdma_.ack_cm_event(event);
    if (!sink) return true;  // a request's id goes with its reference, which refuses it
    if (!is_request)
        sink->on_event(copy);
    else if (asking)
        sink->on_request(std::move(asking), copy);
    return true;
}

// Makes the object of an id. Returns null if there is no memory for it, and its peer is refused.
Ref<ConnectionId> EventChannel::adopt(rdma_cm_id* id) noexcept {
    try {
        const Ref<ConnectionId::Mailbox> mailbox = make_ref<ConnectionId::Mailbox>();
        Ref<ConnectionId> adopted(new ConnectionId(*this, id, mailbox));
        id->context = mailbox.get();
        return adopted;
    } catch (const std::bad_alloc&) {
        (void)rdma_.destroy_id(id);  // it has had no event of its own, so that this does not wait
        return nullptr;
    }
}

}  // namespace opennd::verbs
