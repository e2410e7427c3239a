// SPDX-License-Identifier: MIT
//
// A client of `nd ping --server` that asks for a buffer of any SIZE in bytes: hostile_client PORT SIZE. It exits with 0
// if the server refuses.
#include <ndsupport.h>
#include <opennd.h>

#include <cstdio>
#include <cstdlib>

#include "ping/ping_protocol.h"
#include "support/adapter.h"
#include "support/overlapped_request.h"
#include "support/status.h"

namespace opennd {
namespace {

HRESULT ask(std::uint16_t port, std::uint64_t size) {
    using support::as_sockaddr;
    using support::require;
    const support::Startup startup;
    const auto adapter = support::open_loopback_adapter();
    HANDLE file = nullptr;
    support::ComPtr<IND2CompletionQueue> queue;
    support::ComPtr<IND2QueuePair> queue_pair;
    support::ComPtr<IND2Connector> connector;
    require(adapter->CreateOverlappedFile(&file), ND_SUCCESS, "CreateOverlappedFile");
    require(adapter->CreateCompletionQueue(IID_IND2CompletionQueue, file, 8, 0, 0, queue.out()), ND_SUCCESS,
            "CreateCompletionQueue");
    require(
        adapter->CreateQueuePair(IID_IND2QueuePair, queue.get(), queue.get(), nullptr, 4, 4, 1, 1, 0, queue_pair.out()),
        ND_SUCCESS, "CreateQueuePair");
    require(adapter->CreateConnector(IID_IND2Connector, file, connector.out()), ND_SUCCESS, "CreateConnector");
    const SocketAddress local = support::loopback_address(), server = support::loopback_address(port);
    require(connector->Bind(as_sockaddr(local), sizeof local), ND_SUCCESS, "Bind");
    nd::PingRequest request = {};
    request.hello = nd::make_hello(nd::Purpose::ping, 1);
    request.rounds = 1;
    request.size = size;
    support::OverlappedRequest pending;
    return support::finish(connector->Connect(queue_pair.get(), as_sockaddr(server), sizeof server, 1, 1, &request,
                                              sizeof request, pending.get()),
                           pending, connector.get());
}

}  // namespace
}  // namespace opennd

int main(int count, char** arguments) try {
    if (count != 3) return 2;
    const HRESULT status =
        opennd::ask(static_cast<std::uint16_t>(std::atoi(arguments[1])), std::strtoull(arguments[2], nullptr, 0));
    if (status == ND_CONNECTION_REFUSED) return 0;
    std::fprintf(stderr, "%s\n", opennd::support::status_text(status).c_str());
    return 1;
} catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
}
