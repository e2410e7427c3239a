// SPDX-License-Identifier: MIT
// A completion port: packets first in, first out, each to one of any number of waiters (ND2-OVL-10).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <utility>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "platform/descriptor/doorbell.h"
#include "platform/process/clock.h"
#include "platform/waiting/wait_point.h"

namespace opennd {

struct CompletionPacket {
    std::uintptr_t key = 0;      // given at association
    void* overlapped = nullptr;  // not looked at
    std::uintptr_t status = 0;   // as the face encodes it
    std::uint32_t bytes = 0;
};

// Thread-safe.
class CompletionPort final : public HandleObject {
public:
    static constexpr HandleKind kKind = HandleKind::completion_port;

    // insufficient_resources: no descriptor left; no_memory.
    static Result<Ref<CompletionPort>> create();

    HandleKind kind() const override { return kKind; }
    void on_close() override { close(); }

    // Appends a packet and wakes one waiter. Dropped in silence if the port is closed (ND2-FILE-02).
    void post(const CompletionPacket& packet);

    // Takes up to packets.size() packets, waiting for the first only; how many were taken, at least 1. nullopt waits
    // without limit, a deadline in the past looks once.
    //   timed_out          none by then
    //   canceled           the port was closed, before or during the wait
    //   invalid_parameter  no room for a packet
    Result<std::size_t> wait(std::span<CompletionPacket> packets, std::optional<SteadyTime> deadline);

    // Ends every wait, present and future, with canceled, and drops the packets not taken.
    void close();

    // Borrowed, alive as long as the object; polls readable exactly while packets wait. The first call starts its
    // upkeep, so that other ports do not pay for it.
    int descriptor();

private:
    explicit CompletionPort(Doorbell readable) : readable_(std::move(readable)) {}
    void take(std::span<CompletionPacket> packets) REQUIRES(mutex_);

    Mutex mutex_;
    std::deque<CompletionPacket> packets_ GUARDED_BY(mutex_);
    WaitPoint waiters_ GUARDED_BY(mutex_);
    bool closed_ GUARDED_BY(mutex_) = false;
    bool descriptor_in_use_ GUARDED_BY(mutex_) = false;
    Doorbell readable_;  // constant; rung and cleared under mutex_, once descriptor_in_use_
};

}  // namespace opennd
