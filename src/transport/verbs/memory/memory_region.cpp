// SPDX-License-Identifier: MIT
// See memory_region.h.
#include "transport/verbs/memory/memory_region.h"

#include "base/log.h"
#include "transport/verbs/device/rdma_core.h"
#include "transport/verbs/memory/open_device.h"

namespace opennd::verbs {

VerbsMemoryRegion::VerbsMemoryRegion(Ref<OpenDevice> adapter, ibv_mr* region, bool for_peers)
    : adapter_(std::move(adapter)),
      region_(region),
      remote_(for_peers && region->rkey != 0 ? to_token(region->rkey) : kNamesNothing) {}

void VerbsMemoryRegion::deregister() {
    adapter_->regions().remove(local_token());
    const int error = adapter_->device()->ibv().dereg_mr(region_);
    // EINVAL with a window bound to it: core asks for that before. After a removal the region is gone.
    if (error != 0 && !adapter_->device()->ended())
        log(LogLevel::error, "memory region: RDMA device {} does not end it: error {}",
            adapter_->device()->facts().name, error);
}

int device_access(Access access, bool reads_need_remote_write, bool bindable) {
    int rights = bindable ? IBV_ACCESS_MW_BIND : 0;
    const bool writable = any_of(access, Access::local_write | Access::read_sink | Access::remote_write);
    if (writable) rights |= IBV_ACCESS_LOCAL_WRITE;
    if (any_of(access, Access::remote_read)) rights |= IBV_ACCESS_REMOTE_READ;
    if (any_of(access, Access::remote_write) || (writable && reads_need_remote_write))
        rights |= IBV_ACCESS_REMOTE_WRITE;
    return rights;
}

void RegionMap::add(Token local, const Region& region) {
    const Held lock(mutex_);
    regions_[value(local)] = region;
}

void RegionMap::remove(Token local) {
    const Held lock(mutex_);
    regions_.erase(value(local));
}

Status RegionMap::blame(Operation operation, std::span<const Sge> entries) const {
    const bool writes = operation == Operation::receive || operation == Operation::read;
    const Held lock(mutex_);
    for (const Sge& entry : entries) {
        const auto found = regions_.find(value(entry.token));
        if (found == regions_.end()) return Status::access_violation;
        const Region& region = found->second;
        const auto start = reinterpret_cast<std::uint64_t>(entry.buffer);
        if (start < region.address || entry.length > region.bytes ||
            start - region.address > region.bytes - entry.length)
            return Status::access_violation;
        if (writes && !region.writable) return Status::access_violation;
    }
    return operation == Operation::receive ? Status::receive_too_small : Status::internal_error;
}

}  // namespace opennd::verbs
