// SPDX-License-Identifier: MIT
// The explanations behind memory_check.h.
#include "transport/soft/memory_check.h"

#include "base/explanation.h"

namespace opennd::soft {

Status refuse_local(const TokenTable& tokens, const Sge& sge, Access wanted) {
    MemoryGrant grant;
    const auto start = reinterpret_cast<std::uint64_t>(sge.buffer);
    const Phrase entry =
        phrase("scatter/gather entry {:#x}+{}, local token {:#x}", start, sge.length, value(sge.token));
    const auto refused = [&](std::string_view limit, std::string_view remedy, std::string_view requirement) {
        return report(Status::access_violation, {.object = "queue pair",
                                                 .operation = "local memory of a request",
                                                 .asked = entry,
                                                 .limit = limit,
                                                 .remedy = remedy,
                                                 .requirement = requirement});
    };
    if (!tokens.find_local(sge.token, grant))
        return refused("the token of memory that is registered",
                       "pass GetLocalToken() of a region that stays registered with this adapter until the request "
                       "completes",
                       "ND2-QP-RDMA-04");
    if (!grant.covers(start, sge.length))
        return refused(phrase("the memory region {:#x}+{}", grant.address, grant.length),
                       "register more, or ask for less", "ND2-QP-RDMA-04");
    return refused(phrase("the region's rights {:#x}; the request needs one of {:#x}",
                          static_cast<std::uint32_t>(grant.access), static_cast<std::uint32_t>(wanted)),
                   "register it with ND_MR_FLAG_ALLOW_LOCAL_WRITE", "ND2-MR-REG-02");
}

}  // namespace opennd::soft
