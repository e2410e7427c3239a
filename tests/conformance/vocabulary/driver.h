// SPDX-License-Identifier: MIT
//
// The test vocabulary: the abilities of OpenND's faces, without any face's spelling. Generic tests use only this; nd1,
// nd2 and ndk implement it. Objects are released by their destructors. Read endpoint.h next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "conformance/vocabulary/outcome.h"
#include "support/deadline.h"
#include "support/socket_address.h"

namespace opennd::conformance {

using support::kDeadline;
using support::milliseconds;

// ---- values ---------------------------------------------------------------------------------------------------------

struct Sge {
    const void* buffer = nullptr;
    std::uint32_t length_bytes = 0;
    std::uint32_t token = 0;
};
using SgeList = std::span<const Sge>;

struct Remote {
    std::uint64_t address = 0;
    std::uint32_t token = 0;
};

// Request flags and rights are bits that may be combined.
enum Flags : unsigned {
    kNoFlags = 0,
    kSilent = 1,
    kReadFence = 2,
    kSolicit = 4,
    kInline = 8,
    kAllowRead = 16,  // of a window
    kAllowWrite = 32,
    // Of a Send: version 2 gives it immediate data, made of its length, which its receive must bring. Others ignore it.
    kImmediate = 64,
};
enum Rights : unsigned { kSendOnly = 0, kLocalWrite = 1, kRemoteRead = 2, kRemoteWrite = 4, kReadSink = 8 };
inline constexpr unsigned kAllRights = kLocalWrite | kRemoteRead | kRemoteWrite;

enum class RequestKind { receive, send, bind, invalidate, read, write };
enum class NotifyType { errors, any, solicited };

// A tag names a request in a test; it travels as the request's context pointer.
using Tag = std::uintptr_t;

struct Completion {
    Outcome outcome = Outcome::nothing_by_the_deadline;
    std::uint32_t bytes = 0;
    Tag queue_pair = 0;
    Tag request = 0;
    RequestKind kind = RequestKind::receive;

    bool operator==(const Completion&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const Completion& completion) {
    return out << "request " << completion.request << " of queue pair " << completion.queue_pair << ", kind "
               << static_cast<int>(completion.kind) << ", " << completion.bytes << " bytes: " << completion.outcome;
}

struct Limits {
    std::size_t max_registration_bytes = 0;
    std::uint32_t max_initiator_sge = 0, max_receive_sge = 0, max_read_sge = 0;
    std::uint32_t max_transfer_bytes = 0, max_inline_bytes = 0;
    std::uint32_t max_inbound_reads = 0, max_outbound_reads = 0;
    std::uint32_t max_receive_depth = 0, max_initiator_depth = 0, max_completion_depth = 0;
    std::uint32_t max_shared_receive_depth = 0;  // 0: no shared receive queues
    std::uint32_t inline_threshold_bytes = 0, large_threshold_bytes = 0;
    std::uint32_t max_caller_data_bytes = 0, max_callee_data_bytes = 0;
    bool in_order_dma = false;
};

struct QueuePairOptions {
    std::uint32_t receive_depth = 16, initiator_depth = 16;
    std::uint32_t receive_sge = 4, initiator_sge = 4;
    std::uint32_t inline_bytes = 0;
    Tag context = 0;
};

struct SharedReceiveQueueOptions {
    std::uint32_t depth = 16, sge = 4;
    std::uint32_t threshold = 0;
};

struct ReadLimits {
    std::uint32_t inbound = 16, outbound = 16;

    bool operator==(const ReadLimits&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const ReadLimits& limits) {
    return out << "inbound " << limits.inbound << ", outbound " << limits.outbound;
}

using PrivateData = std::vector<std::byte>;

// ---- requests that complete later -----------------------------------------------------------------------------------

class Request {
public:
    virtual ~Request() = default;
    virtual Outcome now() = 0;                     // pending while in progress
    virtual Outcome wait(milliseconds limit) = 0;  // pending if it is still in progress after the limit
};

// The two moments of an overlapped (or called-back) request: how it began, and how it ended.
class Operation {
public:
    explicit Operation(Outcome begun, std::shared_ptr<Request> request = nullptr)
        : begun_(begun), request_(std::move(request)) {}

    // pending if it was accepted, else the inline failure
    Outcome begun() const { return begun_; }

    Outcome now() const { return begun_ == Outcome::pending ? request_->now() : begun_; }

    // The final outcome, be it inline or later; nothing_by_the_deadline if there is none in time.
    Outcome wait(milliseconds limit = kDeadline) const {
        const Outcome ended = begun_ == Outcome::pending ? request_->wait(limit) : begun_;
        return ended == Outcome::pending ? Outcome::nothing_by_the_deadline : ended;
    }

private:
    Outcome begun_;
    std::shared_ptr<Request> request_;
};

// ---- objects --------------------------------------------------------------------------------------------------------

class CompletionQueue {
public:
    virtual ~CompletionQueue() = default;
    virtual std::vector<Completion> poll(std::size_t most) = 0;
    virtual Operation notify(NotifyType type) = 0;
    virtual Outcome resize(std::uint32_t depth) = 0;
    virtual void cancel() = 0;  // every request in progress; complete when it returns
};

class SharedReceiveQueue {
public:
    virtual ~SharedReceiveQueue() = default;
    virtual Outcome receive(Tag tag, SgeList sges) = 0;
    virtual Operation notify() = 0;
    virtual Outcome modify(std::uint32_t depth, std::uint32_t threshold) = 0;  // 0 leaves the one as it is
    virtual void cancel() = 0;
};

class MemoryRegion {
public:
    virtual ~MemoryRegion() = default;
    virtual Operation enroll(const void* memory, std::size_t bytes, unsigned rights) = 0;
    virtual Operation withdraw() = 0;
    virtual std::uint32_t local_token() = 0;
    virtual std::uint32_t remote_token() = 0;
};

class MemoryWindow {
public:
    virtual ~MemoryWindow() = default;
    virtual std::uint32_t remote_token() = 0;
};

class QueuePair {
public:
    virtual ~QueuePair() = default;
    virtual Outcome send(Tag tag, SgeList sges, unsigned flags) = 0;
    virtual Outcome receive(Tag tag, SgeList sges) = 0;
    virtual Outcome read(Tag tag, SgeList sges, Remote from, unsigned flags) = 0;
    virtual Outcome write(Tag tag, SgeList sges, Remote to, unsigned flags) = 0;
    virtual Outcome bind(Tag tag, MemoryRegion& region, MemoryWindow& window, const void* memory, std::size_t bytes,
                         unsigned flags) = 0;
    virtual Outcome invalidate(Tag tag, MemoryWindow& window, unsigned flags) = 0;
    virtual Outcome flush() = 0;
    // The token by which the connected peer of this queue pair uses the region with the region's remote rights: the
    // region's own, or a token of a window over all of it where the face has no other way.
    virtual std::uint32_t grant(MemoryRegion& region) = 0;
};

class Connector {
public:
    virtual ~Connector() = default;
    virtual Outcome bind(const SocketAddress& local) = 0;
    virtual Operation connect(QueuePair& queue_pair, const SocketAddress& peer, ReadLimits limits,
                              const PrivateData& data) = 0;
    virtual Operation complete_connect() = 0;
    virtual Operation accept(QueuePair& queue_pair, ReadLimits limits, const PrivateData& data) = 0;
    virtual Outcome reject(const PrivateData& data) = 0;
    virtual Outcome read_limits(ReadLimits& limits) = 0;
    virtual Outcome private_data(PrivateData& data) = 0;  // all of it
    virtual Outcome local_address(SocketAddress& address) = 0;
    virtual Outcome peer_address(SocketAddress& address) = 0;
    virtual Operation notify_disconnect() = 0;
    virtual Operation disconnect() = 0;
    virtual void cancel() = 0;
};

class Listener {
public:
    virtual ~Listener() = default;
    virtual Outcome bind(const SocketAddress& local) = 0;
    virtual Outcome listen(std::uint32_t backlog) = 0;
    virtual Outcome local_address(SocketAddress& address) = 0;
    virtual Operation get_request(Connector& connector) = 0;
    virtual void cancel() = 0;
};

// One open of an adapter: a protection domain of its own. Creating an object that a test needs throws on failure; calls
// that are expected to fail are in the face's own tests.
class Adapter {
public:
    virtual ~Adapter() = default;
    virtual Limits limits() = 0;
    virtual std::unique_ptr<CompletionQueue> create_completion_queue(std::uint32_t depth) = 0;
    virtual std::unique_ptr<MemoryRegion> create_memory_region() = 0;
    virtual std::unique_ptr<MemoryWindow> create_memory_window() = 0;
    virtual std::unique_ptr<QueuePair> create_queue_pair(CompletionQueue& received, CompletionQueue& initiated,
                                                         const QueuePairOptions& options) = 0;
    virtual std::unique_ptr<SharedReceiveQueue> create_shared_receive_queue(
        const SharedReceiveQueueOptions& options) = 0;
    // The options' receive limits are ignored: the shared queue has its own.
    virtual std::unique_ptr<QueuePair> create_queue_pair(CompletionQueue& received, CompletionQueue& initiated,
                                                         SharedReceiveQueue& shared,
                                                         const QueuePairOptions& options) = 0;
    virtual std::unique_ptr<Connector> create_connector() = 0;
    virtual std::unique_ptr<Listener> create_listener() = 0;
};

class Driver {
public:
    virtual ~Driver() = default;
    // A new open of the adapter of 127.0.0.1.
    virtual std::unique_ptr<Adapter> open_adapter() = 0;
};

}  // namespace opennd::conformance
