// SPDX-License-Identifier: MIT
// See memory_region.h.
#include "core/memory/memory_region.h"

#include <algorithm>
#include <utility>

#include "base/explanation.h"
#include "core/adapter/adapter.h"

namespace opennd {

MemoryRegion::MemoryRegion(Ref<Adapter> adapter)
    : adapter_(std::move(adapter)), place_(adapter_->inventory().memory_regions) {
    place_.enter(*this);
}

MemoryRegion::~MemoryRegion() = default;

Status MemoryRegion::check_range(const std::byte* address, std::size_t bytes) const {
    const std::uint64_t maximum = adapter_->limits().max_registration_bytes;
    const auto start = reinterpret_cast<std::uintptr_t>(address);
    const auto refused = [&](Status status, std::string_view limit, std::string_view remedy,
                             std::string_view imposer = {}) {
        return explain(status, {.object = "memory region",
                                .operation = "Register",
                                .asked = phrase("{} bytes at {:#x}", bytes, start),
                                .limit = limit,
                                .remedy = remedy,
                                .requirement = "ND2-MR-REG-01",
                                .imposed_by = imposer});
    };
    if (address == nullptr) return refused(Status::invalid_parameter, "a buffer", "pass the address of the memory");
    if (bytes == 0) return refused(Status::invalid_length, "1 byte or more", "pass the length of the memory");
    if (bytes > maximum)
        return refused(Status::invalid_parameter, phrase("{} bytes", maximum), "register it as several regions",
                       adapter_->imposer(&AdapterLimits::max_registration_bytes, maximum));
    if (start + bytes < start)
        return refused(Status::invalid_parameter, "a range within the address space", "check the length");
    return Status::success;
}

Status MemoryRegion::register_memory(std::byte* address, std::size_t bytes, Access access,
                                     std::unique_ptr<AsyncRequest> request) {
    if (const Status status = check_range(address, bytes); !ok(status)) return status;
    CompletionBatch batch(in_flight_);
    if (const Status status = begin_registration(); !ok(status)) return status;
    return end_registration(adapter_->transport().register_memory(address, bytes, access), address, bytes, access,
                            std::move(request), batch);
}

Status MemoryRegion::register_pages(const PageList& pages, Access access, std::unique_ptr<AsyncRequest> request) {
    if (const Status status = check_pages(pages, "Register"); !ok(status)) return status;
    auto* const base = reinterpret_cast<std::byte*>(pages.base);
    if (pages.length > adapter_->limits().max_registration_bytes) return check_range(base, pages.length);
    CompletionBatch batch(in_flight_);
    if (const Status status = begin_registration(); !ok(status)) return status;
    return end_registration(adapter_->transport().register_pages(pages, access), base, pages.length, access,
                            std::move(request), batch);
}

Status MemoryRegion::begin_registration() {
    const Held lock(mutex_);
    if (!state_.advance(RegistrationEvent::begin))
        return explain(Status::invalid_state, {.object = "memory region",
                                               .operation = "Register",
                                               .asked = "a second registration",
                                               .limit = "one at a time",
                                               .remedy = "deregister it first, or use another region",
                                               .requirement = "ND2-MR-REG-06"});
    return Status::success;
}

Status MemoryRegion::end_registration(Result<Ref<TransportMemory>> memory, const std::byte* address, std::size_t bytes,
                                      Access access, std::unique_ptr<AsyncRequest> request, CompletionBatch& batch) {
    const Held lock(mutex_);
    if (!memory.ok()) {
        state_.must_advance(RegistrationEvent::fail);
        return memory.status();
    }
    registration_.memory = memory.take();
    address_ = address;
    bytes_ = bytes;
    access_ = access;
    request->begin();
    state_.must_advance(RegistrationEvent::establish);
    local_token_.store(registration_.memory->local_token(), std::memory_order_release);
    remote_token_.store(registration_.memory->remote_token(), std::memory_order_release);
    batch.add(std::move(request), Status::success);
    return Status::success;
}

Status MemoryRegion::check_window(const std::byte* address, std::size_t bytes, Access access) const {
    const auto refuse = [](Status status, std::string_view asked, std::string_view limit, std::string_view remedy) {
        return explain(status, {.object = "queue pair",
                                .operation = "Bind",
                                .asked = asked,
                                .limit = limit,
                                .remedy = remedy,
                                .requirement = "ND2-QP-BIND-01"});
    };
    if (state_ != RegistrationState::registered)
        return refuse(Status::invalid_parameter, "a part of a region that is not registered", "while it is registered",
                      "register it first");
    const auto from = reinterpret_cast<std::uintptr_t>(address), start = reinterpret_cast<std::uintptr_t>(address_);
    if (bytes == 0 || from < start || bytes > bytes_ || from - start > bytes_ - bytes)
        return refuse(Status::invalid_parameter, phrase("{:#x}+{}", from, bytes),
                      phrase("a part of its region {:#x}+{}, at least a byte", start, bytes_), "bind a part of it");
    if (any_of(access, Access::remote_write) && !any_of(access_, Access::local_write))
        return refuse(Status::access_violation, "remote writing", "the region's rights, without local write",
                      "register it with ND_MR_FLAG_ALLOW_LOCAL_WRITE");
    return Status::success;
}

Result<Ref<TransportWindowBinding>> MemoryRegion::bind_window(TransportQueuePair& queue_pair, std::byte* address,
                                                              std::size_t bytes, Access access,
                                                              const BindingTerms& terms) {
    const Held lock(mutex_);
    if (const Status status = check_window(address, bytes, access); !ok(status)) return status;
    auto binding = adapter_->transport().bind_window(queue_pair, *registration_.memory, address, bytes, access, terms);
    if (binding.ok()) registration_.windows.add(binding.value());
    return binding;
}

MemoryRegion::Registration MemoryRegion::begin_deregistration() {
    state_.must_advance(RegistrationEvent::end);
    local_token_.store(Token::none, std::memory_order_release);
    remote_token_.store(Token::none, std::memory_order_release);
    return std::exchange(registration_, {});
}

void MemoryRegion::Registration::end() {
    BindingList::end(std::move(windows));
    memory->deregister();
}

std::optional<MemoryRegion::Memory> MemoryRegion::memory() const {
    const Held lock(mutex_);
    if (!registration_.memory) return std::nullopt;
    return Memory{address_, bytes_, access_};
}

Status MemoryRegion::deregister(std::unique_ptr<AsyncRequest> request) {
    CompletionBatch batch(in_flight_);
    Registration registration;
    {
        const Held lock(mutex_);
        if (state_ != RegistrationState::registered)
            return explain(Status::invalid_state, {.object = "memory region",
                                                   .operation = "Deregister",
                                                   .asked = "the end of a registration that does not exist",
                                                   .limit = "after Register has completed, once",
                                                   .remedy = "deregister once, after Register has completed",
                                                   .requirement = "ND2-MR-DEREG-01"});
        if (registration_.windows.any_alive())
            return explain(Status::region_busy,
                           {.object = "memory region",
                            .operation = "Deregister",
                            .asked = "the end of a registration that memory windows are bound to",
                            .limit = "after the last of them has ended",
                            .remedy = "invalidate them, or release the windows, or the objects that bound them",
                            .requirement = "ND2-MR-DEREG-01"});
        request->begin();
        batch.add(std::move(request), Status::success);
        registration = begin_deregistration();
    }
    registration.end();
    const Held lock(mutex_);
    state_.must_advance(RegistrationEvent::rest);
    return Status::success;
}

void MemoryRegion::close() {
    cancel();
    Registration registration;
    {
        const Held lock(mutex_);
        if (state_ == RegistrationState::registered) registration = begin_deregistration();
    }
    if (registration.memory) registration.end();
}

Status check_pages(const PageList& pages, std::string_view operation) {
    const auto refuse = [&](std::string_view asked, std::string_view limit, std::string_view remedy) {
        return explain(Status::invalid_parameter, {.object = "memory region",
                                                   .operation = operation,
                                                   .asked = asked,
                                                   .limit = limit,
                                                   .remedy = remedy,
                                                   .requirement = "NDK-QP-FREG-01"});
    };
    const auto misplaced =
        std::find_if(pages.pages.begin(), pages.pages.end(), [](std::uint64_t page) { return page % kPageBytes != 0; });
    if (misplaced != pages.pages.end())
        return refuse(phrase("a page at {:#x}", *misplaced), phrase("multiples of {}", kPageBytes),
                      "pass where pages begin, and the first byte's place in its page beside");
    if (pages.first_byte >= kPageBytes)
        return refuse(phrase("a first byte offset of {}", pages.first_byte), phrase("less than {}", kPageBytes),
                      "begin the list with the page that holds the first byte");
    const std::uint64_t held = std::uint64_t{pages.pages.size()} * kPageBytes;
    const std::uint64_t room = held == 0 ? 0 : held - pages.first_byte;
    if (pages.length == 0 || pages.length > room)
        return refuse(phrase("{} bytes from byte {} on", pages.length, pages.first_byte),
                      phrase("1 to {}, the room in {} pages", room, pages.pages.size()),
                      "pass more pages, or fewer bytes");
    if (pages.base + pages.length < pages.base)
        return refuse(phrase("{} bytes at base {:#x}", pages.length, pages.base), "a range that does not wrap",
                      "choose a smaller base");
    return Status::success;
}

}  // namespace opennd
