// SPDX-License-Identifier: MIT
// A connector's calls by the consumer. See connector.h.
#include "ndk/connection/connector.h"

#include <memory>
#include <utility>

#include "ndk/call/process_dispatch.h"
#include "ndk/call/refusal.h"
#include "ndk/call/socket_address.h"
#include "ndk/object/adapter.h"

namespace opennd {
namespace {

constexpr std::string_view kObject = "connector";

std::span<const std::byte> as_bytes(const VOID* data, ULONG bytes) {
    return {static_cast<const std::byte*>(data), bytes};
}

// The limit is the larger one of MPA's and the other faces'.
std::string_view imposer_of_data(const Adapter& adapter, ULONG most, bool of_request) {
    if (most == adapter.limits().max_private_data_bytes)
        return adapter.imposer(&AdapterLimits::max_private_data_bytes, most);
    return adapter.imposer(of_request ? &AdapterLimits::max_caller_data_bytes : &AdapterLimits::max_callee_data_bytes,
                           most);
}

// `of_request`: of this side's request; otherwise of its answer to one.
NTSTATUS check_data(const NdkCall& call, const NdkAdapter& adapter, const VOID* data, ULONG bytes, bool of_request) {
    const ULONG most = of_request ? adapter.info().MaxCallerData : adapter.info().MaxCalleeData;
    if (data == nullptr && bytes != 0) return refuse_null(call, "pPrivateData");
    if (bytes <= most) return STATUS_SUCCESS;
    return refuse(STATUS_INVALID_BUFFER_SIZE, {.object = call.object,
                                               .operation = call.operation,
                                               .asked = phrase("{} bytes of private data", bytes),
                                               .limit = phrase("{} bytes", most),
                                               .remedy = "send less with the connection, the rest by messages",
                                               .requirement = "NDK-CON-CONN-04",
                                               .imposed_by = imposer_of_data(*adapter.core(), most, of_request)});
}

NTSTATUS refuse_destination(const NdkCall& call, const Address& destination, std::string_view limit) {
    return refuse(STATUS_INVALID_PARAMETER, {.object = call.object,
                                             .operation = call.operation,
                                             .asked = phrase("destination {}", destination.text()),
                                             .limit = limit,
                                             .remedy = "name the address and port of a listener",
                                             .requirement = "NDK-CON-CONN-01"});
}

NTSTATUS check_destination(const NdkCall& call, const Address& source, const Address& destination) {
    if (destination.family() != source.family())
        return refuse_destination(call, destination, phrase("the family of the local address {}", source.text(false)));
    if (destination.is_unspecified() || destination.is_multicast() || destination.port() == 0)
        return refuse_destination(call, destination, "the address of one host, and a port");
    return STATUS_SUCCESS;
}

}  // namespace

NTSTATUS NdkConnector::create(NdkAdapter& adapter, NDK_CONNECTOR** made) {
    return create_at_face({"adapter", "NdkCreateConnector"}, adapter, made, [&](NDK_CONNECTOR** out) -> NTSTATUS {
        std::unique_ptr<NdkConnector> connector(new NdkConnector(adapter));
        adapter.tell_of_removal(*connector);
        *out = connector.release();
        return STATUS_SUCCESS;
    });
}

NdkConnector::NdkConnector(NdkAdapter& adapter)
    : NDK_CONNECTOR{adapter.header(kType), &dispatch().connector},
      QueuePairUser(adapter, kObject),
      unanswered_(false),
      stage_("NDK connector", Stage::idle) {}

NTSTATUS NdkConnector::refuse_stage(const NdkCall& call, NTSTATUS status, std::string_view limit,
                                    std::string_view requirement, CheckRule misuse) {
    return refuse(status, {.object = call.object,
                           .operation = call.operation,
                           .asked = phrase("called while it is {}", opennd::name(stage_.state())),
                           .limit = limit,
                           .remedy = "call it then, or use another connector",
                           .requirement = requirement,
                           .rule = misuse});
}

NTSTATUS NdkConnector::check_terms(const NdkCall& call, const Terms& terms, bool of_request,
                                   NdkQueuePair*& queue_pair) const {
    queue_pair = face_on<NdkQueuePair>(terms.queue_pair, adapter());
    if (!queue_pair) return refuse_object(call, "pNdkQp", "queue pair");
    return check_data(call, adapter(), terms.data, terms.data_bytes, of_request);
}

NTSTATUS NdkConnector::connect(const SOCKADDR* source, ULONG source_bytes, const SOCKADDR* destination,
                               ULONG destination_bytes, const Terms& terms) {
    constexpr NdkCall call{kObject, "NdkConnect", "NDK-CON-CONN-01"};
    return at_kernel_face(call, [&]() -> NTSTATUS {
        const std::optional<Address> from = read_address(source, source_bytes);
        if (!from) return refuse_address(call, source, source_bytes);
        const std::optional<Address> to = read_address(destination, destination_bytes);
        if (!to) return refuse_address(call, destination, destination_bytes);
        if (const NTSTATUS bad = check_destination(call, *from, *to); !NT_SUCCESS(bad)) return bad;
        NdkQueuePair* queue_pair = nullptr;
        if (const NTSTATUS bad = check_attempt(call, terms, queue_pair); !NT_SUCCESS(bad)) return bad;
        Origin origin;
        if (const NTSTATUS bad = find_origin(call, *from, origin); !NT_SUCCESS(bad)) return bad;
        return begin(call, std::move(origin), *to, terms, *queue_pair);
    });
}

NTSTATUS NdkConnector::find_origin(const NdkCall& call, const Address& source, Origin& origin) {
    if (!adapter().has(source)) return refuse_local(call, source);  // the unspecified one, too
    origin.adapter = adapter().core();
    origin.address = source;
    if (source.port() == 0) return STATUS_SUCCESS;
    Result<Ref<LocalEndpoint>> own = LocalEndpoint::reserve(origin.adapter, source);  // NDK-SEP-01
    if (!own.ok()) return to_ntstatus(own.status());
    origin.own = own.take();
    return STATUS_SUCCESS;
}

NTSTATUS NdkConnector::connect_from(NDK_SHARED_ENDPOINT* endpoint, const SOCKADDR* destination, ULONG destination_bytes,
                                    const Terms& terms) {
    constexpr NdkCall call{kObject, "NdkConnectWithSharedEndpoint", "NDK-SEP-03"};
    return at_kernel_face(call, [&]() -> NTSTATUS {
        auto* const shared = face_on<NdkSharedEndpoint>(endpoint, adapter());
        if (!shared) return refuse_object(call, "pNdkSharedEndpoint", "shared endpoint");
        const std::optional<Address> to = read_address(destination, destination_bytes);
        if (!to) return refuse_address(call, destination, destination_bytes);
        const LocalEndpoint& local = *shared->local();
        if (const NTSTATUS bad = check_destination(call, local.address(), *to); !NT_SUCCESS(bad)) return bad;
        NdkQueuePair* queue_pair = nullptr;
        if (const NTSTATUS bad = check_attempt(call, terms, queue_pair); !NT_SUCCESS(bad)) return bad;
        return begin(call, {local.adapter(), local.address(), nullptr, Use(*shared)}, *to, terms, *queue_pair);
    });
}

// Checked before reserving an address, which is a resource (NDK-GEN-08).
NTSTATUS NdkConnector::check_attempt(const NdkCall& call, const Terms& terms, NdkQueuePair*& queue_pair) {
    if (const NTSTATUS bad = check_terms(call, terms, true, queue_pair); !NT_SUCCESS(bad)) return bad;
    if (adapter().removed()) return refuse_removed(call);
    const Held lock(mutex_);
    return check_unused(call);
}

NTSTATUS NdkConnector::check_unused(const NdkCall& call) {
    if (listener_ || stage_ == Stage::over || stage_ == Stage::expired)
        return refuse_stage(call, STATUS_INVALID_DEVICE_STATE, "a connector of NdkCreateConnector, before it is used",
                            "NDK-CON-CONN-05");
    if (stage_ != Stage::idle || establishing_.pending())
        return refuse_stage(call, STATUS_CONNECTION_ACTIVE, "one connection at a time", "NDK-CON-CONN-05");
    return STATUS_SUCCESS;
}

// From `connecting` on the stage is the caller's alone.
NTSTATUS NdkConnector::begin(const NdkCall& call, Origin origin, const Address& destination, const Terms& terms,
                             NdkQueuePair& queue_pair) {
    const Use<NdkConnector> use(*this);  // the callback may close it before this returns
    const Ref<Connector> core = make_ref<Connector>(origin.adapter, kConnectorRules);
    std::unique_ptr<AsyncRequest> request = request_to(*this, &NdkConnector::on_connected);
    Ref<Connector> before;
    {
        const Held lock(mutex_);
        if (const NTSTATUS bad = check_unused(call); !NT_SUCCESS(bad)) return bad;
        stage_.must_advance(StageEvent::connect);
        before = std::exchange(core_, core);
        refused_ = false;
        cancels_as_ = STATUS_CANCELLED;
        establishing_.begin(terms.completion, terms.context);
    }
    if (before) before->close();
    Status status = core->bind(origin.address);
    if (ok(status)) {
        const Held lock(mutex_);
        local_ = core->local_address().value();
        peer_ = destination;
        named_ = true;
        origin_ = std::move(origin);
        queue_pair_ = Use(queue_pair);
        wait_patiently();
    }
    if (ok(status))
        status = core->connect(queue_pair.core(), destination, terms.limits, as_bytes(terms.data, terms.data_bytes),
                               std::move(request));
    if (ok(status)) return pend();
    stop_waiting();
    fail(StageEvent::fail);
    establishing_.withdraw();
    return to_ntstatus(status);
}

NTSTATUS NdkConnector::complete_connect(const DisconnectEvent& event, NDK_FN_REQUEST_COMPLETION completion,
                                        PVOID context) {
    constexpr NdkCall call{kObject, "NdkCompleteConnect", "NDK-CON-CC-01"};
    return at_kernel_face(call, [&]() -> NTSTATUS {
        if (adapter().removed()) return refuse_removed(call);
        const Use<NdkConnector> use(*this);  // as in begin()
        std::unique_ptr<AsyncRequest> request = request_to(*this, &NdkConnector::on_established);
        std::unique_ptr<AsyncRequest> end_request = request_to(*this, &NdkConnector::on_disconnected);
        stop_waiting();
        Ref<Connector> core;
        {
            const Held lock(mutex_);
            if (stage_ == Stage::expired)
                return refuse_stage(call, STATUS_IO_TIMEOUT,
                                    phrase("within {} ms of NdkConnect's success", adapter().settings().set_up.count()),
                                    "NDK-CON-CC-02");
            if (stage_ != Stage::replied)
                return refuse_stage(call, STATUS_CONNECTION_INVALID, "after NdkConnect has succeeded", "NDK-CON-CC-01");
            stage_.must_advance(StageEvent::complete);
            core = core_;
            event_ = event;
            end_request_ = std::move(end_request);
            establishing_.begin(completion, context);
            wait_patiently();
        }
        const Status status = core->complete_connect(std::move(request));
        if (ok(status)) return pend();
        stop_waiting();
        fail(StageEvent::fail);
        establishing_.withdraw();
        return to_ntstatus(status);
    });
}

NTSTATUS NdkConnector::accept(const Terms& terms, const DisconnectEvent& event) {
    constexpr NdkCall call{kObject, "NdkAccept", "NDK-CON-ACC-01"};
    return at_kernel_face(call, [&]() -> NTSTATUS {
        NdkQueuePair* queue_pair = nullptr;
        if (const NTSTATUS bad = check_terms(call, terms, false, queue_pair); !NT_SUCCESS(bad)) return bad;
        if (adapter().removed()) return refuse_removed(call);
        const Use<NdkConnector> use(*this);  // as in begin()
        std::unique_ptr<AsyncRequest> request = request_to(*this, &NdkConnector::on_established);
        std::unique_ptr<AsyncRequest> end_request = request_to(*this, &NdkConnector::on_disconnected);
        Ref<Connector> core;
        {
            const Held lock(mutex_);
            if (stage_ != Stage::incoming)
                return refuse_stage(call, STATUS_CONNECTION_INVALID, "once, on a connector of a connect event",
                                    "NDK-CON-ACC-01");
            stage_.must_advance(StageEvent::accept);
            core = core_;
            event_ = event;
            end_request_ = std::move(end_request);
            queue_pair_ = Use(*queue_pair);
            establishing_.begin(terms.completion, terms.context);
            wait_patiently();
        }
        const Status status =
            core->accept(queue_pair->core(), terms.limits, as_bytes(terms.data, terms.data_bytes), std::move(request));
        if (ok(status)) {
            answered();
            return pend();
        }
        stop_waiting();
        fail(StageEvent::withdraw);
        establishing_.withdraw();
        return to_ntstatus(status);
    });
}

NTSTATUS NdkConnector::reject(const VOID* data, ULONG data_bytes) {
    constexpr NdkCall call{kObject, "NdkReject", "NDK-CON-REJ-02"};
    return at_kernel_face(call, [&]() -> NTSTATUS {
        if (const NTSTATUS bad = check_data(call, adapter(), data, data_bytes, false); !NT_SUCCESS(bad)) return bad;
        stop_waiting();
        Ref<Connector> core;
        {
            const Held lock(mutex_);
            if (stage_ != Stage::incoming && stage_ != Stage::replied)
                return refuse_stage(call, STATUS_CONNECTION_INVALID, "before the request or reply was answered, once",
                                    "NDK-CON-REJ-02");
            stage_.must_advance(StageEvent::reject);
            core = core_;
        }
        answered();
        if (core->done_if_peer_gave_up()) return STATUS_CONNECTION_ABORTED;
        return to_ntstatus(core->reject(as_bytes(data, data_bytes)));
    });
}

NTSTATUS NdkConnector::disconnect(NDK_FN_REQUEST_COMPLETION completion, PVOID context) {
    constexpr NdkCall call{kObject, "NdkDisconnect", "NDK-CON-DISC-01"};
    return at_kernel_face(call, [&]() -> NTSTATUS {
        std::unique_ptr<AsyncRequest> request = request_to(*this, &NdkConnector::on_finished);
        Ref<Connector> core;
        bool noticed = false;
        {
            const Held lock(mutex_);
            if (stage_ == Stage::disconnecting)
                return refuse_stage(call, STATUS_INVALID_DEVICE_REQUEST, "once", "NDK-GEN-17");
            if (stage_ != Stage::connected && stage_ != Stage::noticed)
                return refuse_stage(call, STATUS_CONNECTION_INVALID, "while it is connected", "NDK-CON-DISC-01");
            noticed = stage_ == Stage::noticed;
            stage_.must_advance(StageEvent::disconnect);
            core = core_;
            queue_pair_->end_use();
            disconnecting_.begin(completion, context);
        }
        const Status status = core->end_gracefully(adapter().settings().answer, std::move(request));
        if (ok(status)) return STATUS_PENDING;
        {
            const Held lock(mutex_);
            stage_.must_advance(noticed ? StageEvent::withdraw : StageEvent::end);
        }
        disconnecting_.withdraw();
        return to_ntstatus(status);
    });
}

// A removal may have run before the request pended and missed it.
NTSTATUS NdkConnector::pend() {
    if (adapter().removed()) end_with_device();
    return STATUS_PENDING;
}

void NdkConnector::answered() {
    if (unanswered_.exchange(false, std::memory_order_relaxed)) listener_->answered();
}

// Pending requests complete as canceled, and an established connection ends (NDK-CON-CLOSE-01, -02). An unanswered
// request is refused (NDK-CON-REJ-03).
void NdkConnector::give_up() {
    stop_waiting();
    answered();
    Ref<Connector> core;
    {
        const Held lock(mutex_);
        let_go_ = true;
        core = core_;
        if (queue_pair_) {
            queue_pair_->end_use();
            queue_pair_->forget_connector();
        }
    }
    if (core) core->close();
}

}  // namespace opennd
