// SPDX-License-Identifier: MIT
// The program's calls that establish a connection, and its facts. Each checks the state, makes the transition, then has its
// effects. connector_end.cpp has the calls that end one.
#include "core/connection/connector.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <utility>

#include "base/explanation.h"
#include "core/adapter/adapter.h"
#include "core/connection/listener.h"
#include "core/state/refusal.h"

namespace opennd {
namespace {

// 0: none was drawn. Relaxed: only the number matters.
constinit std::atomic<std::uint32_t> drawn_port{0};

// A label, not a reservation: nothing is wrong with two connectors that drew the same one (ND2-CON-PORT-01, -02). In turn,
// so that this takes long; from somewhere, so that two processes seldom begin alike.
std::uint16_t draw_port() {
    constexpr std::uint32_t kFirst = 49152;
    constexpr std::uint32_t kCount = 65536 - kFirst;
    std::uint32_t none = 0;
    if (drawn_port.load(std::memory_order_relaxed) == none)
        drawn_port.compare_exchange_strong(
            none, static_cast<std::uint32_t>(std::chrono::steady_clock::now().time_since_epoch().count()),
            std::memory_order_relaxed);
    return static_cast<std::uint16_t>(kFirst + drawn_port.fetch_add(1, std::memory_order_relaxed) % kCount);
}

ReadLimits lower(const ReadLimits& wanted, std::uint32_t inbound, std::uint32_t outbound) {
    return {std::min(wanted.inbound, inbound), std::min(wanted.outbound, outbound)};
}

[[gnu::cold]] Status refuse_path() {
    return explain(Status::not_connected, {.object = "connector",
                                           .operation = "opennd_connection_transport",
                                           .asked = "the transport of its connection",
                                           .limit = "while connected",
                                           .remedy = "ask between CompleteConnect or Accept and Disconnect",
                                           .requirement = "ND2-CON-STATE-01"});
}

// Runs the transport call of a request that the method has accepted. False: memory was missing. The request then fails,
// not the method.
template <typename Ask>
bool has_memory_for(Ask&& ask) {
    try {
        ask();
        return true;
    } catch (const std::bad_alloc&) {
        (void)report(Status::no_memory, {.object = "connector",
                                         .operation = "establishing a connection",
                                         .asked = "memory for its parts",
                                         .limit = "memory that the system still has; the attempt is over",
                                         .remedy = "free memory, or end connections, and connect again",
                                         .requirement = "ND2-GEN-02"});
        return false;
    }
}

}  // namespace

Connector::Connector(Ref<Adapter> adapter, const ConnectorRules& rules) : adapter_(std::move(adapter)), rules_(rules) {}

Connector::~Connector() = default;

bool Connector::advance(ConnectorEvent event, Status why, EndCause cause) {
    const ConnectorState from = state_.state();
    if (!state_.advance(event)) return false;
    const LiveConnection is{local_,        peer_, carrier_, adapter_->face(), queue_pair_ ? queue_pair_->number() : 0,
                            state_.state()};
    if (Activity::concerns(from, state_.state())) {
        adapter_->activity().on_transition(activity_place_, from, event, why, is);
        probe_connection(from, event, why, is);
    }
    log_connection(from, event, why, cause, is);
    return true;
}

void Connector::must_advance(ConnectorEvent event, Status why) {
    if (!advance(event, why)) report_missing_row("connector", enumerator_name(state_.state()), enumerator_name(event));
}

Status Connector::check(ConnectorMethod method) const {
    const Status status = opennd::check(method, state_.state(), history_);
    return ok(status) ? status : refuse(method, state_.state(), status, history_);
}

Status Connector::bind(const Address& wanted) {
    // The address before the state (ND2-GEN-03); binding twice does no harm (ND2-CON-BIND-02).
    const Result<Address> local = adapter_->resolve_local(wanted);
    if (!local.ok()) return local.status();
    const Held lock(mutex_);
    if (const Status status = check(ConnectorMethod::bind); !ok(status)) return status;
    set_local(local.value());
    return Status::success;
}

void Connector::set_local(const Address& local) {
    must_advance(ConnectorEvent::bind);
    port_origin_ = local.port() != 0 ? PortOrigin::program : PortOrigin::drawn;
    local_ = port_origin_ == PortOrigin::program ? local : local.with_port(draw_port());
}

Status Connector::connect_from(const Address& local, Ref<QueuePair> queue_pair, const Address& remote,
                               const ReadLimits& offer, std::span<const std::byte> private_data,
                               std::unique_ptr<AsyncRequest> request) {
    {
        const Held lock(mutex_);
        if (state_ == ConnectorState::bound)  // another thread is just connecting
            return refuse(ConnectorMethod::connect, state_.state(), Status::connection_active);
        if (state_ != ConnectorState::idle) return check(ConnectorMethod::connect);
        starts_over_ = true;
        set_local(local);
    }
    const Status status = connect(std::move(queue_pair), remote, offer, private_data, std::move(request));
    if (ok(status)) return status;
    const Held lock(mutex_);
    if (state_ == ConnectorState::bound) must_advance(ConnectorEvent::start_over);
    return status;
}

Connector::View Connector::view() const {
    const Held lock(mutex_);
    return {state_.state(), history_};
}

bool Connector::done_if_peer_gave_up() {
    const Held control(control_);
    {
        const Held lock(mutex_);
        if (!peer_gave_up_ || !advance(ConnectorEvent::reject)) return false;
    }
    end_transport(Ending::give_up);
    end_queue_pair(QueuePair::Outcome::spent);
    return true;
}

Status Connector::check_destination(const Address& remote) const {
    const auto refused = [&](std::string_view limit, std::string_view remedy) {
        return explain(Status::invalid_address, {.object = "connector",
                                                 .operation = "Connect",
                                                 .asked = phrase("destination {}", remote.text()),
                                                 .limit = limit,
                                                 .remedy = remedy,
                                                 .requirement = "ND2-CON-CONN-01"});
    };
    if (remote.is_multicast() || remote.port() == 0)
        return refused("the address of one host, and a port", "name the address and port of a listener");
    const Held lock(mutex_);
    const bool has_address = ok(opennd::check(ConnectorMethod::get_local_address, state_.state(), history_));
    if (!has_address || remote.family() == local_.family()) return Status::success;
    return refused(phrase("the family of its own address {}", local_.text()), "bind to an address of the same family");
}

Status Connector::check_reach(const Address& remote) const {
    if (remote.is_unspecified()) return Status::address_unspecified;  // ND2-AMB-22
    if (adapter_->traits().connects_to_itself || !adapter_->own_address(remote)) return Status::success;
    return report(Status::network_unreachable,
                  {.object = "connector",
                   .operation = "Connect",
                   .asked = phrase("a connection of the adapter to its own address {}", remote.text()),
                   .limit = "other adapters: this one has no LOOPBACK_CONNECTIONS_SUPPORTED",
                   .remedy = "connect to another adapter or host, or share memory without a connection",
                   .requirement = "ND2-CON-CONN-05",
                   .imposed_by = adapter_->imposer(&AdapterTraits::connects_to_itself)});
}

Status Connector::connect(Ref<QueuePair> queue_pair, const Address& remote, const ReadLimits& wanted,
                          std::span<const std::byte> private_data, std::unique_ptr<AsyncRequest> request) {
    const AdapterLimits& limits = adapter_->limits();
    const ReadLimits offer = lower(wanted, limits.max_inbound_reads, limits.max_outbound_reads);  // ND2-CON-LIM-01
    Status failure = Status::success;  // of the request, which is accepted
    {
        const Held control(control_);
        Address local;
        PortOrigin origin = PortOrigin::program;
        {
            const Held lock(mutex_);
            if (const Status status = check(ConnectorMethod::connect); !ok(status)) return status;
            local = local_;
            origin = port_origin_;
        }
        // Nothing leaves the bound state while control_ is held, so the check stays true.
        if (const Status status = queue_pair->claim(*this); !ok(status)) return status;
        {
            const Held lock(mutex_);
            peer_ = remote;
            queue_pair_ = queue_pair;
            must_advance(ConnectorEvent::connect);
            history_.named_peer = true;
            history_.refused_with_data = false;  // ND2-CON-PD-04
            private_data_.clear();
            peer_gave_up_.reset();
            failed_method_ = {};
            pending_.add(std::move(request), RequestKind::connect);
        }
        Ref<TransportConnector> begun;
        failure = check_reach(remote);
        if (ok(failure) && !has_memory_for([&] {
                begun = adapter_->transport().connect(Ref<ConnectorSink>(this), local, origin,
                                                      adapter_->on_own_link(remote), offer, private_data,
                                                      Ref<TransportQueuePair>(&queue_pair->transport()));
            }))
            failure = Status::no_memory;
        transport_ = std::move(begun);
    }
    if (!ok(failure)) on_connect_failed(failure, {});
    return Status::success;
}

Status Connector::complete_connect(std::unique_ptr<AsyncRequest> request) {
    bool broke_off = false;
    {
        const Held control(control_);
        {
            const Held lock(mutex_);
            if (const Status status = check(ConnectorMethod::complete_connect); !ok(status)) return status;
            must_advance(ConnectorEvent::complete);
            pending_.add(std::move(request), RequestKind::complete_connect);
        }
        TransportConnector& transport = *transport_;
        broke_off = !has_memory_for([&] { transport.complete(); });
        if (broke_off) end_transport(Ending::give_up);
    }
    if (broke_off) fail_establishing(Status::connection_aborted);
    fail_if_peer_gave_up();  // ND2-CON-CMPL-02
    return Status::success;
}

Status Connector::accept(Ref<QueuePair> queue_pair, const ReadLimits& wanted, std::span<const std::byte> private_data,
                         std::unique_ptr<AsyncRequest> request) {
    bool broke_off = false;
    {
        const Held control(control_);
        ReadLimits limits;
        {
            const Held lock(mutex_);
            if (const Status status = check(ConnectorMethod::accept); !ok(status)) return status;
            if (const Status status = queue_pair->claim(*this); !ok(status)) return status;
            queue_pair_ = queue_pair;
            must_advance(ConnectorEvent::accept);
            history_.accepted = true;
            limits = limits_ = lower(wanted, limits_.inbound, limits_.outbound);  // ND2-CON-LIM-03, -06
            pending_.add(std::move(request), RequestKind::accept);
        }
        TransportConnector& transport = *transport_;
        broke_off = !has_memory_for(
            [&] { transport.accept(Ref<TransportQueuePair>(&queue_pair->transport()), limits, private_data); });
        if (broke_off) end_transport(Ending::give_up);
    }
    if (broke_off) fail_establishing(Status::connection_aborted);
    fail_if_peer_gave_up();  // ND2-CON-ACC-04
    return Status::success;
}

// A peer may give up before this side answers, while no request waits: the answer then fails with its status.
void Connector::fail_if_peer_gave_up() {
    std::optional<Status> status;
    {
        const Held lock(mutex_);
        status = peer_gave_up_;
    }
    if (status) fail_establishing(*status);
}

// A transport that hears nothing of it until it answers the peer is asked.
void Connector::notice_abandonment() {
    {
        const Held lock(mutex_);
        if (state_ != ConnectorState::requested || history_.abandoned) return;
    }
    if (!transport_->abandoned()) return;
    const Held lock(mutex_);
    history_.abandoned = true;
    peer_gave_up_ = Status::connection_aborted;
}

Status Connector::reject(std::span<const std::byte> private_data) {
    const Held control(control_);
    notice_abandonment();
    {
        const Held lock(mutex_);
        if (const Status status = check(ConnectorMethod::reject); !ok(status)) return status;
        must_advance(ConnectorEvent::reject);
        history_.rejected = true;
    }
    // The data outlive this object: the transport's connector delivers them by itself (ND2-CON-REJ-03).
    const Ref<TransportConnector> transport = std::exchange(transport_, nullptr);
    transport->reject(private_data);
    transport->set_sink(nullptr);
    end_queue_pair(QueuePair::Outcome::reusable);
    return Status::success;
}

Result<ReadLimits> Connector::read_limits() const {
    const Held lock(mutex_);
    if (const Status status = check(ConnectorMethod::get_read_limits); !ok(status)) return status;
    return limits_;
}

Result<ReceivedData> Connector::private_data() {
    const Held control(control_);
    notice_abandonment();
    const Held lock(mutex_);
    if (const Status status = check(ConnectorMethod::get_private_data); !ok(status)) return status;
    const AdapterTraits& traits = adapter_->traits();
    const bool has_padding = traits.pads_private_data || traits.may_pad_private_data;
    return ReceivedData{private_data_, has_padding ? length_without_zeros(private_data_) : private_data_.size()};
}

Result<Address> Connector::local_address() const {
    const Held lock(mutex_);
    if (const Status status = check(ConnectorMethod::get_local_address); !ok(status)) return status;
    return local_;
}

Result<Address> Connector::peer_address() const {
    const Held lock(mutex_);
    if (const Status status = check(ConnectorMethod::get_peer_address); !ok(status)) return status;
    return peer_;
}

std::optional<Connector::FailedAttempt> Connector::failed_attempt() const {
    const Held lock(mutex_);
    if (failed_method_.empty()) return {};
    return FailedAttempt{failed_method_, local_, peer_};
}

// Without a lock: the test of how to reach the peer's memory takes as long as the peer wants.
Result<ConnectionPath> Connector::path() const {
    Ref<TransportConnector> transport;
    {
        const Held control(control_);
        const Held lock(mutex_);
        if (history_.was_connected) transport = transport_;
    }
    return transport ? Result<ConnectionPath>(transport->path()) : refuse_path();
}

}  // namespace opennd
