// SPDX-License-Identifier: MIT
// Requests that change the access of tokens: NdkBind, NdkFastRegister, NdkInvalidate. See queue_pair.h.
#include "base/check_rule.h"
#include "model/page_list.h"
#include "ndk/call/request.h"
#include "ndk/memory/memory_region.h"
#include "ndk/memory/memory_window.h"
#include "ndk/object/adapter.h"
#include "ndk/queue/queue_pair.h"

namespace opennd {

NTSTATUS NdkQueuePair::bind(PVOID context, NDK_MR* region, NDK_MW* window, PVOID address, SIZE_T bytes, ULONG flags) {
    static constexpr NdkCall call{kObject, "NdkBind", "NDK-QP-BIND-01"};
    return at_kernel_face(call, [&]() -> NTSTATUS {
        auto* const bound = face_of<NdkMemoryRegion>(region);
        if (!bound || &bound->domain() != domain_.get() || bound->fast())
            return refuse_object(call, "pMr", "memory region for NdkRegisterMr");
        auto* const by = face_of<NdkMemoryWindow>(window);
        if (!by || &by->domain() != domain_.get()) return refuse_object(call, "pMw", "memory window");
        if ((flags & ~kBindFlags) != 0) return refuse_flags(call, flags, kBindFlags, "NDK-QP-POST-04");
        const Access access = window_access(flags);
        if (access == Access::none)
            return refuse(STATUS_INVALID_PARAMETER, {.object = call.object,
                                                     .operation = call.operation,
                                                     .asked = "a window that lets peers do nothing",
                                                     .limit = "remote reading, remote writing, or both",
                                                     .remedy = "pass NDK_OP_FLAG_ALLOW_REMOTE_READ or _WRITE",
                                                     .requirement = "NDK-QP-BIND-01"});
        if (!accepts(kRequests)) {
            const bool early = core_->transport().state() == QueuePairState::idle;
            return refuse_now(call, early ? CheckRule::bind_early : CheckRule::none);
        }
        const NdkMemoryWindow::Part part{static_cast<std::byte*>(address), bytes, access};
        return to_ntstatus(by->bind(*core_, *bound, part, to_flags(flags), context));
    });
}

NTSTATUS NdkQueuePair::fast_register(PVOID context, NDK_MR* region, const Mapping& mapping, ULONG flags) {
    static constexpr NdkCall call{kObject, "NdkFastRegister"};
    return at_kernel_face(call, [&]() -> NTSTATUS {
        auto* const registered = face_of<NdkMemoryRegion>(region);
        if (!registered || &registered->domain() != domain_.get() || !registered->fast())
            return refuse_object(call, "pMr", "memory region for fast registration");
        if (mapping.pages == nullptr) return refuse_null(call, "AdapterPageArray");
        if ((flags & ~kFastRegisterFlags) != 0) return refuse_flags(call, flags, kFastRegisterFlags, "NDK-QP-POST-04");
        if (!accepts(kRequests)) return refuse_now(call);
        const auto* const pages = reinterpret_cast<const std::uint64_t*>(&mapping.pages->QuadPart);
        const PageList list{{pages, mapping.page_count},
                            mapping.first_byte,
                            reinterpret_cast<std::uintptr_t>(mapping.base),
                            mapping.bytes};
        return to_ntstatus(
            core_->fast_register(*registered->fast(), list, fast_register_access(flags), to_flags(flags), context));
    });
}

NTSTATUS NdkQueuePair::invalidate(PVOID context, NDK_OBJECT_HEADER* target, ULONG flags) {
    static constexpr NdkCall call{kObject, "NdkInvalidate"};
    return at_kernel_face(call, [&]() -> NTSTATUS {
        if (target == nullptr) return refuse_null(call, "pNdkMrOrMw");
        auto* const window = face_of<NdkMemoryWindow>(reinterpret_cast<NDK_MW*>(target));
        auto* const region = face_of<NdkMemoryRegion>(reinterpret_cast<NDK_MR*>(target));
        const bool ours = (window && &window->domain() == domain_.get()) ||
                          (region && region->fast() && &region->domain() == domain_.get());
        if (!ours) return refuse_object(call, "pNdkMrOrMw", "memory window or region for fast registration");
        if ((flags & ~kPlainFlags) != 0) return refuse_flags(call, flags, kPlainFlags, "NDK-QP-POST-04");
        if (!accepts(kRequests)) return refuse_now(call);
        if (window) return to_ntstatus(window->invalidate(*core_, to_flags(flags), context));
        return to_ntstatus(core_->invalidate(*region->fast(), to_flags(flags), context));
    });
}

}  // namespace opennd
