// SPDX-License-Identifier: MIT
// See memory_region.h.
#include "spi/nd2/memory/memory_region.h"

namespace opennd {
namespace {

constexpr ULONG kRemoteWrite = ND_MR_FLAG_ALLOW_REMOTE_WRITE & ~ND_MR_FLAG_ALLOW_LOCAL_WRITE;
constexpr ULONG kRights = ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE |
                          ND_MR_FLAG_RDMA_READ_SINK;
// There is nothing to secure on Linux, so leaving it out changes nothing (ND2-MR-REG-04).
constexpr ULONG kDefinedRegistrationFlags = kRights | ND_MR_FLAG_DO_NOT_SECURE_VM;

static_assert(ULONG(Access::local_write) == ND_MR_FLAG_ALLOW_LOCAL_WRITE);
static_assert(ULONG(Access::remote_read) == ND_MR_FLAG_ALLOW_REMOTE_READ);
static_assert(ULONG(Access::remote_write) == kRemoteWrite);
static_assert(ULONG(Access::read_sink) == ND_MR_FLAG_RDMA_READ_SINK);

Access to_access(ULONG flags) {
    const auto access = static_cast<Access>(flags & kRights);
    return any_of(access, Access::remote_write) ? access | Access::local_write : access;  // ND2-MR-REG-02
}

}  // namespace

HRESULT Nd2MemoryRegion::Register(const VOID* buffer, SIZE_T bytes, ULONG flags, OVERLAPPED* overlapped) noexcept {
    return begin(overlapped, [&](std::unique_ptr<AsyncRequest> request) {
        // After a missing buffer and a length of 0, which core refuses. Rights, not const, decide about writing.
        if (buffer != nullptr && bytes != 0 && (flags & ~kDefinedRegistrationFlags) != 0) {
            refuse_flags(ND_INVALID_PARAMETER, {"memory region", "Register"}, flags, kDefinedRegistrationFlags,
                         "ND2-MR-REG-01");
            return Status::invalid_parameter;
        }
        auto* const address = const_cast<std::byte*>(static_cast<const std::byte*>(buffer));
        return core_->register_memory(address, bytes, to_access(flags), std::move(request));
    });
}

HRESULT Nd2MemoryRegion::Deregister(OVERLAPPED* overlapped) noexcept {
    return begin(overlapped,
                 [&](std::unique_ptr<AsyncRequest> request) { return core_->deregister(std::move(request)); });
}

}  // namespace opennd
