// SPDX-License-Identifier: MIT
// DirectCopy: see direct_copy.h.
#include "transport/local/direct_copy.h"

#include <algorithm>
#include <chrono>

#include "base/explanation.h"
#include "platform/process/clock.h"
#include "transport/soft/memory/ordered_copy.h"

namespace opennd::local {
namespace {

using soft::OutboundRequest;

// The bytes between two checks of a copy for the end of the connection.
constexpr std::size_t kCopyStride = std::size_t{1} << 20;
// The bytes between two checks of a copy by the kernel for abandon().
constexpr std::uint64_t kKernelStride = std::uint64_t{4} << 20;
// The kernel moves a part of a copy (kKernelStride) in a millisecond, if the peer's pages are there or come from a disk.
constexpr std::chrono::nanoseconds kKernelPatience = std::chrono::seconds(2);

// Returns the status of a request whose copy had the status `copied`. A peer that is gone does not answer
// (ND2-QP-STAT-03). not_supported: the kernel refuses to copy; frames may reach the memory.
Status outcome_of_copy(Status copied) {
    switch (copied) {
        case Status::success:
        case Status::canceled:
        case Status::access_violation: return copied;
        case Status::disconnected: return Status::timed_out;
        default: return Status::not_supported;
    }
}

[[gnu::cold]] void report_copy(const OutboundRequest& request, Status status) {
    (void)report(status, {.object = "queue pair",
                          .operation = name(request.operation),
                          .asked = phrase("{} bytes at the peer's {:#x}", request.length_bytes, request.remote_address),
                          .limit = status == Status::timed_out
                                       ? "a peer that is there; its process has ended"
                                       : "memory that is mapped in the peer and here; the kernel refused the copy",
                          .remedy = "keep registered memory mapped until it is deregistered, and the peer alive",
                          .requirement = "ND2-QP-RDMA-03",
                          .cause = LogCause::peer});
}

[[gnu::cold]] void report_target(const OutboundRequest& request, bool alive, const soft::MemoryGrant& grant) {
    const bool write = request.operation == Operation::write;
    const auto refused = [&](std::string_view limit, std::string_view remedy) {
        (void)report(Status::remote_access_violation,
                     {.object = "queue pair",
                      .operation = name(request.operation),
                      .asked = phrase("{} bytes at the peer's {:#x} through token {:#x}", request.length_bytes,
                                      request.remote_address, value(request.remote_token)),
                      .limit = limit,
                      .remedy = remedy,
                      .requirement = "ND2-QP-RDMA-03",
                      .cause = LogCause::peer});
    };
    if (!alive)
        return refused("a token of memory that the peer has registered",
                       "pass the peer's GetRemoteToken(), and let the peer keep the memory registered");
    if (!any_of(grant.access, write ? Access::remote_write : Access::remote_read))
        return refused(phrase("the region's rights {:#x}", static_cast<std::uint32_t>(grant.access)),
                       write ? "let the peer register it with ND_MR_FLAG_ALLOW_REMOTE_WRITE"
                             : "let the peer register it with ND_MR_FLAG_ALLOW_REMOTE_READ");
    refused(phrase("the peer's region {:#x}+{}", grant.address, grant.length),
            "ask for less, or let the peer register more");
}

}  // namespace

bool DirectCopy::copy_now(const OutboundRequest& request) {
    LaneState::enter_access(out_.access.token, value(request.remote_token), asymmetric_);
    soft::MemoryGrant grant;
    bool copied = false;
    if (out_.wishes.closed.load(std::memory_order_relaxed) == 0 && find_grant(request, grant)) [[likely]] {
        grant.location.offset += request.remote_address - grant.address;
        std::byte* const remote = peer_memory_.find(request.remote_address, request.length_bytes, grant.location);
        if (remote) copied = copy_mapped(request, remote);
    }
    out_.access.token.store(0, std::memory_order_release);
    if (copied) count(request);
    return copied;
}

bool DirectCopy::copy_now(const OutboundRequest& request, bool& absent) {
    met_absent_ = false;
    const bool copied = copy_now(request);
    absent = met_absent_;
    return copied;
}

// Copies between mapped memories. Returns false if memory of one side is gone.
bool DirectCopy::copy_mapped(const OutboundRequest& request, std::byte* remote) {
    const bool write = request.operation == Operation::write;
    if (request.sges.size() == 1 && request.length_bytes <= soft::kLongCopyBytes) [[likely]] {
        std::byte* const local = request.sges[0].buffer;
        if (soft::ordered_copy(write ? remote : local, write ? local : remote, request.length_bytes)) [[likely]]
            return true;
        met_absent_ = true;
        return false;
    }
    return copy_in_strides(request, remote);
}

bool DirectCopy::copy_in_strides(const OutboundRequest& request, std::byte* remote) {
    const bool write = request.operation == Operation::write;
    soft::SgeCursor local(request.sges);
    std::size_t left = request.length_bytes;
    while (left > 0 && !lanes_.is_closed()) {
        const auto part = local.next(std::min(left, kCopyStride));
        if (part.empty()) return true;
        const bool final = part.size() == left;
        std::byte* const to = write ? remote : part.data();
        const std::byte* const from = write ? part.data() : remote;
        met_absent_ = !(final ? soft::ordered_copy(to, from, part.size()) : copy_guarded(to, from, part.size()));
        if (met_absent_) return false;
        remote += part.size();
        left -= part.size();
    }
    return true;
}

void DirectCopy::count(const OutboundRequest& request) {
    if (request.operation == Operation::write)
        started_.out(request.length_bytes);
    else
        started_.in(request.length_bytes);
}

// Finds the grant of the peer's token. Returns false if the token is dead, or does not grant the range or the right.
bool DirectCopy::find_grant(const OutboundRequest& request, soft::MemoryGrant& grant) {
    if (request.remote_token != cached_token_ || !cached_slot_) {
        cached_slot_ = &lanes_.parts().peer_tokens.slot(request.remote_token);
        cached_token_ = request.remote_token;
    }
    if (request.remote_token == Token::none ||
        cached_slot_->remote_token.load(std::memory_order_acquire) != value(request.remote_token)) {
        cached_slot_ = nullptr;
        return false;
    }
    grant = cached_slot_->grant();
    if (!grant.open_to(peer_scope_)) {  // a window of another connection counts as dead (ND2-MW-03)
        cached_slot_ = nullptr;
        return false;
    }
    const Access wanted = request.operation == Operation::write ? Access::remote_write : Access::remote_read;
    return any_of(grant.access, wanted) && grant.covers(request.remote_address, request.length_bytes);
}

// Returns true if the range lies in memory that the peer reaches through pages: the peer carries out the request from
// frames (decisions/0019). `grant` gets the entry for the refusal. After find_grant().
bool DirectCopy::is_paged(const OutboundRequest& request, soft::MemoryGrant& grant) const {
    if (!cached_slot_) return false;
    const std::uint64_t paged_length = cached_slot_->paged_length.load(std::memory_order_relaxed);
    if (paged_length == 0) return false;
    grant.length = paged_length;
    const Access wanted = request.operation == Operation::write ? Access::remote_write : Access::remote_read;
    return any_of(grant.access, wanted) && grant.covers(request.remote_address, request.length_bytes);
}

DirectCopy::Target DirectCopy::find_target(const OutboundRequest& request) {
    soft::MemoryGrant grant;
    if (find_grant(request, grant)) return Target::open;
    if (is_paged(request, grant)) return Target::paged;
    report_target(request, cached_slot_ != nullptr, grant);
    return Target::refused;
}

// ---- copies by the kernel -------------------------------------------------------------------------------------------

// Does work that may stay in the kernel for long. Returns false if the start was abandoned meanwhile.
template <typename Work>
bool DirectCopy::in_kernel(Work work) {
    in_kernel_since_.store(now().time_since_epoch().count(), std::memory_order_relaxed);
    work();
    std::int64_t since = in_kernel_since_.load(std::memory_order_relaxed);
    return since != kAbandoned && in_kernel_since_.compare_exchange_strong(since, 0, std::memory_order_relaxed);
}

// The access stays marked, since the kernel may still be in it.
bool DirectCopy::abandon() {
    std::int64_t since = in_kernel_since_.load(std::memory_order_relaxed);
    if (since == kAbandoned) return true;
    if (since == 0 || now().time_since_epoch() < std::chrono::nanoseconds(since) + kKernelPatience) return false;
    return in_kernel_since_.compare_exchange_strong(since, kAbandoned, std::memory_order_relaxed);
}

Status DirectCopy::try_kernel() {
    bool works = false;
    if (!in_kernel([&] { works = peer_memory_.reach() == PeerMemory::Reach::process_vm; })) return Status::canceled;
    return works ? Status::success : Status::not_supported;
}

Status DirectCopy::copy_by_kernel(const OutboundRequest& request) {
    if (const Status tried = try_kernel(); !ok(tried)) return tried;
    std::atomic<std::uint32_t>& mark = out_.access.token;
    lanes_.enter_access(mark, value(request.remote_token));
    soft::MemoryGrant grant;
    Status status = Status::would_block;
    if (!lanes_.is_peer_closed())
        status = find_grant(request, grant) ? outcome_of_copy(copy_in_parts(request)) : Status::remote_access_violation;
    mark.store(0, std::memory_order_release);
    if (ok(status)) count(request);
    if (status == Status::access_violation || status == Status::timed_out) report_copy(request, status);
    return status;
}

Status DirectCopy::copy_to_shown(const OutboundRequest& request, const ShownReceive& shown) {
    OutboundRequest copy = request;
    copy.operation = Operation::write;
    copy.remote_address = shown.address;
    out_.access.placing.store(1, std::memory_order_relaxed);
    lanes_.enter_access(out_.access.token, shown.token);
    const bool open = !lanes_.is_peer_closed() && out_.wishes.receives_closed.load(std::memory_order_relaxed) == 0 &&
                      is_granted(shown, request.length_bytes);
    const Status status = open ? copy_in_parts(copy) : Status::not_supported;
    out_.access.token.store(0, std::memory_order_release);
    out_.access.placing.store(0, std::memory_order_release);
    return status;
}

// Returns true if the receive's memory is registered still. The peer showed it, so that no right for peers is asked
// for.
bool DirectCopy::is_granted(const ShownReceive& shown, std::uint32_t length_bytes) const {
    const soft::TokenSlot& slot = lanes_.parts().peer_tokens.slot(static_cast<Token>(shown.token));
    return shown.token != 0 && slot.remote_token.load(std::memory_order_acquire) == shown.token &&
           slot.grant().covers(shown.address, length_bytes);
}

// Copies by the kernel. canceled: the start was abandoned.
Status DirectCopy::copy_in_parts(const OutboundRequest& request) {
    const PeerMemory& peer = peer_memory_;
    Status status = Status::success;
    for (std::uint64_t copied = 0; copied < request.length_bytes && ok(status); copied += kKernelStride) {
        const std::uint64_t part = std::min<std::uint64_t>(kKernelStride, request.length_bytes - copied);
        const std::uint64_t address = request.remote_address + copied;
        const auto copy_part = [&] {
            status = request.operation == Operation::write ? peer.write(address, request.sges, copied, part)
                                                           : peer.read(address, request.sges, copied, part);
        };
        if (!in_kernel(copy_part)) return Status::canceled;
    }
    return status;
}

}  // namespace opennd::local
