// SPDX-License-Identifier: MIT
//
// Read message_channel.h first.
#include "network/connection/message_channel.h"

#include "nd_error.h"

#include <cstring>
#include <stdexcept>

namespace nd {

MessageChannel::MessageChannel(Adapter& adapter)
    : memory_(adapter, (kReceives + 1) * kMaxMessage, MemoryKind::ordinary),
      queue_(adapter, 2 * kReceives),
      connection_(adapter, [this] { prepare(); }) {
    connection_.prepare_early();
    queue_.watch(&connection_);
}

void MessageChannel::prepare() {
    queue_pair_ = connection_.make_queue_pair(queue_, {kReceives, 1, 0}, nullptr);
    for (unsigned slot = 0; slot < kReceives; slot++) post_receive(slot);
}

void MessageChannel::post_receive(unsigned slot) {
    const Piece piece = memory_.part(slot * kMaxMessage, kMaxMessage);
    check(queue_pair_.receive(piece), "receive a message", queue_pair_.method("Receive"));
}

void MessageChannel::take_result() {
    const ND2_RESULT result = queue_.wait_one<WaitBy::events>("exchange messages with the other side");
    if (result.RequestType == Nd2RequestTypeReceive)
        lengths_[received_++ % kReceives] = result.BytesTransferred;
    else
        finished_++;
}

void MessageChannel::finish(HRESULT posted, const char* attempted, const char* method) {
    check(posted, attempted, queue_pair_.method(method));
    const unsigned before = finished_;
    while (finished_ == before) take_result();
}

void MessageChannel::send_bytes(const void* message, std::size_t bytes) {
    const Piece piece = memory_.part(kReceives * kMaxMessage, bytes);
    std::memcpy(piece.data(), message, bytes);
    finish(queue_pair_.send(nullptr, piece, 0), "send a message", "Send");
}

void MessageChannel::read(const Piece& sink, const RemoteMemory& source) {
    finish(queue_pair_.read(nullptr, sink, RemoteTarget(source), 0, 0), "read the peer's memory", "Read");
}

void MessageChannel::write(const Piece& source, const RemoteMemory& target) {
    finish(queue_pair_.write(nullptr, source, RemoteTarget(target), 0, 0), "write to the peer's memory", "Write");
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
