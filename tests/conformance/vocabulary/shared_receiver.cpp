// SPDX-License-Identifier: MIT
//
// The same steps as handshake.cpp, many times with one listener.
#include "conformance/vocabulary/shared_receiver.h"

#include <stdexcept>
#include <string>

namespace opennd::conformance {
namespace {

void need(Outcome actual, const char* step) {
    if (actual != Outcome::success) throw std::runtime_error(std::string(step) + " ended with: " + name_of(actual));
}

}  // namespace

SharedReceiver::SharedReceiver(Driver& driver, const SharedReceiveQueueOptions& options, std::size_t memory_bytes)
    : adapter(driver.open_adapter()),
      memory(memory_bytes, support::MemoryKind::ordinary),
      region(registered(*adapter, memory.data(), memory.size(), kAllRights)),
      queue(adapter->create_shared_receive_queue(options)),
      listener(listening(*adapter)),
      address(address_of(*listener)) {}

Outcome SharedReceiver::receive(Tag tag, std::size_t offset, std::size_t length) {
    const Sge sge{memory.data() + offset, static_cast<std::uint32_t>(length), region->local_token()};
    return queue->receive(tag, length == 0 ? SgeList{} : SgeList(&sge, 1));
}

std::shared_ptr<CompletionQueue> SharedReceiver::completion_queue(std::uint32_t depth) {
    return adapter->create_completion_queue(depth);
}

SharedConnection::SharedConnection(Driver& driver, SharedReceiver& receiver, Tag context,
                                   std::shared_ptr<CompletionQueue> completes_in, const EndpointOptions& peer_options)
    : received(completes_in ? std::move(completes_in) : receiver.completion_queue()),
      initiated(receiver.adapter->create_completion_queue(16)),
      queue_pair(receiver.adapter->create_queue_pair(*received, *initiated, *receiver.queue, {.context = context})),
      connector(receiver.adapter->create_connector()),
      peer(driver, peer_options) {
    const Operation request = receiver.listener->get_request(*connector);
    need(peer.connector->bind(local_address()), "binding the connector");
    const Operation connect = peer.connector->connect(*peer.queue_pair, receiver.address, {}, {});
    need(request.wait(), "waiting for the connection request");
    const Operation accept = connector->accept(*queue_pair, {}, {});
    need(connect.wait(), "Connect");
    need(peer.connector->complete_connect().wait(), "CompleteConnect");
    need(accept.wait(), "Accept");
}

}  // namespace opennd::conformance
