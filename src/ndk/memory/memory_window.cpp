// SPDX-License-Identifier: MIT
// See memory_window.h.
#include "ndk/memory/memory_window.h"

#include <utility>
#include <vector>

#include "core/queue/queue_pair.h"
#include "ndk/call/process_dispatch.h"
#include "ndk/call/refusal.h"
#include "ndk/call/request.h"
#include "ndk/object/adapter.h"

namespace opennd {

NTSTATUS NdkMemoryWindow::create(NdkProtectionDomain& domain, NDK_MW** made) {
    return create_at_face({"protection domain", "NdkCreateMw"}, domain.adapter(), made, [&](NDK_MW** out) -> NTSTATUS {
        if (const Status status = MemoryWindow::check_supported(*domain.core()); !ok(status))
            return to_ntstatus(status);
        *out = new NdkMemoryWindow(domain);
        return STATUS_SUCCESS;
    });
}

NdkMemoryWindow::NdkMemoryWindow(NdkProtectionDomain& domain)
    : NDK_MW{domain.adapter().header(kType), &dispatch().window},
      NdkObject(domain.adapter(), "memory window"),
      domain_(domain),
      core_(make_ref<MemoryWindow>(domain.core())) {}

UINT32 NdkMemoryWindow::remote_token() const {
    const Held lock(domain_->bindings());
    return to_ndk_token(token_);
}

Status NdkMemoryWindow::bind(QueuePair& queue_pair, NdkMemoryRegion& region, const Part& part, RequestFlags flags,
                             void* context) {
    Ref<MemoryWindow> replaced;
    Use<NdkMemoryRegion> left;
    {
        const Held lock(domain_->bindings());
        const bool bound = core_->remote_token() != Token::none;
        Ref<MemoryWindow> window = bound ? make_ref<MemoryWindow>(domain_->core()) : core_;
        region.windows_.reserve(region.windows_.size() + 1);
        const Status status =
            queue_pair.bind(*region.core(), *window, part.address, part.bytes, part.access, flags, context);
        if (!ok(status)) return status;
        token_ = window->remote_token();
        if (bound) replaced = std::exchange(core_, std::move(window));
        left = leave_region();
        region.windows_.push_back(this);
        region_ = Use<NdkMemoryRegion>(region);
    }
    if (replaced) replaced->close();
    return Status::success;
}

Status NdkMemoryWindow::invalidate(QueuePair& queue_pair, RequestFlags flags, void* context) {
    Use<NdkMemoryRegion> left;
    const Held lock(domain_->bindings());
    const Status status = queue_pair.invalidate(*core_, flags, context);
    if (ok(status)) left = leave_region();
    return status;
}

Use<NdkMemoryRegion> NdkMemoryWindow::leave_region() {
    if (region_) std::erase(region_->windows_, this);
    return std::exchange(region_, {});
}

void NdkMemoryWindow::let_go_of(NdkMemoryRegion& region) {
    std::vector<Use<NdkMemoryRegion>> left;
    const Held lock(region.domain().bindings());
    const std::vector<NdkMemoryWindow*> windows = region.windows_;
    left.reserve(windows.size());
    for (NdkMemoryWindow* const window : windows)
        if (window->core_->remote_token() == Token::none) left.push_back(window->leave_region());
}

void NdkMemoryWindow::end() {
    Use<NdkMemoryRegion> left;
    {
        const Held lock(domain_->bindings());
        left = leave_region();
    }
    core_->close();
}

}  // namespace opennd
