// SPDX-License-Identifier: MIT
// The queue behind a completion port; see completion_port.h.
#include "platform/waiting/completion_port.h"

#include <algorithm>
#include <utility>

namespace opennd {

Result<Ref<CompletionPort>> CompletionPort::create() {
    Result<Doorbell> readable = Doorbell::create();
    if (!readable.ok()) return readable.status();
    return Ref<CompletionPort>(new CompletionPort(readable.take()));
}

void CompletionPort::post(const CompletionPacket& packet) {
    const Held held(mutex_);
    if (closed_) return;
    packets_.push_back(packet);
    if (descriptor_in_use_ && packets_.size() == 1) readable_.ring();
    waiters_.wake_one(mutex_);
}

Result<std::size_t> CompletionPort::wait(std::span<CompletionPacket> packets, std::optional<SteadyTime> deadline) {
    if (packets.empty()) return Status::invalid_parameter;
    const Held held(mutex_);
    // A packet that arrives with the deadline is taken: the queue is looked at once more after the wait.
    for (bool in_time = true; packets_.empty() && !closed_; in_time = waiters_.wait(mutex_, deadline))
        if (!in_time) return Status::timed_out;
    if (closed_) return Status::canceled;
    const std::size_t count = std::min(packets.size(), packets_.size());
    take(packets.first(count));
    return count;
}

void CompletionPort::take(std::span<CompletionPacket> packets) {
    const auto end = packets_.begin() + static_cast<std::ptrdiff_t>(packets.size());
    std::copy(packets_.begin(), end, packets.begin());
    packets_.erase(packets_.begin(), end);
    if (packets_.empty() && descriptor_in_use_) readable_.clear();
}

void CompletionPort::close() {
    const Held held(mutex_);
    closed_ = true;
    packets_.clear();
    if (descriptor_in_use_) readable_.clear();
    waiters_.wake_all(mutex_);
}

int CompletionPort::descriptor() {
    const Held held(mutex_);
    if (!descriptor_in_use_ && !packets_.empty()) readable_.ring();
    descriptor_in_use_ = true;
    return readable_.descriptor();
}

Status OverlappedFile::associate(Ref<CompletionPort> port, std::uintptr_t key) {
    const Held held(mutex_);
    if (!port || associated_.load(std::memory_order_relaxed)) return Status::invalid_parameter;
    port_ = std::move(port);
    key_ = key;
    associated_.store(true, std::memory_order_release);
    return Status::success;
}

void OverlappedFile::deliver(void* overlapped, std::uintptr_t status, std::uint32_t bytes) {
    if (!associated_.load(std::memory_order_acquire)) return;
    port_->post({.key = key_, .overlapped = overlapped, .status = status, .bytes = bytes});
}

}  // namespace opennd
