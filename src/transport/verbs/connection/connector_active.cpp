// SPDX-License-Identifier: MIT
// VerbsConnector, the active side as the program asks for it: the address, the route, the request, and its completion.
#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include "transport/verbs/connection/connection_id.h"
#include "transport/verbs/connection/connector.h"
#include "transport/verbs/connection/event_channel.h"
#include "transport/verbs/device/reaper.h"

namespace opennd::verbs {
namespace {

// rdma_cm's limits on finding a neighbour and a path. The kernel asks for a neighbour three times, a second apart.
constexpr int kFindAddress_ms = 4000;
constexpr int kFindRoute_ms = 4000;

std::uint8_t octet(std::uint32_t reads) { return static_cast<std::uint8_t>(std::min<std::uint32_t>(reads, 255)); }

// Binds to the program's port where that is free, to any otherwise (ND2-CON-PORT-01).
Status bind(const CmFunctions& rdma, rdma_cm_id* id, const Address& local) {
    int reuse = 1;  // several connections may have the port (ND2-LIS-BIND-02)
    (void)rdma.set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, &reuse, sizeof reuse);
    sockaddr_storage wanted = local.to_sockaddr();
    if (rdma.bind_addr(id, reinterpret_cast<sockaddr*>(&wanted)) == 0) return Status::success;
    sockaddr_storage any = local.with_port(0).to_sockaddr();
    if (rdma.bind_addr(id, reinterpret_cast<sockaddr*>(&any)) == 0) return Status::success;
    return report_cm_failure(errno, "Connect", "connector", phrase("its address {}", local.text()));
}

}  // namespace

Ref<TransportConnector> VerbsConnector::connect(Ref<TransportAdapter> owner, Ref<Device> device,
                                                Ref<ConnectorSink> sink, const Address& local, PortOrigin origin,
                                                const Address& remote, const ReadLimits& offer,
                                                std::span<const std::byte> private_data,
                                                Ref<TransportQueuePair> queue_pair) {
    Ref<VerbsConnector> self(new VerbsConnector(std::move(owner), std::move(device), State::finding_address));
    const Ref<VerbsQueuePair> pair(static_cast<VerbsQueuePair*>(queue_pair.get()));
    const bool is_idle = pair->begin_attempt(self.get());
    try {
        const Held lock(self->mutex_);
        self->sink_ = std::move(sink);
        self->limits_ = offer;
        self->remote_ = remote;
        self->request_data_.assign(private_data.begin(), private_data.end());
        self->queue_pair_ = pair;
        if (is_idle)
            self->begin(local, origin, remote);
        else  // released, or failed: the program learns why from its results
            self->later([self] { self->connect_failed(Status::connection_aborted, {}); });
    } catch (const std::bad_alloc&) {
        self->end(Ending::cancel);
        pair->end_attempt(self.get());
        throw;
    }
    return self;
}

void VerbsConnector::begin(const Address& local, PortOrigin origin, const Address& remote) {
    const auto fails = [this](Status status) {
        later([self = Ref<VerbsConnector>(this), status] { self->connect_failed(status, {}); });
    };
    Result<Ref<ConnectionId>> id =
        ConnectionId::create(device_->channel(), make_ref<Events>(Ref<VerbsConnector>(this)));
    if (!id.ok()) return fails(id.status());
    id_ = id.take();
    set_traffic_class(rdma(), id_->get(), device_->settings().traffic_class);
    if (const Status status = bind(rdma(), id_->get(), local); !ok(status)) return fails(status);
    const Address bound = id_->local();
    const bool is_named = origin == PortOrigin::program && bound.port() == local.port();
    std::optional<FourTuples::Claim> claim = device_->channel().four_tuples().claim(bound, remote, is_named);
    if (!claim)
        return fails(
            report(Status::address_exists, {.object = "connector",
                                            .operation = "Connect",
                                            .asked = phrase("a connection from {} to {}", bound.text(), remote.text()),
                                            .limit = "one with these addresses and ports; another is up",
                                            .remedy = "bind to another port, or to port 0",
                                            .requirement = "ND2-CON-BIND-04"}));
    claim_.emplace(std::move(*claim));
    sockaddr_storage to = remote.to_sockaddr();
    if (rdma().resolve_addr(id_->get(), nullptr, reinterpret_cast<sockaddr*>(&to), kFindAddress_ms) == 0) return;
    fails(report_cm_failure(errno, "Connect", "connector", phrase("the address of {}", remote.text())));
}

// Asks for the route on a worker, because the daemon ibacm may answer, or not.
void VerbsConnector::find_route() {
    device_->reaper().run([self = Ref<VerbsConnector>(this), id = id_] {
        if (self->rdma().resolve_route(id->get(), kFindRoute_ms) != 0) self->call_failed(errno, "rdma_resolve_route");
    });
}

// Sends the request. On iWARP the call dials TCP: a worker waits for it. The id outlives the call, also if this
// connection ends meanwhile.
void VerbsConnector::request() {
    offer_options(*queue_pair_);
    device_->reaper().run([self = Ref<VerbsConnector>(this), id = id_, terms = terms(*queue_pair_),
                           data = message(request_data_, CmMessage::request, queue_pair_.get())]() mutable {
        put(data, terms);
        if (self->rdma().connect(id->get(), &terms) != 0) self->call_failed(errno, "rdma_connect");
    });
}

rdma_conn_param VerbsConnector::terms(const VerbsQueuePair& queue_pair) const {
    rdma_conn_param terms{};
    terms.responder_resources = octet(limits_.inbound);
    terms.initiator_depth = octet(limits_.outbound);
    terms.flow_control = 1;
    terms.retry_count = kRetriesOfPath;
    terms.rnr_retry_count = kRetriesWithoutEnd;
    terms.srq = queue_pair.has_shared_receives();
    terms.qp_num = queue_pair.number();
    return terms;
}

// Handles the failure of a call that blocked. On a worker.
void VerbsConnector::call_failed(int error, std::string_view call) {
    Address remote;
    {
        const Held lock(mutex_);
        if (state_ == State::ended) return;
        remote = remote_;
    }
    const Phrase asked = phrase("a connection with {}", remote.text());
    Status status = Status::address_exists;
    if (error == ECONNREFUSED)
        status = report_connect_failure(error, asked);
    else if (error != EADDRINUSE && error != EADDRNOTAVAIL && error != EEXIST)
        status = report_cm_failure(error, call, "connector", asked);
    later([self = Ref<VerbsConnector>(this), status] { self->connect_failed(status, {}); });
}

// Tells the program that there is no connection. On the service thread.
void VerbsConnector::connect_failed(Status status, std::span<const std::byte> private_data) {
    Rest rest;
    {
        const Held lock(mutex_);
        rest = conclude(Event::fail);
    }
    if (!rest.queue_pair) return;
    rest.queue_pair->end_attempt(this);  // before the program may try again (ND2-CON-CONN-06)
    tell([&](ConnectorSink& to) { to.on_connect_failed(status, private_data); });
}

void VerbsConnector::complete() {
    Ref<VerbsQueuePair> failed;
    Ref<Parting> last;
    {
        const Held lock(mutex_);
        if (state_ != State::replied) {
            failed = std::exchange(given_up_, nullptr);  // the peer ended it; the sink knows or will
        } else if (const Status status = establish(); ok(status)) {
            state_.must_advance(Event::complete);
            tell_later([carrier = carrier()](ConnectorSink& to) { to.on_established(carrier); });
        } else {
            failed = conclude(Event::give_up).queue_pair;
            last = parting_;
            tell_later([status](ConnectorSink& to) { to.on_establish_failed(status); });
        }
    }
    if (last) last->let_go();
    if (failed) failed->end(Status::canceled);
}

// Establishes the connection. canceled: the queue pair was released or flushed to error meanwhile. connection_aborted:
// the peer gave up. Further statuses of VerbsQueuePair::modify.
Status VerbsConnector::establish() {
    VerbsQueuePair& pair = *queue_pair_;
    if (!is_iwarp())
        if (const Status status = make_ready(pair); !ok(status)) return status;
    if (!pair.attach(make_ref<End>(Ref<VerbsConnector>(this)), limits_, Start::now, message_limit(pair)))
        return Status::canceled;
    if (is_iwarp() || rdma().establish(id_->get()) == 0) return Status::success;
    return report_cm_failure(errno, "CompleteConnect", "connector", phrase("a connection with {}", remote_.text()));
}

}  // namespace opennd::verbs
