// SPDX-License-Identifier: MIT
//
// Lane: one queue pair of a point with its buffers and counts. The posts of all timed loops are here; everything is
// inline and nothing allocates.
#pragma once

#include "network/connection/queue_pair.h"
#include "perf/plan/send_credit.h"

#include <opennd.h>

#include <cstddef>
#include <cstdint>

namespace nd {

enum class Operation { send, write, read, write_with_immediate };

// Cold: throws NdError.
[[noreturn]] void fail_post(HRESULT status, const std::string& method);

struct alignas(64) Lane {
    QueuePair queue_pair;
    Piece source;                 // slot 0: data to send or write; inline if the size is small enough
    Piece stop;                   // the message that ends a stream
    Piece sink;                   // slot 0: where receives and reads of this side land
    std::byte* target = nullptr;  // slot 0: where the peer's writes land, and its reads come from
    RemoteTarget remote;          // the peer's target, from slot 0 on
    std::uint32_t depth = 1, moderation = 1, until_signal = 1;
    std::uint32_t slots = 1;
    std::size_t stride = 0;  // from slot to slot

    // Initiator requests, numbered from 1; the number is the request's context.
    std::uint64_t posted = 0, completed = 0;
    std::uint64_t signalled = 0;  // the last that asked for a result
    std::uint64_t receives_posted = 0, received = 0;
    std::uint64_t messages = 0;  // of those received, with data
    SendCredit credit;           // of streams
    bool stopped = false;        // the peer sent its last message

    std::uint64_t room() const { return depth - (posted - completed); }

    // ND_OP_FLAG_SILENT_SUCCESS, except for every moderation-th request and where a result is needed.
    ULONG signal_flag(bool need_result) {
        if (--until_signal != 0 && !need_result) return ND_OP_FLAG_SILENT_SUCCESS;
        until_signal = moderation;
        signalled = posted + 1;
        return 0;
    }

    // In a ping-pong, once the peer has answered: the last request that asked for a result has none yet, so that the program must leave
    // the source alone. A request without a result is over with the answer.
    bool source_in_use() const { return completed < signalled; }

    // A later result frees the silent requests before it (ND2-CQ-GET-08).
    void complete(const ND2_RESULT& result) { completed = reinterpret_cast<std::uint64_t>(result.RequestContext); }

    Piece slot_of(const Piece& first, std::uint64_t number) const { return first.moved_by(offset_of(number)); }

    std::size_t offset_of(std::uint64_t number) const { return static_cast<std::size_t>(number % slots) * stride; }

    template <Operation kOperation>
    void post(const Piece& local, std::size_t remote_offset, ULONG flags) {
        void* const context = reinterpret_cast<void*>(++posted);
        HRESULT status;
        if constexpr (kOperation == Operation::send)
            status = queue_pair.send(context, local, flags);
        else if constexpr (kOperation == Operation::write)
            status = queue_pair.write(context, local, remote, remote_offset, flags);
        else if constexpr (kOperation == Operation::write_with_immediate)
            status = queue_pair.write_with_immediate(context, local, remote, flags, static_cast<UINT32>(posted));
        else
            status = queue_pair.read(context, local, remote, remote_offset, flags);
        if (status != ND_SUCCESS) [[unlikely]]
            fail_post(status, queue_pair.method(name_of(kOperation)));
    }

    // The empty message that ends a ping-pong; its result says that all before it have arrived.
    void post_stop() { post<Operation::send>(Piece(), 0, 0); }

    // Its result has no number.
    void post_credit() {
        const HRESULT status = queue_pair.send(nullptr, Piece(), 0);
        if (status != ND_SUCCESS) [[unlikely]]
            fail_post(status, queue_pair.method("Send"));
    }

    // With the verifying kind, each receive has a buffer of its own until its contents were checked.
    template <bool kVerify>
    void post_receive() {
        HRESULT status;
        if constexpr (kVerify)
            status = queue_pair.receive(slot_of(sink, receives_posted));
        else
            status = queue_pair.receive(sink);
        receives_posted++;
        if (status != ND_SUCCESS) [[unlikely]]
            fail_post(status, queue_pair.method("Receive"));
    }

private:
    static constexpr const char* name_of(Operation operation) {
        switch (operation) {
            case Operation::send: return "Send";
            case Operation::write: return "Write";
            case Operation::read: return "Read";
            case Operation::write_with_immediate: return "WriteWithImmediate";
        }
        return "";
    }
};

}  // namespace nd
