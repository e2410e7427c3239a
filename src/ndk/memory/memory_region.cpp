// SPDX-License-Identifier: MIT
// See memory_region.h.
#include "ndk/memory/memory_region.h"

#include "core/adapter/adapter.h"
#include "ndk/call/process_dispatch.h"
#include "ndk/call/refusal.h"
#include "ndk/device/adapter_info.h"
#include "ndk/memory/mdl_range.h"
#include "ndk/memory/memory_window.h"
#include "ndk/object/adapter.h"
#include "ndk/object/request_callback.h"

namespace opennd {
namespace {

constexpr ULONG kDefinedFlags = NDK_MR_FLAG_ALLOW_LOCAL_WRITE | NDK_MR_FLAG_ALLOW_REMOTE_READ |
                                NDK_MR_FLAG_ALLOW_REMOTE_WRITE | NDK_MR_FLAG_RDMA_READ_SINK;
constexpr ULONG kRemoteWriteBit = NDK_MR_FLAG_ALLOW_REMOTE_WRITE & ~ULONG{NDK_MR_FLAG_ALLOW_LOCAL_WRITE};

// NDK-MR-REG-03: remote write includes local write; a Read needs no right of its own.
Access to_access(ULONG flags) {
    Access access = Access::none;
    if ((flags & NDK_MR_FLAG_ALLOW_REMOTE_WRITE) != 0) access = access | Access::local_write | Access::read_sink;
    if ((flags & NDK_MR_FLAG_ALLOW_REMOTE_READ) != 0) access = access | Access::remote_read;
    if ((flags & kRemoteWriteBit) != 0) access = access | Access::remote_write;
    return access;
}

NTSTATUS refuse_kind(const NdkCall& call, std::string_view limit, std::string_view requirement) {
    return refuse(STATUS_INVALID_DEVICE_REQUEST, {.object = call.object,
                                                  .operation = call.operation,
                                                  .asked = "a registration of the other kind",
                                                  .limit = limit,
                                                  .remedy = "pass the other FastRegister to NdkCreateMr",
                                                  .requirement = requirement});
}

NTSTATUS refuse_registered(const NdkCall& call) {
    return refuse(STATUS_INVALID_DEVICE_STATE, {.object = call.object,
                                                .operation = call.operation,
                                                .asked = "a second registration",
                                                .limit = "one at a time",
                                                .remedy = "deregister it first, or use another region",
                                                .requirement = "NDK-MR-REG-01"});
}

}  // namespace

NTSTATUS NdkMemoryRegion::create(NdkProtectionDomain& domain, bool fast, NDK_MR** made) {
    return create_at_face({"protection domain", "NdkCreateMr"}, domain.adapter(), made, [&](NDK_MR** out) -> NTSTATUS {
        *out = new NdkMemoryRegion(domain, fast);
        return STATUS_SUCCESS;
    });
}

NdkMemoryRegion::NdkMemoryRegion(NdkProtectionDomain& domain, bool fast)
    : NDK_MR{domain.adapter().header(kType), &dispatch().region},
      NdkObject(domain.adapter(), "memory region"),
      domain_(domain),
      core_(fast ? nullptr : make_ref<MemoryRegion>(domain.core())),
      fast_(fast ? make_ref<FastRegion>(domain.core()) : nullptr) {}

NTSTATUS NdkMemoryRegion::enroll(const MDL* chain, SIZE_T bytes, ULONG flags) {
    constexpr NdkCall call{"memory region", "NdkRegisterMr", "NDK-MR-REG-01"};
    return at_kernel_face(call, [&]() -> NTSTATUS {
        if (fast_) return refuse_kind(call, "NdkFastRegister, as it was made", "NDK-MR-REG-01");
        if ((flags & ~kDefinedFlags) != 0) return refuse_flags(call, flags, kDefinedFlags, "NDK-MR-REG-03");
        if (const NTSTATUS bad = MdlRange::check(call, chain, bytes); !NT_SUCCESS(bad)) return bad;
        if (bytes > adapter().info().MaxRegistrationSize)
            return refuse_number(call, "bytes", bytes, 1, adapter().info().MaxRegistrationSize, "NDK-MR-REG-01");
        const MdlRange range(chain, bytes);
        if (range.address() == 0) return refuse_null(call, "the virtual address of the first MDL");
        const Status status = range.is_identity() ? enroll_address(range, bytes, to_access(flags))
                                                  : enroll_pages(range, bytes, to_access(flags));
        return status == Status::invalid_state ? refuse_registered(call) : to_ntstatus(status);
    });
}

Status NdkMemoryRegion::enroll_address(const MdlRange& range, SIZE_T bytes, Access access) {
    auto* const address = reinterpret_cast<std::byte*>(range.address());
    return core_->register_memory(address, bytes, access, std::make_unique<DoneRequest>());
}

// The bytes are elsewhere than their addresses say (NDK-MDL-03).
Status NdkMemoryRegion::enroll_pages(const MdlRange& range, SIZE_T bytes, Access access) {
    const std::vector<std::uint64_t> pages = range.pages();
    const PageList list{pages, range.first_byte(), range.address(), bytes};
    return core_->register_pages(list, access, std::make_unique<DoneRequest>());
}

NTSTATUS NdkMemoryRegion::initialize(ULONG page_count, bool remote) {
    constexpr NdkCall call{"memory region", "NdkInitializeFastRegisterMr"};
    return at_kernel_face(call, [&]() -> NTSTATUS {
        if (!fast_) return refuse_kind(call, "NdkRegisterMr, as it was made", "NDK-MR-FRMR-01");
        const ULONG most = domain_->core()->traits().max_fast_pages;
        if (most != 0 && page_count > most)  // 0: there is no fast registration, as initialize() explains
            return refuse(STATUS_IMPLEMENTATION_LIMIT, {.object = call.object,
                                                        .operation = call.operation,
                                                        .asked = phrase("{} pages", page_count),
                                                        .limit = phrase("{} pages", most),
                                                        .remedy = "use several regions",
                                                        .requirement = "NDK-MR-FRMR-01"});
        return to_ntstatus(fast_->initialize(page_count, remote ? Reach::peers : Reach::local));
    });
}

NTSTATUS NdkMemoryRegion::withdraw() {
    constexpr NdkCall call{"memory region", "NdkDeregisterMr", "NDK-MR-REG-05"};
    return at_kernel_face(call, [&]() -> NTSTATUS {
        if (fast_) return refuse_kind(call, "NdkInvalidate, as it was made", "NDK-CONS-31");
        const Status status = core_->deregister(std::make_unique<DoneRequest>());
        return status == Status::invalid_state ? STATUS_INVALID_DEVICE_REQUEST : to_ntstatus(status);
    });
}

// A window that the peer has invalidated still has its use of the region (NDK-MW-05).
void NdkMemoryRegion::give_up() { NdkMemoryWindow::let_go_of(*this); }

void NdkMemoryRegion::end() {
    if (fast_) return fast_->close();
    core_->close();
}

}  // namespace opennd
