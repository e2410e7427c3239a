// SPDX-License-Identifier: MIT
// See memory_region.h.
#include "core/memory_region.h"

#include <utility>

#include "base/log.h"
#include "core/adapter.h"

namespace opennd {

MemoryRegion::MemoryRegion(Ref<Adapter> adapter) : adapter_(std::move(adapter)) {}

MemoryRegion::~MemoryRegion() = default;

Status MemoryRegion::check_range(const std::byte* address, std::size_t bytes) const {
    if (address == nullptr) return Status::invalid_parameter;
    if (bytes == 0) return Status::invalid_length;
    if (bytes > adapter_->limits().max_registration_bytes) {
        log(LogLevel::warn, "memory region: {} bytes to register, but the adapter takes {}; use several regions", bytes,
            adapter_->limits().max_registration_bytes);
        return Status::invalid_parameter;
    }
    const auto start = reinterpret_cast<std::uintptr_t>(address);
    return start + bytes < start ? Status::invalid_parameter : Status::success;
}

Status MemoryRegion::register_memory(std::byte* address, std::size_t bytes, Access access,
                                     std::unique_ptr<AsyncRequest> request) {
    if (const Status status = check_range(address, bytes); !ok(status)) return status;
    CompletionBatch batch(in_flight_);
    {
        const Held lock(mutex_);
        if (state_ != State::empty) return Status::invalid_state;
        state_ = State::changing;
    }
    Result<Ref<TransportMemory>> memory = adapter_->transport().register_memory(address, bytes, access);

    const Held lock(mutex_);
    if (!memory.ok()) {
        state_ = State::empty;
        return memory.status();
    }
    memory_ = memory.take();
    request->begin();
    state_ = State::registered;
    local_token_.store(memory_->local_token(), std::memory_order_release);
    remote_token_.store(memory_->remote_token(), std::memory_order_release);
    batch.add(std::move(request), Status::success);
    return Status::success;
}

Ref<TransportMemory> MemoryRegion::begin_deregistration() {
    state_ = State::changing;
    local_token_.store(Token::none, std::memory_order_release);
    remote_token_.store(Token::none, std::memory_order_release);
    return std::exchange(memory_, nullptr);
}

Status MemoryRegion::deregister(std::unique_ptr<AsyncRequest> request) {
    CompletionBatch batch(in_flight_);
    Ref<TransportMemory> memory;
    {
        const Held lock(mutex_);
        if (state_ != State::registered) return Status::invalid_state;
        request->begin();
        batch.add(std::move(request), Status::success);
        memory = begin_deregistration();
    }
    memory->deregister();
    const Held lock(mutex_);
    state_ = State::empty;
    return Status::success;
}

void MemoryRegion::close() {
    cancel();
    Ref<TransportMemory> memory;
    {
        const Held lock(mutex_);
        if (state_ == State::registered) memory = begin_deregistration();
    }
    if (memory) memory->deregister();
}

}  // namespace opennd
