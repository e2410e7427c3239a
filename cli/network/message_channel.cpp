// SPDX-License-Identifier: MIT
//
// Read message_channel.h first.
#include "network/message_channel.h"

#include "nd_error.h"

#include <cstring>
#include <stdexcept>

namespace nd {

MessageChannel::MessageChannel(Adapter& adapter)
    : memory_(adapter, (kReceives + 1) * kMaxMessage, MemoryKind::ordinary),
      queue_(adapter, 2 * kReceives),
      connection_(adapter) {
    connection_.make_queue_pair(queue_.get(), {kReceives, 1, 0}, nullptr);
    for (unsigned slot = 0; slot < kReceives; slot++) post_receive(slot);
    queue_.watch(&connection_);
}

void MessageChannel::post_receive(unsigned slot) {
    const ND2_SGE sge = memory_.part(slot * kMaxMessage, kMaxMessage);
    check(connection_.queue_pair()->Receive(nullptr, &sge, 1), "receive a message", "IND2QueuePair::Receive");
}

void MessageChannel::take_result() {
    const ND2_RESULT result = queue_.wait_one<WaitBy::events>("exchange messages with the other side");
    if (result.RequestType == Nd2RequestTypeReceive)
        lengths_[received_++ % kReceives] = result.BytesTransferred;
    else
        finished_++;
}

void MessageChannel::finish(HRESULT posted, const char* attempted, const char* call) {
    check(posted, attempted, call);
    const unsigned before = finished_;
    while (finished_ == before) take_result();
}

void MessageChannel::send_bytes(const void* message, std::size_t bytes) {
    const ND2_SGE sge = memory_.part(kReceives * kMaxMessage, bytes);
    std::memcpy(sge.Buffer, message, bytes);
    finish(connection_.queue_pair()->Send(nullptr, &sge, 1, 0), "send a message", "IND2QueuePair::Send");
}

void MessageChannel::read(const ND2_SGE& sink, const RemoteMemory& source) {
    finish(connection_.queue_pair()->Read(nullptr, &sink, 1, source.address, source.token, 0), "read the peer's memory",
           "IND2QueuePair::Read");
}

void MessageChannel::write(const ND2_SGE& source, const RemoteMemory& target) {
    finish(connection_.queue_pair()->Write(nullptr, &source, 1, target.address, target.token, 0),
           "write to the peer's memory", "IND2QueuePair::Write");
}

void MessageChannel::receive_bytes(void* message, std::size_t bytes) {
    while (received_ == consumed_) take_result();
    const unsigned slot = consumed_++ % kReceives;
    if (lengths_[slot] != bytes)
        throw std::runtime_error("the other side sent a message of " + std::to_string(lengths_[slot]) +
                                 " bytes where " + std::to_string(bytes) +
                                 " were expected; are both sides the same version?");
    std::memcpy(message, memory_.data() + slot * kMaxMessage, bytes);
    post_receive(slot);
}

}  // namespace nd
