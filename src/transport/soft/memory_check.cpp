// SPDX-License-Identifier: MIT
// The explanations behind memory_check.h.
#include "transport/soft/memory_check.h"

#include "base/log.h"

namespace opennd::soft {

Status refuse_local(const TokenTable& tokens, const Sge& sge, Access wanted) {
    MemoryGrant grant;
    const auto start = reinterpret_cast<std::uint64_t>(sge.buffer);
    if (!tokens.find_local(sge.token, grant))
        log(LogLevel::warn,
            "scatter/gather entry {:#x}+{}: local token {:#x} names no registered memory. Pass GetLocalToken() of a "
            "region "
            "that is registered with this adapter until the request completes (ND2-QP-RDMA-04)",
            start, sge.length, value(sge.token));
    else if (!grant.covers(start, sge.length))
        log(LogLevel::warn,
            "scatter/gather entry {:#x}+{} leaves its memory region {:#x}+{}. Register more, or ask for less "
            "(ND2-QP-RDMA-04)",
            start, sge.length, grant.address, grant.length);
    else
        log(LogLevel::warn,
            "scatter/gather entry {:#x}+{}: its memory region has the rights {:#x}, the request needs one of {:#x}. "
            "Register it with ND_MR_FLAG_ALLOW_LOCAL_WRITE (ND2-MR-REG-02)",
            start, sge.length, static_cast<std::uint32_t>(grant.access), static_cast<std::uint32_t>(wanted));
    return Status::access_violation;
}

}  // namespace opennd::soft
