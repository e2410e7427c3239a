// SPDX-License-Identifier: MIT
// See connection_id.h.
#include "transport/verbs/connection_id.h"

#include <cerrno>
#include <new>
#include <utility>

#include "base/log.h"
#include "transport/verbs/cm_failure.h"
#include "transport/verbs/event_channel.h"
#include "transport/verbs/reaper.h"

namespace opennd::verbs {
namespace {

Address address_of(const sockaddr& raw) { return Address::from(&raw, sizeof(sockaddr_storage)).value_or(Address()); }

}  // namespace

void CmEventSink::on_request(Ref<ConnectionId>, const CmEvent&) {}

void ConnectionId::Mailbox::set_sink(Ref<CmEventSink> sink) {
    const Held lock(mutex_);
    std::swap(sink_, sink);
}

Ref<CmEventSink> ConnectionId::Mailbox::sink() const {
    const Held lock(mutex_);
    return sink_;
}

Result<Ref<ConnectionId>> ConnectionId::create(EventChannel& channel, Ref<CmEventSink> sink) {
    const Ref<Mailbox> mailbox = make_ref<Mailbox>();
    mailbox->set_sink(std::move(sink));
    rdma_cm_id* id = nullptr;
    if (channel.rdma_.create_id(channel.channel_, &id, mailbox.get(), RDMA_PS_TCP) != 0)
        return explain_cm_failure(errno, "rdma_create_id", "connections of RDMA devices", "a connection identifier");
    try {
        return Ref<ConnectionId>(new ConnectionId(channel, id, mailbox));
    } catch (const std::bad_alloc&) {
        (void)channel.rdma_.destroy_id(id);
        throw;
    }
}

ConnectionId::ConnectionId(EventChannel& channel, rdma_cm_id* id, Ref<Mailbox> mailbox)
    : channel_(channel), mailbox_(std::move(mailbox)), id_(id) {}

ConnectionId::~ConnectionId() {
    if (!id_) return;
    mailbox_->set_sink(nullptr);
    try {
        channel_.reaper_.run([rdma = &channel_.rdma_, id = id_, mailbox = mailbox_] { (void)rdma->destroy_id(id); });
    } catch (const std::bad_alloc&) {
        mailbox_->add_ref();  // events may still look for it: both stay until the process ends
        log(LogLevel::error, "rdma_cm: an identifier of a connection stays: there is no memory to end it");
    }
}

void ConnectionId::set_sink(Ref<CmEventSink> sink) { mailbox_->set_sink(std::move(sink)); }

void ConnectionId::destroy() {
    mailbox_->set_sink(nullptr);
    (void)channel_.rdma_.destroy_id(std::exchange(id_, nullptr));
}

Address ConnectionId::local() const { return address_of(id_->route.addr.src_addr); }

Address ConnectionId::peer() const { return address_of(id_->route.addr.dst_addr); }

}  // namespace opennd::verbs
