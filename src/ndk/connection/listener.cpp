// SPDX-License-Identifier: MIT
// See listener.h.
#include "ndk/connection/listener.h"

#include <new>
#include <utility>

#include "ndk/call/process_dispatch.h"
#include "ndk/call/refusal.h"
#include "ndk/call/socket_address.h"
#include "ndk/connection/connector.h"
#include "ndk/device/device.h"
#include "ndk/object/adapter.h"
#include "ndk/object/request_callback.h"

namespace opennd {
namespace {

// How often listen() looks for a port that is free at all addresses.
constexpr int kPortTrials = 32;

// The addresses of `wanted`: itself, or all of its family.
std::vector<Address> addresses_for(NdkAdapter& adapter, const Address& wanted) {
    const Adapter& core = *adapter.core();
    std::vector<Address> all;
    if (!wanted.is_unspecified()) {
        if (const std::optional<Address> own = core.own_address(wanted)) all.push_back(*own);
        return all;
    }
    for (const Address& own : core.addresses())
        if (own.family() == wanted.family()) all.push_back(own.with_port(wanted.port()));
    return all;
}

}  // namespace

NTSTATUS NdkListener::create(NdkAdapter& adapter, NDK_FN_CONNECT_EVENT_CALLBACK event, PVOID context,
                             NDK_LISTENER** made) {
    constexpr NdkCall call{"adapter", "NdkCreateListener"};
    return create_at_face(call, adapter, made, [&](NDK_LISTENER** out) -> NTSTATUS {
        if (event == nullptr) return refuse_null(call, "ConnectEvent");  // NDK-ADP-CREATE-03
        *out = new NdkListener(adapter, event, context);
        return STATUS_SUCCESS;
    });
}

NdkListener::NdkListener(NdkAdapter& adapter, NDK_FN_CONNECT_EVENT_CALLBACK event, PVOID context)
    : NDK_LISTENER{adapter.header(kType), &dispatch().listener},
      NdkObject(adapter, "listener"),
      event_(event),
      event_context_(context) {}

NTSTATUS NdkListener::listen(const SOCKADDR* address, ULONG bytes) {
    constexpr NdkCall call{"listener", "NdkListen", "NDK-LIS-01"};
    return at_kernel_face(call, [&]() -> NTSTATUS {
        const std::optional<Address> wanted = read_address(address, bytes);
        if (!wanted) return refuse_address(call, address, bytes);
        if (adapter().removed()) return refuse_removed(call);
        {
            const Held lock(mutex_);
            if (!stage_.advance(ListenerStageEvent::listen))
                return refuse(STATUS_INVALID_DEVICE_STATE, {.object = call.object,
                                                            .operation = call.operation,
                                                            .asked = "a second address to listen at",
                                                            .limit = "once",
                                                            .remedy = "create a listener for each address",
                                                            .requirement = "NDK-GEN-17"});
        }
        const std::vector<Address> addresses = addresses_for(adapter(), *wanted);
        Doors doors;
        const Status status = addresses.empty() ? Status::invalid_address : open_doors(addresses, doors);
        const Held lock(mutex_);
        stage_.must_advance(ok(status) ? ListenerStageEvent::succeed : ListenerStageEvent::fail);
        if (status == Status::invalid_address) return refuse_local(call, *wanted);
        if (!ok(status)) return to_ntstatus(status);
        local_ = wanted->with_port(doors.front()->core()->local_address().value().port());
        doors_ = std::move(doors);
        return STATUS_SUCCESS;
    });
}

// All at one port. Port 0: a port that is free at every address.
Status NdkListener::open_doors(const std::vector<Address>& addresses, Doors& doors) {
    Status status = Status::no_free_port;
    for (int trial = 0; trial < kPortTrials; ++trial) {
        std::uint16_t port = addresses.front().port();
        for (const Address& address : addresses) {
            doors.push_back(std::make_unique<Door>(*this, adapter().core()));
            Listener& listener = *doors.back()->core();
            status = listener.bind(address.with_port(port));
            if (ok(status)) status = listener.listen(0);
            if (!ok(status)) break;
            port = listener.local_address().value().port();
        }
        if (ok(status)) break;
        for (const auto& door : doors) door->core()->close();
        doors.clear();
        if (addresses.front().port() != 0 || status != Status::address_in_use) return status;
    }
    for (const auto& door : doors) door->wait();
    return status;
}

NTSTATUS NdkListener::get_local_address(PSOCKADDR address, ULONG* bytes) const {
    constexpr NdkCall call{"listener", "NdkGetLocalAddress"};
    const Held lock(mutex_);
    if (stage_ == ListenerStage::listening) return give_address(call, local_, address, bytes);
    return refuse(STATUS_INVALID_DEVICE_STATE, {.object = call.object,
                                                .operation = call.operation,
                                                .asked = "the address of a listener that does not listen",
                                                .limit = "from the success of NdkListen on",
                                                .remedy = "call NdkListen first",
                                                .requirement = "NDK-LIS-09"});
}

bool NdkListener::refuses() const {
    return paused_.load(std::memory_order_relaxed) || let_go_.load(std::memory_order_relaxed) || adapter().removed();
}

void NdkListener::Door::wait() {
    const NTSTATUS status = at_kernel_face({"listener", "a connection request"}, [this]() -> NTSTATUS {
        std::unique_ptr<AsyncRequest> request = request_to(*this, &Door::on_request);
        next_ = make_ref<Connector>(adapter_, kConnectorRules);
        return to_ntstatus(core_->get_connection_request(next_, std::move(request)));
    });
    if (!NT_SUCCESS(status)) next_ = nullptr;
}

void NdkListener::Door::on_request(Status status) {
    Ref<Connector> core = std::exchange(next_, nullptr);
    if (!ok(status)) return;  // the listener ends
    wait();
    listener_.take_request(std::move(core));
}

// A request that is not indicated is refused, as if there were no listener (NDK-LIS-05).
void NdkListener::take_request(Ref<Connector> core) {
    const bool full = unanswered_.load(std::memory_order_relaxed) >= kBacklog;
    NdkConnector* const connector = full || refuses() ? nullptr : new (std::nothrow) NdkConnector(*this, core);
    if (connector == nullptr) return core->close();
    unanswered_.fetch_add(1, std::memory_order_relaxed);
    adapter().tell_of_removal(*connector);
    connector->schedule_connect_event();
}

bool NdkListener::indicate(NdkConnector& connector) {
    if (refuses()) return false;
    event_(event_context_, &connector);
    return true;
}

void NdkListener::end() {
    const Held lock(mutex_);
    for (const auto& door : doors_) door->core()->close();
}

}  // namespace opennd
