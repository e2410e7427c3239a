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
    registration_.memory = memory.take();
    address_ = address;
    bytes_ = bytes;
    access_ = access;
    request->begin();
    state_ = State::registered;
    local_token_.store(registration_.memory->local_token(), std::memory_order_release);
    remote_token_.store(registration_.memory->remote_token(), std::memory_order_release);
    batch.add(std::move(request), Status::success);
    return Status::success;
}

Status MemoryRegion::check_window(const std::byte* address, std::size_t bytes, Access access) const {
    if (state_ != State::registered || bytes == 0) return Status::invalid_parameter;
    const auto from = reinterpret_cast<std::uintptr_t>(address), start = reinterpret_cast<std::uintptr_t>(address_);
    if (from < start || bytes > bytes_ || from - start > bytes_ - bytes) {
        log(LogLevel::warn,
            "queue pair: Bind of {:#x}+{}, which leaves its memory region {:#x}+{}. Bind a part of the region "
            "(ND2-QP-BIND-01)",
            from, bytes, start, bytes_);
        return Status::invalid_parameter;
    }
    if (any_of(access, Access::remote_write) && !any_of(access_, Access::local_write)) {
        log(LogLevel::warn,
            "queue pair: Bind for remote writing, but the memory region has no local write. Register it with "
            "ND_MR_FLAG_ALLOW_LOCAL_WRITE (ND2-QP-BIND-02)");
        return Status::access_violation;
    }
    return Status::success;
}

Result<Ref<TransportWindowBinding>> MemoryRegion::bind_window(TransportQueuePair& queue_pair, std::byte* address,
                                                              std::size_t bytes, Access access) {
    const Held lock(mutex_);
    if (const Status status = check_window(address, bytes, access); !ok(status)) return status;
    auto binding = adapter_->transport().bind_window(queue_pair, *registration_.memory, address, bytes, access);
    if (binding.ok()) registration_.windows.add(binding.value());
    return binding;
}

MemoryRegion::Registration MemoryRegion::begin_deregistration() {
    state_ = State::changing;
    local_token_.store(Token::none, std::memory_order_release);
    remote_token_.store(Token::none, std::memory_order_release);
    return std::exchange(registration_, {});
}

void MemoryRegion::Registration::end() {
    BindingList::end(std::move(windows));
    memory->deregister();
}

Status MemoryRegion::deregister(std::unique_ptr<AsyncRequest> request) {
    CompletionBatch batch(in_flight_);
    Registration registration;
    {
        const Held lock(mutex_);
        if (state_ != State::registered) return Status::invalid_state;
        if (registration_.windows.any_alive()) {
            log(LogLevel::warn,
                "memory region: Deregister while memory windows are bound to it. Invalidate them, or release the "
                "windows "
                "or their queue pairs (ND2-MR-DEREG-01)");
            return Status::region_busy;
        }
        request->begin();
        batch.add(std::move(request), Status::success);
        registration = begin_deregistration();
    }
    registration.end();
    const Held lock(mutex_);
    state_ = State::empty;
    return Status::success;
}

void MemoryRegion::close() {
    cancel();
    Registration registration;
    {
        const Held lock(mutex_);
        if (state_ == State::registered) registration = begin_deregistration();
    }
    if (registration.memory) registration.end();
}

}  // namespace opennd
