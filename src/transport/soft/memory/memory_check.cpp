// SPDX-License-Identifier: MIT
// The explanations behind memory_check.h.
#include "transport/soft/memory/memory_check.h"

#include "base/explanation.h"
#include "platform/memory/guarded_copy.h"

namespace opennd::soft {
namespace {

Status refuse(const Sge& sge, std::string_view limit, std::string_view remedy, std::string_view requirement,
              std::string_view imposer = {}) {
    return report(Status::access_violation,
                  {.object = "queue pair",
                   .operation = "local memory of a request",
                   .asked = phrase("scatter/gather entry {:#x}+{}, local token {:#x}",
                                   reinterpret_cast<std::uint64_t>(sge.buffer), sge.length, value(sge.token)),
                   .limit = limit,
                   .remedy = remedy,
                   .requirement = requirement,
                   .imposed_by = imposer});
}

Status refuse_rights(const Sge& sge, Access access, Access wanted, std::string_view imposer_of_sinks = {}) {
    if (wanted == Access::read_sink && any_of(access, Access::local_write))
        return refuse(sge, "memory with the right of a read sink, or of remote writing, for a Read",
                      "register it with ND_MR_FLAG_RDMA_READ_SINK", "ND2-MR-REG-03", imposer_of_sinks);
    return refuse(sge,
                  phrase("the region's rights {:#x}; the request needs one of {:#x}",
                         static_cast<std::uint32_t>(access), static_cast<std::uint32_t>(wanted)),
                  "register it with ND_MR_FLAG_ALLOW_LOCAL_WRITE", "ND2-MR-REG-02");
}

Status refuse_range(const Sge& sge, std::uint64_t start, std::uint64_t length) {
    return refuse(sge, phrase("the memory region {:#x}+{}", start, length), "register more, or ask for less",
                  "ND2-QP-RDMA-04");
}

}  // namespace

Status refuse_local(const TokenTable& tokens, const Sge& sge, Access wanted) {
    MemoryGrant grant;
    if (!tokens.find_local(sge.token, grant))
        return refuse(sge, "the token of memory that is registered",
                      "pass GetLocalToken() of a region that stays registered with this adapter until the request "
                      "completes",
                      "ND2-QP-RDMA-04");
    if (!grant.covers(reinterpret_cast<std::uint64_t>(sge.buffer), sge.length))
        return refuse_range(sge, grant.address, grant.length);
    return refuse_rights(sge, grant.access, wanted, tokens.imposer_of_sinks());
}

Status refuse_absent(std::string_view operation) {
    return report(
        Status::access_violation,
        {.object = "queue pair",
         .operation = operation,
         .asked = phrase("registered memory at {:#x}, which is gone", reinterpret_cast<std::uint64_t>(absent_memory())),
         .limit = "memory that stays mapped with its rights, of a file that keeps its length and has room, until it is "
                  "deregistered",
         .remedy = "deregister memory before it is unmapped, protected or cut short; see to room for its file",
         .requirement = "ND2-MR-REG-07"});
}

Status refuse_paged(const PagedMemory& memory, const Sge& sge, Access wanted) {
    if (!memory.covers(reinterpret_cast<std::uint64_t>(sge.buffer), sge.length))
        return refuse_range(sge, memory.base(), memory.length());
    return refuse_rights(sge, memory.access(), wanted);
}

}  // namespace opennd::soft
