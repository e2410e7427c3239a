// SPDX-License-Identifier: MIT
#include "ndk/consumer/side.h"

#include <opennd.h>

namespace opennd::ndk_test {

Side::Side(const SideOptions& wanted)
    : options(wanted),
      adapter(wanted.if_index == 0 ? Adapter(wanted.version) : Adapter(wanted.version, wanted.if_index)),
      domain(adapter.create_domain()),
      received(adapter.create_completion_queue(kDepth, Calls::request, &received_armed)),
      initiated(adapter.create_completion_queue(kDepth, Calls::request, &initiated_armed)),
      memory(std::make_unique<std::array<std::byte, kMemory>>()),
      connector(adapter.create_connector()) {
    EXPECT_STATUS(domain->Dispatch->NdkCreateMr(domain.get(), FALSE, nullptr, nullptr, region.out()), STATUS_SUCCESS);
    Mdl mdl(memory->data(), kMemory);
    EXPECT_STATUS(region->Dispatch->NdkRegisterMr(region.get(), mdl.get(), kMemory, options.rights, nullptr, nullptr),
                  STATUS_SUCCESS);
    local_token = region->Dispatch->NdkGetLocalTokenFromMr(region.get());
    remote_token = region->Dispatch->NdkGetRemoteTokenFromMr(region.get());
    EXPECT_STATUS(domain->Dispatch->NdkCreateQp(domain.get(), received.get(), initiated.get(),
                                                options.queue_pair_context, kDepth, kDepth, options.sges, options.sges,
                                                options.inline_bytes, nullptr, nullptr, queue_pair.out()),
                  STATUS_SUCCESS);
}

NTSTATUS Side::send(ULONG_PTR number, ULONG offset, ULONG bytes, ULONG flags) {
    const NDK_SGE entry = part(offset, bytes);
    return queue_pair->Dispatch->NdkSend(queue_pair.get(), tag(number), &entry, 1, flags);
}

NTSTATUS Side::receive(ULONG_PTR number, ULONG offset, ULONG bytes) {
    const NDK_SGE entry = part(offset, bytes);
    return queue_pair->Dispatch->NdkReceive(queue_pair.get(), tag(number), &entry, 1);
}

Host::Host(const Adapter& adapter) : listener(adapter.create_listener(on_connect, this)) {
    Loopback any;
    EXPECT_STATUS(listener->Dispatch->NdkListen(listener.get(), any.get(), any.length(), nullptr, nullptr),
                  STATUS_SUCCESS);
}

Host::~Host() {
    if (listener.get() == nullptr) {
        close_waiting();
        return;
    }
    Calls closed;
    const NTSTATUS status = begin_close(listener.give_up(), closed);
    EXPECT_TRUE(support::wait_until([&] {
        close_waiting();
        return status == STATUS_SUCCESS || closed.count() != 0;
    }));
    close_waiting();
}

void Host::close_waiting() {
    const std::lock_guard lock(mutex);
    for (NDK_CONNECTOR* const connector : std::exchange(waiting, {}))
        (void)connector->Dispatch->NdkCloseConnector(&connector->Header, nullptr, nullptr);
}

VOID Host::on_connect(PVOID context, NDK_CONNECTOR* connector) {
    auto* const host = static_cast<Host*>(context);
    {
        const std::lock_guard lock(host->mutex);
        host->waiting.push_back(connector);
    }
    host->events.add(STATUS_SUCCESS);
}

Owned<NDK_CONNECTOR> Host::next() {
    Owned<NDK_CONNECTOR> connector;
    if (events.next() == kNoCallback) return connector;
    const std::lock_guard lock(mutex);
    *connector.out() = waiting.front();
    waiting.pop_front();
    return connector;
}

Loopback Host::address() {
    Loopback address;
    ULONG length = sizeof address.address;
    EXPECT_STATUS(listener->Dispatch->NdkGetLocalAddress(listener.get(), address.get(), &length), STATUS_SUCCESS);
    return address;
}

NTSTATUS begin_connect(Side& active, Host& host, Calls& calls) {
    Loopback from, to = host.address();
    return active.connector->Dispatch->NdkConnect(active.connector.get(), active.queue_pair.get(), from.get(),
                                                  from.length(), to.get(), to.length(), active.options.reads,
                                                  active.options.reads, nullptr, 0, Calls::request, &calls);
}

NTSTATUS accept(Side& passive, Calls& calls) {
    return passive.connector->Dispatch->NdkAcceptEx(
        passive.connector.get(), passive.queue_pair.get(), passive.options.reads, passive.options.reads, nullptr, 0,
        Calls::event_with_reason, &passive.disconnected, Calls::request, &calls);
}

void Pair::connect() {
    host = std::make_unique<Host>(b.adapter);
    Calls connected, accepted;
    EXPECT_STATUS(begin_connect(a, *host, connected), STATUS_PENDING);
    b.connector = host->next();
    ASSERT_NE(b.connector.get(), nullptr);
    EXPECT_STATUS(accept(b, accepted), STATUS_PENDING);
    EXPECT_STATUS(connected.next(), STATUS_SUCCESS);
    EXPECT_STATUS(connected.end(a.connector->Dispatch->NdkCompleteConnectEx(
                      a.connector.get(), Calls::event_with_reason, &a.disconnected, Calls::request, &connected)),
                  STATUS_SUCCESS);
    EXPECT_STATUS(accepted.next(), STATUS_SUCCESS);
    host->listener = {};
}

NdkTest::NdkTest() { EXPECT_EQ(opennd_transport_select(GetParam()), ND_SUCCESS); }
NdkTest::~NdkTest() { EXPECT_EQ(opennd_transport_select(nullptr), ND_SUCCESS); }

}  // namespace opennd::ndk_test
