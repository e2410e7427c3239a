// SPDX-License-Identifier: MIT
// A completion port: packets first in, first out, each to one of any number of waiters (ND2-OVL-10).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <utility>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "base/status.h"
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

// The overlapped file of an adapter: not a file, but the place where requests complete and a completion port is
// attached (ND2-FILE-01, ND2-FILE-05).
// Thread-safe. Objects created with the handle hold a Ref, so closing the handle disturbs nothing (ND2-FILE-02, -03).
class OverlappedFile final : public HandleObject {
public:
    static constexpr HandleKind kKind = HandleKind::overlapped_file;

    // `owner` is a tag, never dereferenced: which adapter instance made it (ND2-FILE-07).
    explicit OverlappedFile(const void* owner) : owner_(owner) {}

    HandleKind kind() const override { return kKind; }
    const void* owner() const { return owner_; }

    // Lets requests that complete from now on leave packets with `key` at `port`; once, for good (ND2-FILE-05, -06).
    //   invalid_parameter  associated already, or port is null
    Status associate(Ref<CompletionPort> port, std::uintptr_t key);

    // Leaves the packet of a completed request at the port associated at this moment, if any (ND2-OVL-09). No lock but
    // the port's.
    void deliver(void* overlapped, std::uintptr_t status, std::uint32_t bytes);

private:
    const void* const owner_;
    Mutex mutex_;
    Ref<CompletionPort> port_;             // written once under mutex_, then constant
    std::uintptr_t key_ = 0;               // likewise
    std::atomic<bool> associated_{false};  // release after the two above, acquire before reading them
};

}  // namespace opennd
