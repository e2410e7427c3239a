// SPDX-License-Identifier: MIT
// The rules about a request at its post: its entries lie within their regions, are mapped, and are not being filled by another request; a
// Read is within the limit of the connection, a Receive comes before its message, and there is room for its result.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ref.h"
#include "check/diagnostics.h"
#include "model/work_request.h"
#include "transport/adapter.h"
#include "transport/watch/misuse/checked_request.h"
#include "transport/watch/misuse/registered_memory.h"
#include "transport/watch/misuse/result_room.h"

namespace opennd::watch {

// The judge of one queue pair, or of a shared receive queue. Any thread.
class RequestJudge {
public:
    // The rooms that results come to; null: known only when they come.
    struct Rooms {
        Ref<ResultRoom> receives;
        Ref<ResultRoom> initiators;
    };
    RequestJudge(CheckedParts& parts, Ref<RegisteredMemory> regions, Ref<TransportAdapter> adapter, Rooms rooms)
        : parts_(parts), regions_(std::move(regions)), adapter_(std::move(adapter)), rooms_(std::move(rooms)) {}

    // The queue pair connects, and the connection has this limit.
    void set_outbound_reads(std::uint32_t limit) { outbound_reads_.store(limit, std::memory_order_relaxed); }

    // Tells the rules that the post breaks. `object`: "queue pair 3". `first_receive_of`: the queue pair, which has had no Receive so far;
    // null: it has had one, or the request is none of a queue pair. Throws std::bad_alloc.
    std::unique_ptr<CheckedRequest> judge(std::string_view object, const WorkRequest& request,
                                          TransportQueuePair* first_receive_of) const;

private:
    // A post that is being judged.
    struct Post {
        std::string_view object;
        Operation operation;
        RequestFlags flags;
        const CallSite& site;
    };
    struct Entries {
        std::vector<Sge> memory;  // of those that may be looked at
        bool settled = true;      // no other request fills it
    };

    Entries judge_entries(const Post& post, std::span<const Sge> sges) const;
    // Whether the memory may be looked at.
    bool judge_entry(const Post& post, const Sge& sge, std::size_t place) const;
    // Whether another request fills it.
    bool judge_filling(const Post& post, const Sge& sge) const;
    void judge_waiting(const Post& post, TransportQueuePair& queue_pair) const;
    void tell(CheckRule rule, const Post& post, std::string_view fact) const;

    static constexpr std::uint32_t kNotConnected = UINT32_MAX;

    // Constant after construction.
    CheckedParts& parts_;
    const Ref<RegisteredMemory> regions_;
    const Ref<TransportAdapter> adapter_;
    const Rooms rooms_;

    // Relaxed: a post that may start comes after the connection.
    std::atomic<std::uint32_t> outbound_reads_{kNotConnected};
};

}  // namespace opennd::watch
