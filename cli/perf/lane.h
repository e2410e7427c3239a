// SPDX-License-Identifier: MIT
//
// Lane: one queue pair of a point with its buffers and counts. The posts of all timed loops are here; everything is
// inline and nothing allocates.
#pragma once

#include "nd_error.h"

#include <opennd.h>

#include <cstddef>
#include <cstdint>

namespace nd {

enum class Operation { send, write, read };

// Cold: throws NdError.
[[noreturn]] void fail_post(HRESULT status, const char* call);

struct alignas(64) Lane {
    IND2QueuePair* queue_pair = nullptr;
    ND2_SGE source = {};          // slot 0: what this side sends or writes
    ND2_SGE sink = {};            // slot 0: where receives and reads of this side land
    std::byte* target = nullptr;  // slot 0: where the peer's writes land, and its reads come from
    UINT64 remote_target = 0;     // slot 0 of the peer's
    UINT32 remote_token = 0;
    ULONG inline_flag = 0;  // ND_OP_FLAG_INLINE if the size is small enough
    std::uint32_t depth = 1, moderation = 1, until_signal = 1;
    std::uint32_t slots = 1;
    std::size_t stride = 0;  // from slot to slot

    // Initiator requests, numbered from 1; the number is the request's context.
    std::uint64_t posted = 0, completed = 0;
    std::uint64_t receives_posted = 0, received = 0;
    bool stopped = false;  // the peer sent its last message

    std::uint64_t room() const { return depth - (posted - completed); }

    // ND_OP_FLAG_SILENT_SUCCESS, except for every moderation-th request and where a result is needed.
    ULONG signal_flag(bool need_result) {
        if (--until_signal != 0 && !need_result) return ND_OP_FLAG_SILENT_SUCCESS;
        until_signal = moderation;
        return 0;
    }

    // A later result frees the silent requests before it (ND2-CQ-GET-08).
    void complete(const ND2_RESULT& result) { completed = reinterpret_cast<std::uint64_t>(result.RequestContext); }

    ND2_SGE slot_of(const ND2_SGE& first, std::uint64_t number) const {
        ND2_SGE sge = first;
        sge.Buffer = static_cast<std::byte*>(first.Buffer) + offset_of(number);
        return sge;
    }

    std::size_t offset_of(std::uint64_t number) const { return static_cast<std::size_t>(number % slots) * stride; }

    template <Operation kOperation>
    void post(const ND2_SGE& local, std::size_t remote_offset, ULONG flags) {
        void* const context = reinterpret_cast<void*>(++posted);
        HRESULT status;
        if constexpr (kOperation == Operation::send)
            status = queue_pair->Send(context, &local, 1, flags | inline_flag);
        else if constexpr (kOperation == Operation::write)
            status =
                queue_pair->Write(context, &local, 1, remote_target + remote_offset, remote_token, flags | inline_flag);
        else
            status = queue_pair->Read(context, &local, 1, remote_target + remote_offset, remote_token, flags);
        if (status != ND_SUCCESS) [[unlikely]]
            fail_post(status, name_of_post(kOperation));
    }

    // The empty message that ends a stream; its result says that all before it have arrived.
    void post_stop() {
        const HRESULT status = queue_pair->Send(reinterpret_cast<void*>(++posted), nullptr, 0, 0);
        if (status != ND_SUCCESS) fail_post(status, name_of_post(Operation::send));
    }

    // With the verifying kind, each receive has a buffer of its own until its contents were checked.
    template <bool kVerify>
    void post_receive() {
        HRESULT status;
        if constexpr (kVerify) {
            const ND2_SGE local = slot_of(sink, receives_posted);
            status = queue_pair->Receive(nullptr, &local, 1);
        } else {
            status = queue_pair->Receive(nullptr, &sink, 1);
        }
        receives_posted++;
        if (status != ND_SUCCESS) [[unlikely]]
            fail_post(status, "IND2QueuePair::Receive");
    }

private:
    static constexpr const char* name_of_post(Operation operation) {
        return operation == Operation::send    ? "IND2QueuePair::Send"
               : operation == Operation::write ? "IND2QueuePair::Write"
                                               : "IND2QueuePair::Read";
    }
};

}  // namespace nd
