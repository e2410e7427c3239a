// SPDX-License-Identifier: MIT
// Outbox: see outbox.h.
#include "transport/local/link/outbox.h"

#include <new>
#include <utility>

namespace opennd::local {

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
