// SPDX-License-Identifier: MIT
//
// Connection: a Session over a Queue. One thread calls it; each call does all the work that is there meanwhile, so that credits
// are granted as soon as receives are posted again.
#pragma once

#include "queue.h"
#include "session.h"

namespace smb_direct {

class Connection {
public:
    static constexpr SIZE_T kSends = 32;

    // The memory behind that of the messages is the upper layer's: `bulk` bytes.
    using MakeQueue = std::unique_ptr<Queue> (*)(const sockaddr_in& local, const Depths& depths);
    Connection(MakeQueue make, const sockaddr_in& local, Role role, const Limits& limits, SIZE_T bulk);

    // Waits for a client, or connects to a server, and negotiates. Throws ProtocolError if the sides do not come together.
    void accept(const std::function<void(unsigned short)>& tell);
    void connect(const sockaddr_in& server);
    void disconnect() { queue_->disconnect(); }

    std::span<std::byte> bulk() { return queue_->memory(bulk_, bulk_bytes_); }
    std::uint32_t max_read_write_size() const { return session_.max_read_write_size(); }
    std::uint32_t max_message_size() const { return session_.max_fragmented_send_size(); }  // that the peer takes

    // Returns when the message has left, so that a peer that grants no credits keeps no memory of this side. `invalidate`: a token
    // of the peer's. False: it was not invalidated, for this version of Network Direct cannot.
    bool send(std::vector<std::byte> data, std::optional<UINT32> invalidate = {});
    // The peer's next message; nothing: it has left.
    std::optional<std::vector<std::byte>> receive();

    // Moves bytes between the beginning of bulk() and memory of the peer.
    void write_to_peer(const BufferDescriptor& to);
    void read_from_peer(const BufferDescriptor& from);

    // Opens the beginning of bulk() to the peer, and takes it back, for which the peer may have been asked.
    BufferDescriptor open_bulk(SIZE_T bytes, Access access);
    void close_bulk(bool asked);

private:
    SIZE_T place_of(const Request& request) const;
    void negotiate();
    bool work();
    void must_work() { expect(work(), "the peer has left"); }
    void take(const Queue::Done& done);
    void post_messages();
    void finish(const Request& request);

    const SIZE_T message_bytes_, bulk_, bulk_bytes_;
    Session session_;
    std::vector<Request> receives_, sends_;
    std::vector<Request*> free_sends_;
    Request transfer_, window_;  // of RDMA, and of the window: one at a time
    const Request* finished_ = nullptr;
    bool invalidated_ = true;  // as far as was asked
    bool left_ = false;
    std::unique_ptr<Queue> queue_;  // goes first: its requests end then
};

}  // namespace smb_direct
