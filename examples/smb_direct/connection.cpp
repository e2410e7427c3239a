// SPDX-License-Identifier: MIT
//
// Read connection.h first.
#include "connection.h"

namespace smb_direct {

Connection::Connection(MakeQueue make, const sockaddr_in& local, Role role, const Limits& limits, SIZE_T bulk)
    : message_bytes_(std::max(limits.max_receive_size, limits.max_send_size)),
      bulk_((limits.receives() + kSends) * message_bytes_),
      bulk_bytes_(bulk),
      session_(role, limits),
      receives_(limits.receives()),
      sends_(kSends),
      transfer_{{}, Request::Kind::rdma},
      window_{{}, Request::Kind::window},
      // The window takes two at a time: the binding, which is silent, and its end.
      queue_(make(local, {limits.receives(), static_cast<ULONG>(kSends + 3), bulk_ + bulk_bytes_})) {
    for (SIZE_T slot = 0; slot < receives_.size(); ++slot) {
        receives_[slot] = {{}, Request::Kind::receive, slot};
        queue_->receive(receives_[slot], place_of(receives_[slot]), limits.max_receive_size);
    }
    for (SIZE_T slot = 0; slot < sends_.size(); ++slot) {
        sends_[slot] = {{}, Request::Kind::send, receives_.size() + slot};
        free_sends_.push_back(&sends_[slot]);
    }
}

// Of a message in the queue's memory.
SIZE_T Connection::place_of(const Request& request) const { return request.slot * message_bytes_; }

void Connection::accept(const std::function<void(unsigned short)>& tell) {
    queue_->accept(tell);
    negotiate();
}

void Connection::connect(const sockaddr_in& server) {
    queue_->connect(server);
    negotiate();
}

void Connection::negotiate() {
    post_messages();
    while (!session_.established()) {
        if (session_.refused()) throw ProtocolError("the peer speaks another version");
        must_work();
    }
}

bool Connection::send(std::vector<std::byte> data, std::optional<UINT32> invalidate) {
    invalidated_ = true;
    session_.send(std::move(data), invalidate);
    post_messages();
    while (session_.has_data_to_send()) must_work();
    return invalidated_;
}

std::optional<std::vector<std::byte>> Connection::receive() {
    for (;;) {
        if (auto data = session_.received()) {
            post_messages();  // rule 6: there may be credits to grant again
            return data;
        }
        if (!work()) return {};
    }
}

void Connection::write_to_peer(const BufferDescriptor& to) {
    queue_->write(transfer_, bulk_, to);
    finish(transfer_);
}

void Connection::read_from_peer(const BufferDescriptor& from) {
    queue_->read(transfer_, bulk_, from);
    finish(transfer_);
}

BufferDescriptor Connection::open_bulk(SIZE_T bytes, Access access) {
    return queue_->bind(window_, bulk_, bytes, access);
}

void Connection::close_bulk(bool asked) {
    if (queue_->unbind(transfer_, asked)) finish(transfer_);
}

void Connection::finish(const Request& request) {
    finished_ = nullptr;
    while (finished_ != &request) must_work();
}

// Takes a result, or waits for one. False: the peer has left.
bool Connection::work() {
    while (!left_) {
        if (const auto done = queue_->next_result()) {
            take(*done);
            post_messages();
            return !left_;
        }
        left_ = !queue_->wait();
    }
    return false;
}

void Connection::take(const Queue::Done& done) {
    Request& request = *done.request;
    if (done.status == ND_CANCELED) {
        left_ = true;
        return;
    }
    need(done.status, "a request of the connection");
    switch (request.kind) {
        case Request::Kind::receive:
            session_.take(queue_->memory(place_of(request), done.bytes));
            queue_->receive(request, place_of(request), message_bytes_);
            return session_.receive_posted();
        case Request::Kind::send: return free_sends_.push_back(&request);
        default: finished_ = &request;
    }
}

void Connection::post_messages() {
    while (!free_sends_.empty()) {
        Request& request = *free_sends_.back();
        const SIZE_T place = place_of(request);
        const auto message = session_.next(queue_->memory(place, message_bytes_));
        if (!message) return;
        free_sends_.pop_back();
        const bool invalidates =
            message->invalidate && queue_->send_and_invalidate(request, place, message->bytes, *message->invalidate);
        if (message->invalidate) invalidated_ = invalidates;
        if (!invalidates) queue_->send(request, place, message->bytes);
    }
}

}  // namespace smb_direct
