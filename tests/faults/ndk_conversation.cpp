// SPDX-License-Identifier: MIT
//
// See ndk_conversation.h.
#include "faults/ndk_conversation.h"

#include "faults/failing_allocations.h"
#include "support/status.h"

namespace opennd::faults {
namespace {

using ndk_test::begin_close;
using ndk_test::Loopback;
using ndk_test::Mdl;
using ndk_test::sge;

constexpr ULONG kRights =
    NDK_MR_FLAG_ALLOW_LOCAL_WRITE | NDK_MR_FLAG_ALLOW_REMOTE_READ | NDK_MR_FLAG_ALLOW_REMOTE_WRITE;

}  // namespace

bool NdkConversation::finish(const char* function, NTSTATUS begun, Calls& calls) {
    if (!at_once(function, begun)) return false;
    return begun != STATUS_PENDING || later(function, calls.next(kLongest));
}

template <typename Object>
void NdkConversation::close(Owned<Object>& object) {
    if (object.get() == nullptr) return;
    Calls closed;
    (void)finish("close", begin_close(object.give_up(), closed), closed);
}

VOID NdkConversation::on_request(PVOID conversation, NDK_CONNECTOR* connector) {
    auto& self = *static_cast<NdkConversation*>(conversation);
    {
        const std::lock_guard lock(self.mutex_);
        self.requests_.push_back(connector);
    }
    self.arrived_.add(STATUS_SUCCESS);
}

void NdkConversation::drop_requests() {
    const std::lock_guard lock(mutex_);
    for (NDK_CONNECTOR* const connector : std::exchange(requests_, {}))
        at_once("close", connector->Dispatch->NdkCloseConnector(&connector->Header, nullptr, nullptr));
}

// Waits asleep, so that the service thread and its calls have a part in it.
bool NdkConversation::comes(const char* request, NDK_CQ* queue, Calls& armed, ULONG bytes) {
    NDK_RESULT_EX found{};
    while (queue->Dispatch->NdkGetCqResultsEx(queue, &found, 1) == 0) {
        queue->Dispatch->NdkArmCq(queue, NDK_CQ_NOTIFY_ANY);
        if (!later("NdkArmCq", armed.next(kLongest))) return false;
    }
    return result(request, found.Status, found.BytesTransferred, bytes);
}

bool NdkConversation::open(Side& side, support::Buffer& memory) {
    Loopback local;
    if (!at_once("opennd_ndk_open_adapter_by_address",
                 opennd_ndk_open_adapter_by_address({2, 1}, local.get(), local.length(), 0, &side.adapter)))
        return false;
    NDK_ADAPTER* const adapter = side.adapter;
    const NDK_ADAPTER_DISPATCH& make = *adapter->Dispatch;
    const auto queue = [&](Owned<NDK_CQ>& made) {
        return at_once("NdkCreateCq", make.NdkCreateCq(adapter, 16, Calls::request, &side.armed, nullptr, nullptr,
                                                       nullptr, made.out()));
    };
    if (!at_once("NdkCreatePd", make.NdkCreatePd(adapter, nullptr, nullptr, side.domain.out())) ||
        !queue(side.initiated) || !queue(side.received))
        return false;
    NDK_PD* const domain = side.domain.get();
    const auto bytes = static_cast<ULONG>(memory.size());
    Mdl mdl(memory.data(), bytes);
    return at_once("NdkCreateMr", domain->Dispatch->NdkCreateMr(domain, FALSE, nullptr, nullptr, side.region.out())) &&
           finish("NdkRegisterMr",
                  side.region->Dispatch->NdkRegisterMr(side.region.get(), mdl.get(), bytes, kRights, Calls::request,
                                                       &calls_),
                  calls_) &&
           at_once("NdkCreateQp",
                   domain->Dispatch->NdkCreateQp(domain, side.received.get(), side.initiated.get(), nullptr, 8, 8, 4, 4,
                                                 0, nullptr, nullptr, side.queue_pair.out()));
}

bool NdkConversation::listen() {
    Loopback any;
    return at_once("NdkCreateListener", server_.adapter->Dispatch->NdkCreateListener(
                                            server_.adapter, on_request, this, nullptr, nullptr, listener_.out())) &&
           finish("NdkListen",
                  listener_->Dispatch->NdkListen(listener_.get(), any.get(), any.length(), Calls::request, &calls_),
                  calls_);
}

bool NdkConversation::establish(support::milliseconds patience) {
    Loopback from, to;
    ULONG length = sizeof to.address;
    support::require(listener_->Dispatch->NdkGetLocalAddress(listener_.get(), to.get(), &length), STATUS_SUCCESS,
                     "NdkGetLocalAddress");
    if (!at_once("NdkCreateConnector", client_.adapter->Dispatch->NdkCreateConnector(client_.adapter, nullptr, nullptr,
                                                                                     client_.connector.out())))
        return false;
    NDK_CONNECTOR* const active = client_.connector.get();
    const NTSTATUS begun =
        active->Dispatch->NdkConnect(active, client_.queue_pair.get(), from.get(), from.length(), to.get(), to.length(),
                                     4, 4, nullptr, 0, Calls::request, &connected_);
    if (!at_once("NdkConnect", begun)) return false;
    if (begun == STATUS_SUCCESS) connected_.add(begun);
    // A request that does not arrive leaves the server waiting; only the connect has to end.
    if (!support::wait_until([&] { return arrived_.count() != 0 || connected_.count() != 0; }, kLongest) ||
        arrived_.count() == 0) {
        later("NdkConnect", connected_.next(kLongest));
        return false;
    }
    return accept(patience);
}

bool NdkConversation::accept(support::milliseconds patience) {
    {
        const std::lock_guard lock(mutex_);
        *server_.connector.out() = requests_.front();
        requests_.pop_front();
    }
    NDK_CONNECTOR* const passive = server_.connector.get();
    NDK_CONNECTOR* const active = client_.connector.get();
    const NTSTATUS accepting = passive->Dispatch->NdkAccept(passive, server_.queue_pair.get(), 4, 4, nullptr, 0,
                                                            Calls::event, &disconnected_, Calls::request, &accepted_);
    if (!at_once("NdkAccept", accepting)) close(server_.connector);
    const bool answered =
        accepting == STATUS_PENDING &&
        support::wait_until([&] { return connected_.count() != 0 || accepted_.count() != 0; }, patience);
    // Without an answer the client may try again in another way. It may succeed while it is closed.
    const bool given_up = !answered || connected_.count() == 0;
    if (given_up) close(client_.connector);
    if (!later("NdkConnect", connected_.next(kLongest)) || given_up || accepting != STATUS_PENDING) return false;
    const bool completed = finish(
        "NdkCompleteConnect",
        active->Dispatch->NdkCompleteConnect(active, Calls::event, &disconnected_, Calls::request, &calls_), calls_);
    if (!completed) close(client_.connector);
    return later("NdkAccept", accepted_.next(kLongest)) && completed;
}

bool NdkConversation::transfer() {
    const FailingAllocation::Truce posts_and_polls;
    NDK_QP* const client = client_.queue_pair.get();
    NDK_QP* const server = server_.queue_pair.get();
    const NDK_SGE here = sge(client_memory_.data(), kMessageBytes,
                             client_.region->Dispatch->NdkGetLocalTokenFromMr(client_.region.get()));
    const NDK_SGE there = sge(server_memory_.data(), kMessageBytes,
                              server_.region->Dispatch->NdkGetLocalTokenFromMr(server_.region.get()));
    const auto remote = reinterpret_cast<UINT64>(server_memory_.data());
    const UINT32 token = server_.region->Dispatch->NdkGetRemoteTokenFromMr(server_.region.get());
    NDK_CQ* const by_client = client_.initiated.get();
    return at_once("NdkReceive", server->Dispatch->NdkReceive(server, nullptr, &there, 1)) &&
           at_once("NdkSend", client->Dispatch->NdkSend(client, nullptr, &here, 1, 0)) &&
           comes("NdkReceive", server_.received.get(), server_.armed, kMessageBytes) &&
           comes("NdkSend", by_client, client_.armed, 0) &&
           at_once("NdkWrite", client->Dispatch->NdkWrite(client, nullptr, &here, 1, remote, token, 0)) &&
           comes("NdkWrite", by_client, client_.armed, 0) &&
           at_once("NdkRead", client->Dispatch->NdkRead(client, nullptr, &here, 1, remote, token, 0)) &&
           comes("NdkRead", by_client, client_.armed, 0);
}

// Each side's disconnect answers the other's.
bool NdkConversation::withdraw() {
    NDK_CONNECTOR* const active = client_.connector.get();
    NDK_CONNECTOR* const passive = server_.connector.get();
    const NTSTATUS first = active->Dispatch->NdkDisconnect(active, Calls::request, &connected_);
    const NTSTATUS second = passive->Dispatch->NdkDisconnect(passive, Calls::request, &accepted_);
    const bool ended = finish("NdkDisconnect", first, connected_);
    const bool answered = finish("NdkDisconnect", second, accepted_);
    NDK_MR* const region = client_.region.get();
    return finish("NdkDeregisterMr", region->Dispatch->NdkDeregisterMr(region, Calls::request, &calls_), calls_) &&
           ended && answered;
}

void NdkConversation::let_go() {
    close(client_.connector);
    close(server_.connector);
    if (listener_.get() != nullptr) {  // waits for the connectors that came over it
        Calls closed;
        const NTSTATUS begun = begin_close(listener_.give_up(), closed);
        at_once("close", begun);
        const bool ended = support::wait_until(
            [&] {
                drop_requests();
                return begun == STATUS_SUCCESS || closed.count() != 0;
            },
            kLongest);
        if (!ended) note("a listener is not closed");
    }
    drop_requests();
    for (Side* side : {&client_, &server_}) {
        close(side->queue_pair);
        close(side->region);
        close(side->initiated);
        close(side->received);
        close(side->domain);
        opennd_ndk_close_adapter(side->adapter);
    }
}

bool NdkConversation::talk(support::milliseconds patience) {
    return open(server_, server_memory_) && open(client_, client_memory_) && listen() && establish(patience) &&
           transfer_all() && withdraw();
}

}  // namespace opennd::faults
