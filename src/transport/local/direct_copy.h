// SPDX-License-Identifier: MIT
// Copies straight between this side's memory and the peer's, each after a check of the peer's token table: within mappings, or by the
// kernel, for which the peer decides how long it takes (peer_memory.h). Each copy is marked in the lane while it is in progress.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "transport/local/lane_state.h"
#include "transport/soft/channel/channel.h"
#include "transport/soft/memory/token_table.h"

namespace opennd::local {

// Owned by the thread in the initiator, but for abandon().
class DirectCopy {
public:
    explicit DirectCopy(LaneState& lanes)
        : lanes_(lanes),
          out_(lanes.out()),
          peer_memory_(lanes.peer_memory()),
          asymmetric_(lanes.parts().asymmetric),
          peer_scope_(lanes.parts().peer_scope),
          started_(lanes.traffic().started) {}

    // Carries a Read or Write out within mapped memory. Returns false if that cannot be done, for any reason. `absent`:
    // memory of one side is gone.
    bool copy_now(const soft::OutboundRequest& request);
    bool copy_now(const soft::OutboundRequest& request, bool& absent);
    // Finds out why copy_now() was false.
    enum class Target : std::uint8_t {
        open,     // the memory is granted, but not mapped here
        paged,    // the peer reaches it through pages, and carries out the request from frames (docs/decisions/0019)
        refused,  // the token does not grant it; that is reported
    };
    Target find_target(const soft::OutboundRequest& request);

    // The functions below run without the queue pair's lock, since the kernel may hold the thread for long. canceled:
    // the start was abandoned. not_supported: the kernel does not copy; frames may reach the memory.
    [[nodiscard]] Status try_kernel();
    // Carries a Read or Write out. would_block: the peer's queue pair is closed. remote_access_violation: the token does
    // not grant it. Other failures are the request's own, and reported.
    Status copy_by_kernel(const soft::OutboundRequest& request);
    // Copies a message into the shown receive. Returns canceled as above; after another failure nothing counts as copied.
    Status copy_to_shown(const soft::OutboundRequest& request, const ShownReceive& shown);
    // Channel::abandon_start(). Any thread.
    [[nodiscard]] bool abandon();

private:
    [[gnu::always_inline]] inline bool find_grant(const soft::OutboundRequest& request, soft::MemoryGrant& grant);
    bool is_paged(const soft::OutboundRequest& request, soft::MemoryGrant& grant) const;
    bool is_granted(const ShownReceive& shown, std::uint32_t length_bytes) const;
    [[nodiscard]] bool copy_mapped(const soft::OutboundRequest& request, std::byte* remote);
    // Not inlined: its loop would cost a short copy registers.
    [[nodiscard, gnu::noinline]] bool copy_in_strides(const soft::OutboundRequest& request, std::byte* remote);
    Status copy_in_parts(const soft::OutboundRequest& request);
    void count(const soft::OutboundRequest& request);
    template <typename Work>
    bool in_kernel(Work work);

    LaneState& lanes_;
    // What each copy needs of the lanes, here for speed.
    Lane& out_;
    PeerMemory& peer_memory_;
    const bool asymmetric_;
    const std::uint32_t peer_scope_;
    soft::TrafficCount& started_;

    bool met_absent_ = false;  // the newest copy_mapped() found memory of one side gone
    Token cached_token_ = Token::none;
    const soft::TokenSlot* cached_slot_ = nullptr;  // of cached_token_, while the token lives

    // The time when the thread entered the kernel for one part of a copy, in nanoseconds of the steady clock; 0: it is
    // not there; kAbandoned: abandon() gave the start up. Both sides change it by an exchange, so that the thread either
    // sees kAbandoned or was in time. Relaxed: the queue pair's lock orders all else between the two.
    static constexpr std::int64_t kAbandoned = -1;
    std::atomic<std::int64_t> in_kernel_since_{0};
};

}  // namespace opennd::local
