// SPDX-License-Identifier: MIT
//
// MessageChannel: a connection for one request at a time, waiting asleep. `nd ping` is made of it; in `nd perf` client and
// server agree through one on what to measure. Its completion queue is its own, so it is out of the way of measurements.
#pragma once

#include "network/connection/completion_queue.h"
#include "network/memory/memory_buffer.h"

#include <type_traits>

namespace nd {

class MessageChannel {
public:
    static constexpr std::size_t kMaxMessage = 512;

    explicit MessageChannel(Adapter& adapter);

    Connection& connection() { return connection_; }
    const Connection& connection() const { return connection_; }

    // See CompletionQueue::stop_on_interrupt.
    void stop_on_interrupt(bool stop) { queue_.stop_on_interrupt(stop); }

    template <typename Message>
    void send(const Message& message) {
        static_assert(std::is_trivially_copyable_v<Message> && sizeof(Message) <= kMaxMessage);
        send_bytes(&message, sizeof message);
    }

    // Waits for the next message, which must be of this size: both sides keep to one order of messages.
    template <typename Message>
    Message receive() {
        static_assert(std::is_trivially_copyable_v<Message> && sizeof(Message) <= kMaxMessage);
        Message message;
        receive_bytes(&message, sizeof message);
        return message;
    }

    // Lets the other side read and write a buffer as long as the connection lasts. A message has to tell it.
    RemoteMemory grant(const MemoryBuffer& buffer) { return connection_.grant(queue_pair_, buffer, 0, buffer.size()); }

    // One RDMA Read into, or Write from, registered memory of this side.
    void read(const Piece& sink, const RemoteMemory& source);
    void write(const Piece& source, const RemoteMemory& target);

private:
    static constexpr unsigned kReceives = 4;

    void prepare();
    void post_receive(unsigned slot);
    void take_result();
    void finish(HRESULT posted, const char* attempted, const char* method);
    void send_bytes(const void* message, std::size_t bytes);
    void receive_bytes(void* message, std::size_t bytes);

    MemoryBuffer memory_;  // kReceives slots, then the outgoing message
    CompletionQueue queue_;
    QueuePair queue_pair_;
    Connection connection_;
    // Results of both kinds come in any order; they are counted here until a caller waits for them.
    unsigned finished_ = 0;
    unsigned received_ = 0, consumed_ = 0;
    ULONG lengths_[kReceives] = {};
};

}  // namespace nd
