// SPDX-License-Identifier: MIT
// A queue pair that judges each request when it is posted, and remembers it until its result.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "check/transport/checked_parts.h"
#include "check/transport/entry_judge.h"
#include "check/transport/request_book.h"
#include "transport/layer/queue_pair.h"

namespace opennd {

class CheckedQueuePair final : public LayerQueuePair {
public:
    struct Rooms {
        Ref<ResultRoom> receives;  // null: they come from a shared receive queue
        Ref<ResultRoom> initiators;
    };
    // `shared`: kept as long as this one, which takes receives of it.
    CheckedQueuePair(CheckedParts& parts, EntryJudge judge, Ref<TransportQueuePair> inner, Rooms rooms,
                     Ref<RefCounted> shared, Face face);
    ~CheckedQueuePair() override;

    const Ref<RequestBook>& book() const { return book_; }

    // The connection that it is attached to has this limit.
    void set_outbound_reads(std::uint32_t limit) { outbound_reads_.store(limit, std::memory_order_relaxed); }

    Status post(const WorkRequest& request) override;
    void close() override;
    std::optional<QueuePairUse> use() override;
    void set_number(std::uint32_t number) override;

private:
    void judge_read(const WorkRequest& request, const CallSite& site) const;
    void judge_receive(const WorkRequest& request, const CallSite& site) const;
    void judge_depth(ResultRoom& room, Operation operation, const CallSite& site) const;
    Status post_in_book(const WorkRequest& request);

    static constexpr std::uint32_t kNotConnected = UINT32_MAX;

    // Constant after construction.
    CheckedParts& parts_;
    const EntryJudge judge_;
    const Rooms rooms_;
    const Ref<RefCounted> shared_;
    const Ref<RequestBook> book_;

    std::atomic<std::uint32_t> outbound_reads_{
        kNotConnected};  // relaxed: a post that may start comes after the connection
};

}  // namespace opennd
