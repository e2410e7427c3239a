// SPDX-License-Identifier: MIT
// See registrations.h.
#include "spi/nd1/memory/registrations.h"

#include <memory>

#include "core/request/async_request.h"
#include "platform/memory/present_memory.h"
#include "spi/nd1/call/sge.h"

namespace opennd {
namespace {

// Registering takes no time: core completes it before it returns, and the program's own request is completed here.
class NobodyWaits final : public AsyncRequest {
public:
    void begin() override {}
    void complete(Status) override {}
};

}  // namespace

Registrations::~Registrations() {
    for (const auto& [token, entry] : entries_) entry.region->close();
}

Status Registrations::add(const Ref<Adapter>& adapter, std::byte* address, std::size_t bytes, ND_MR_HANDLE& handle) {
    Entry entry{make_ref<MemoryRegion>(adapter), reinterpret_cast<std::uintptr_t>(address), bytes};
    // Memory is registered for reading alone only if it is known not to be writable. Core refuses other failures and
    // unmapped memory.
    entry.writable =
        check_mapped(address, bytes, true) != Status::access_violation || !ok(check_mapped(address, bytes, false));
    const Access access = entry.writable ? Access::local_write | Access::read_sink : Access::none;
    const Status status = entry.region->register_memory(address, bytes, access, std::make_unique<NobodyWaits>());
    if (!ok(status)) return status;
    const Token token = entry.region->local_token();
    handle = to_handle(token);
    const Held lock(mutex_);
    entries_[value(token)] = std::move(entry);
    return Status::success;
}

Status Registrations::remove(ND_MR_HANDLE handle, const Entry& entry) {
    if (const Status status = entry.region->deregister(std::make_unique<NobodyWaits>()); !ok(status)) return status;
    Entry removed;  // released without the lock
    const Held lock(mutex_);
    const auto found = entries_.find(value(to_token(handle)));
    if (found != entries_.end() && found->second.region == entry.region) {
        removed = std::move(found->second);
        entries_.erase(found);
    }
    return Status::success;
}

std::optional<Registrations::Entry> Registrations::find(ND_MR_HANDLE handle) const {
    const Token token = to_token(handle);
    const Held lock(mutex_);
    const auto found = entries_.find(value(token));
    return token != Token::none && found != entries_.end() ? std::optional(found->second) : std::nullopt;
}

}  // namespace opennd
