// SPDX-License-Identifier: MIT
// See connection_id.h.
#include "transport/verbs/connection/connection_id.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "base/log.h"
#include "platform/process/errno_status.h"
#include "transport/verbs/connection/event_channel.h"
#include "transport/verbs/device/reaper.h"

namespace opennd::verbs {
namespace {

Address address_of(const sockaddr& raw) { return Address::from(&raw, sizeof(sockaddr_storage)).value_or(Address()); }

// The reason of a REJECTED that a program gives, on InfiniBand and RoCE, by its number in the InfiniBand specification.
// Others are those of the peer's rdma_cm, such as 8: nobody listens.
constexpr int kConsumerRefuses = 28;

struct Meaning {
    int error;
    Status status;
    std::string_view limit;
    std::string_view remedy;
};

// The meanings that differ from those of sockets, or have a remedy of their own.
constexpr auto kMeanings = std::to_array<Meaning>({
    {ENODEV, Status::device_removed, "an RDMA device that is up and has the address",
     "see `rdma link` and `ip link`: bring the interface up, or open another address"},
    {EADDRNOTAVAIL, Status::invalid_address, "an address of this host; for RoCE the device's table of GIDs has it",
     "see `ip address` and `rdma link`; an address that was just added takes a moment"},
    {EADDRINUSE, Status::address_in_use, "a port that no other listener has; iWARP devices share the ports of TCP",
     "bind to another port, or end the other listener"},
    {EACCES, Status::not_supported, "the right to open /dev/infiniband/rdma_cm",
     "give this user the group of the device file, or a udev rule that lets everybody open it"},
    {EPERM, Status::not_supported, "the right to use the device", "run in the network namespace that has the device"},
    {ENOENT, Status::not_supported, "the device file /dev/infiniband/rdma_cm",
     "load the kernel module rdma_ucm, and give the container the device file"},
    {ENOMEM, Status::no_memory, "memory that the kernel gives; memlock counts too",
     "free memory, or raise the limit (ulimit -l)"},
    {EMFILE, Status::insufficient_resources, "open files of this process", "raise the limit (ulimit -n)"},
    {ENETUNREACH, Status::network_unreachable, "a route through the interface of the RDMA device",
     "see `ip route get`, with the device's address as source"},
    {EHOSTUNREACH, Status::host_unreachable, "a neighbour that answers", "see `ip neigh` and the switch"},
    {ETIMEDOUT, Status::timed_out, "the time that the device and the kernel wait",
     "see that the peer's host is up, and that no firewall drops its packets"},
    {ECONNREFUSED, Status::connection_refused, "a listener at that port", "start the listener first"},
    {ECONNRESET, Status::connection_aborted, "a peer that stays", "see the log of the peer"},
    {EINVAL, Status::connection_aborted, "a connection that the peer has not given up", "see the log of the peer"},
});

Meaning meaning_of(int error) {
    for (const Meaning& known : kMeanings)
        if (known.error == error) return known;
    return {error, status_from_errno(error), "", "see the kernel's log (dmesg) for the device's driver"};
}

Explanation explanation(const Meaning& meaning, std::string_view limit, std::string_view operation,
                        std::string_view object, std::string_view asked, std::string_view requirement) {
    return {.object = object,
            .operation = operation,
            .asked = asked,
            .limit = limit,
            .remedy = meaning.remedy,
            .requirement = requirement};
}

Phrase limit_of(const Meaning& meaning) {
    std::array<char, 128> text{};
    const char* const words = ::strerror_r(meaning.error, text.data(), text.size());
    return meaning.limit.empty() ? phrase("{}", words) : phrase("{} ({})", meaning.limit, words);
}

bool is_iwarp_reset(const CmEvent& event) { return event.status == -ECONNRESET; }

Status status_of_event(const CmEvent& event) {
    switch (event.type) {
        case RDMA_CM_EVENT_ADDR_ERROR:
            return event.status == -ETIMEDOUT ? Status::host_unreachable : meaning_of(-event.status).status;
        case RDMA_CM_EVENT_ROUTE_ERROR: return Status::network_unreachable;
        case RDMA_CM_EVENT_UNREACHABLE: return Status::timed_out;
        case RDMA_CM_EVENT_DEVICE_REMOVAL: return Status::device_removed;
        case RDMA_CM_EVENT_REJECTED:
            if (event.status >= 0 || is_iwarp_reset(event)) return Status::connection_refused;
            return meaning_of(-event.status).status;
        default: return Status::connection_aborted;
    }
}

constexpr std::string_view kOfEveryCall = "ND2-GEN-02", kOfConnect = "ND2-CON-CONN-05";

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

void set_traffic_class(const CmFunctions& rdma, rdma_cm_id* id, const std::optional<std::uint8_t>& traffic_class) {
    if (!traffic_class) return;
    std::uint8_t octet = *traffic_class;
    if (rdma.set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, &octet, sizeof octet) != 0)
        log(LogLevel::warn, "rdma_cm does not take the class of traffic {} (OPENND_VERBS_TOS)", *traffic_class);
}

Status explain_cm_failure(int error, std::string_view operation, std::string_view object,
                          std::string_view asked) noexcept {
    const Meaning meaning = meaning_of(error);
    return explain(meaning.status, explanation(meaning, limit_of(meaning), operation, object, asked, kOfEveryCall));
}

Status report_cm_failure(int error, std::string_view operation, std::string_view object,
                         std::string_view asked) noexcept {
    const Meaning meaning = meaning_of(error);
    return report(meaning.status, explanation(meaning, limit_of(meaning), operation, object, asked, kOfEveryCall));
}

Status report_connect_failure(int error, std::string_view asked) noexcept {
    const Meaning meaning = meaning_of(error);
    return report(meaning.status, explanation(meaning, limit_of(meaning), "Connect", "connector", asked, kOfConnect));
}

Status report_connect_failure(const CmEvent& event, std::string_view asked) noexcept {
    const Status status = status_of_event(event);
    if (status == Status::connection_refused && refused_by_program(event))
        return report(status, {.object = "connector",
                               .operation = "Connect",
                               .asked = asked,
                               .limit = "a peer that accepts; its program has refused",
                               .remedy = "see the private data and the log of the peer",
                               .requirement = kOfConnect});
    if (status == Status::connection_refused) return report_connect_failure(ECONNREFUSED, asked);
    const Meaning meaning = meaning_of(event.status < 0 ? -event.status : EIO);
    return report(status, explanation(meaning, limit_of(meaning), "Connect", "connector", asked, kOfConnect));
}

bool refused_by_program(const CmEvent& event) {
    return event.type == RDMA_CM_EVENT_REJECTED && (event.status == kConsumerRefuses || is_iwarp_reset(event));
}

}  // namespace opennd::verbs
