// SPDX-License-Identifier: MIT
// See memory_region.h.
#include "transport/verbs/memory_region.h"

#include "base/log.h"
#include "transport/verbs/open_device.h"
#include "transport/verbs/remote_key.h"

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

}  // namespace opennd::verbs
