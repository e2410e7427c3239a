// SPDX-License-Identifier: MIT
// See memory_region.h.
#include "core/memory_region.h"

#include <utility>

#include "base/explanation.h"
#include "core/adapter.h"

namespace opennd {

MemoryRegion::MemoryRegion(Ref<Adapter> adapter) : adapter_(std::move(adapter)) {}

MemoryRegion::~MemoryRegion() = default;

Status MemoryRegion::check_range(const std::byte* address, std::size_t bytes) const {
    const std::uint64_t maximum = adapter_->limits().max_registration_bytes;
    const auto start = reinterpret_cast<std::uintptr_t>(address);
    const auto refused = [&](Status status, std::string_view limit, std::string_view remedy) {
        return explain(status, {.object = "memory region",
                                .operation = "Register",
                                .asked = phrase("{} bytes at {:#x}", bytes, start),
                                .limit = limit,
                                .remedy = remedy,
                                .requirement = "ND2-MR-REG-01"});
    };
    if (address == nullptr) return refused(Status::invalid_parameter, "a buffer", "pass the address of the memory");
    if (bytes == 0) return refused(Status::invalid_length, "1 byte or more", "pass the length of the memory");
    if (bytes > maximum)
        return refused(Status::invalid_parameter, phrase("{} bytes", maximum), "register it as several regions");
    if (start + bytes < start)
        return refused(Status::invalid_parameter, "a range within the address space", "check the length");
    return Status::success;
}

Status MemoryRegion::register_memory(std::byte* address, std::size_t bytes, Access access,
                                     std::unique_ptr<AsyncRequest> request) {
    if (const Status status = check_range(address, bytes); !ok(status)) return status;
    CompletionBatch batch(in_flight_);
    {
        const Held lock(mutex_);
        if (state_ != State::empty)
            return explain(Status::invalid_state, {.object = "memory region",
                                                   .operation = "Register",
                                                   .asked = "a second registration",
                                                   .limit = "one at a time",
                                                   .remedy = "deregister it first, or use another region",
                                                   .requirement = "ND2-MR-REG-06"});
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
        if (state_ != State::registered)
            return explain(Status::invalid_state, {.object = "memory region",
                                                   .operation = "Deregister",
                                                   .asked = "the end of a registration that does not exist",
                                                   .limit = "after Register has completed, once",
                                                   .remedy = "deregister what is registered",
                                                   .requirement = "ND2-MR-DEREG-01"});
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
