// SPDX-License-Identifier: MIT
// LinkSocket and Outbox: see link_socket.h.
#include "transport/local/link/link_socket.h"

#include <new>
#include <utility>

#include "platform/thread/asymmetric_barrier.h"

namespace opennd::local {

LinkSocket::LinkSocket(LocalSocket socket, Ref<Arena> arena, std::size_t own, std::uint32_t sent)
    : socket_(std::move(socket)), arena_(std::move(arena)), own_(own) {
    if (sent != 0) bell_there().packets.fetch_add(sent);
}

// Sends a packet, which is counted before it can arrive.
Status LinkSocket::send_counted(std::span<const std::byte> bytes, std::span<const int> descriptors) {
    std::atomic<std::uint32_t>& packets = bell_there().packets;
    packets.fetch_add(1);
    const Status status = socket_.send(bytes, descriptors);
    if (!ok(status)) packets.fetch_sub(1);
    return status;
}

Status LinkSocket::send(const ControlMessage& message, std::span<const int> descriptors) {
    return send_counted(std::as_bytes(std::span(&message, 1)), descriptors);
}

// Rings the other side. A thread there that ends its look after the load finds the ring.
Status LinkSocket::ring() {
    Bell& there = bell_there();
    if (there.rung.exchange(1) != 0 || there.looks.load() != 0) return Status::success;
    const Status status = send_counted(kWakeUp, {});
    if (!ok(status) && status != Status::would_block) there.rung.store(0);
    return status;
}

Status LinkSocket::ring_again() {
    full_barrier();  // against that of take_ring(): either the packet is read here, or the news is seen there
    return socket_.has_unread() ? Status::success : send_counted(kWakeUp, {});
}

// Sets the mark first, because a thread that reads a packet looks at the marks. A full socket wakes the other side by its
// unread packets.
bool LinkSocket::wake(std::uint32_t connection, bool again) {
    arena_->news(1 - own_).set(connection);
    const Status status = again ? ring_again() : ring();
    return ok(status) || status == Status::would_block;
}

void LinkSocket::take_ring() {
    (void)bell().rung.exchange(0);
    full_barrier();  // tests/protocols/unread.pml
}

Result<ReceivedControl> LinkSocket::receive() {
    Result<ReceivedControl> received = local::receive(socket_);
    if (received.status() != Status::would_block) ++received_;
    return received;
}

// ---- the outbox

Status Outbox::send(LinkSocket& socket, const ControlMessage& message, std::span<const int> descriptors,
                    std::size_t most) {
    if (!waiting_.empty()) return keep(socket, message, descriptors, most);
    const Status status = socket.send(message, descriptors);
    const bool may_be_repeated = !ok(status) && status != Status::disconnected && descriptors.empty();
    return status == Status::would_block || may_be_repeated ? keep(socket, message, descriptors, most) : status;
}

// Appends a record that waits. Returns false if there is no memory.
bool Outbox::add(const ControlMessage& message) {
    try {
        waiting_.emplace_back().message = message;
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

Status Outbox::keep(LinkSocket& socket, const ControlMessage& message, std::span<const int> descriptors,
                    std::size_t most) {
    if (waiting_.size() >= most || !add(message)) {
        socket.shut_down();
        return Status::disconnected;
    }
    Waiting& last = waiting_.back();
    for (const int descriptor : descriptors) {
        Descriptor copy(Descriptor::copy_of(descriptor));
        if (copy) {
            last.descriptors[last.descriptor_count++] = std::move(copy);
            continue;
        }
        waiting_.pop_back();
        return Status::insufficient_resources;
    }
    return Status::success;
}

bool Outbox::flush(LinkSocket& socket) {
    while (!waiting_.empty()) {
        const Waiting& next = waiting_.front();
        std::array<int, kMostDescriptors> descriptors{};
        for (std::size_t i = 0; i < next.descriptor_count; ++i) descriptors[i] = next.descriptors[i].get();
        const Status status = socket.send(next.message, std::span(descriptors).first(next.descriptor_count));
        if (status == Status::would_block) return false;
        waiting_.pop_front();
        if (!ok(status)) {
            socket.shut_down();  // heard as the end
            return false;
        }
    }
    return true;
}

}  // namespace opennd::local
