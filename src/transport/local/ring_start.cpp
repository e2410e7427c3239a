// SPDX-License-Identifier: MIT
// RingChannel, requests going out: Sends into the lane, Reads and Writes straight at the peer's memory.
#include <algorithm>
#include <array>

#include "base/explanation.h"
#include "platform/thread/asymmetric_barrier.h"
#include "platform/thread/common_work.h"
#include "transport/local/ring_channel.h"
#include "transport/soft/memory/memory_check.h"

namespace opennd::local {
namespace {

using soft::OutboundRequest;
using soft::Start;
using soft::StartResult;

// The checks of a full lane before the request is left to the next poll.
constexpr int kSpinsForRoom = 1000;
// The bytes between two checks of a copy for the end of the connection.
constexpr std::size_t kCopyStride = std::size_t{1} << 20;
// The longest message that is placed: a longer one leaves the caches, and two processors that stream are quicker than
// the kernel (docs/decisions/0045).
constexpr std::uint32_t kMostPlacedBytes = std::uint32_t{1} << 20;
// The bytes between two checks of a copy by the kernel for abandon_start().
constexpr std::uint64_t kKernelStride = std::uint64_t{4} << 20;

StartResult done(Status status) { return {Start::done, status, {}}; }
StartResult in_flight(std::uint64_t ticket) {
    return {Start::in_flight, Status::success, static_cast<soft::Ticket>(ticket)};
}
// Returns the flags of a message in one frame.
std::uint8_t flags_of_whole(const OutboundRequest& request) {
    return static_cast<std::uint8_t>(kFirst | kLast | (has(request.flags, RequestFlags::solicit) ? kSolicited : 0));
}
constexpr StartResult kBlocked{Start::blocked, Status::success, {}};

}  // namespace

StartResult RingChannel::start(const OutboundRequest& request) {
    if (request.operation == Operation::send) return start_send(request);
    if (request.operation == Operation::send_and_invalidate) return stream(request, FrameKind::send_invalidating);
    return start_one_sided(request);
}

StartResult RingChannel::start_send(const OutboundRequest& request) {
    const std::uint32_t length = request.length_bytes;
    if (length > soft::kLongCopyBytes) return start_long_send(request);
    std::byte* const payload = producer_.reserve(length);
    if (!payload) return kBlocked;
    if (!soft::gather_all(request.sges, payload, length)) [[unlikely]]
        return done(soft::refuse_absent(name(request.operation)));
    const auto solicited = static_cast<std::uint8_t>(has(request.flags, RequestFlags::solicit) ? kSolicited : 0);
    const auto flags = static_cast<std::uint8_t>(kFirst | kLast | solicited);
    const std::uint32_t number = producer_.publish({FrameKind::send, flags, length, length}, consumer_.next());
    traffic_.started.out(kFrameHeaderBytes + length);
    wake_peer();
    return in_flight(number);
}

StartResult RingChannel::start_long_send(const OutboundRequest& request) {
    if (streamed_ == 0 && worth_pulling(request)) return start_pull(request);
    ShownReceive shown;
    if (streamed_ == 0 && request.by_poster && find_shown(request.length_bytes, shown) && !CommonWork::is_under_way())
        return {Start::apart};
    return stream(request, FrameKind::send);
}

// Puts one frame with the next header.length bytes into the lane.
RingChannel::Put RingChannel::put(const Producer::Header& header, soft::SgeCursor& from, std::uint32_t& number) {
    std::byte* const payload = producer_.reserve(header.length);
    if (!payload) return Put::no_room;
    if (!soft::gather(from, payload, header.length)) return Put::absent;
    number = producer_.publish(header, consumer_.next());
    return Put::sent;
}

// Sends a long message in parts, through chunks: both sides copy at the same time.
StartResult RingChannel::stream(const OutboundRequest& request, FrameKind kind) {
    soft::SgeCursor from(request.sges);
    from.skip(streamed_);
    std::uint32_t number = 0;
    bool complete = false;  // a message of no bytes is one part too
    for (int spins = 0; !complete && !closed_.load(std::memory_order_relaxed);) {
        const std::uint32_t part = std::min(kMostPayload, request.length_bytes - streamed_);
        std::uint8_t flags = streamed_ == 0 ? kFirst : 0;
        if (streamed_ + part == request.length_bytes)
            flags =
                static_cast<std::uint8_t>(flags | kLast | (has(request.flags, RequestFlags::solicit) ? kSolicited : 0));
        tx_lock_.lock();
        const Put put_part = put(
            {kind, flags, part, request.length_bytes, value(request.remote_token), request.remote_address + streamed_},
            from, number);
        tx_lock_.unlock();
        if (put_part == Put::absent) {
            streamed_ = 0;
            return done(soft::refuse_absent(name(request.operation)));
        }
        if (put_part == Put::no_room) {
            if (refused()) {
                streamed_ = 0;
                return in_flight(producer_.next());
            }
            if (++spins > kSpinsForRoom) return kBlocked;
            cpu_relax();
            continue;
        }
        spins = 0;
        traffic_.started.out(kFrameHeaderBytes + part);
        streamed_ += part;
        complete = streamed_ == request.length_bytes;
        wake_peer();
    }
    if (!complete) return done(Status::canceled);  // the connection ended in mid-message
    streamed_ = 0;
    return in_flight(number);
}

// Returns true if the peer has shown the receive that waits for the next message, and it is long enough.
bool RingChannel::find_shown(std::uint32_t length_bytes, ShownReceive& shown) {
    if (!places_ || length_bytes > kMostPlacedBytes) return false;
    tx_lock_.lock();
    shown = shown_;
    const bool fits = length_bytes <= shown.length && shown.message == producer_.next() - shown_made_;
    tx_lock_.unlock();
    return fits;
}

// Places a long message out of private memory, in one copy by the kernel straight into the peer's receive: by the
// thread that posts it, which alone waits for the peer's pages (docs/decisions/0033, 0045).
StartResult RingChannel::place(const OutboundRequest& request) {
    bool works = false;
    if (!in_kernel([&] { works = parts_.peer_memory->reach() == PeerMemory::Reach::process_vm; }))
        return done(Status::canceled);
    ShownReceive shown;
    if (!works || !find_shown(request.length_bytes, shown)) return stream(request, FrameKind::send);
    const Status status = copy_to_shown(request, shown);
    if (status == Status::canceled) return done(status);
    if (!ok(status)) return stream(request, FrameKind::send);
    soft::SgeCursor nothing({});
    std::uint32_t number = 0;
    tx_lock_.lock();
    const Put put_word = put({FrameKind::placed, flags_of_whole(request), 0, request.length_bytes}, nothing, number);
    tx_lock_.unlock();
    if (put_word != Put::sent) return stream(request, FrameKind::send);
    traffic_.started.out(kFrameHeaderBytes + request.length_bytes);
    wake_peer();
    return in_flight(number);
}

// Copies the message into the shown receive. canceled: the start was abandoned. Another failure: nothing counts as
// copied.
Status RingChannel::copy_to_shown(const OutboundRequest& request, const ShownReceive& shown) {
    OutboundRequest copy = request;
    copy.operation = Operation::write;
    copy.remote_address = shown.address;
    out_.access.placing.store(1, std::memory_order_relaxed);
    enter_access(out_.access.token, shown.token);
    const bool open = !is_closed() && out_.wishes.receives_closed.load(std::memory_order_relaxed) == 0 &&
                      is_granted(shown, request.length_bytes);
    const Status status = open ? copy_by_kernel(copy) : Status::not_supported;
    out_.access.token.store(0, std::memory_order_release);
    out_.access.placing.store(0, std::memory_order_release);
    return status;
}

// Returns true if the receive's memory is registered still. The peer showed it, so that no right for peers is asked
// for.
bool RingChannel::is_granted(const ShownReceive& shown, std::uint32_t length_bytes) const {
    const soft::TokenSlot& slot = parts_.peer_tokens.slot(static_cast<Token>(shown.token));
    return shown.token != 0 && slot.remote_token.load(std::memory_order_acquire) == shown.token &&
           slot.grant().covers(shown.address, length_bytes);
}

// Returns true if the peer is to fetch a long message itself, in one copy straight into its receive buffer. It does so
// out of memory that it can map, but not out of private memory: two processors copying through the lane at once are
// faster than the kernel copying alone, and in the kernel this side's pages could hold the peer's thread
// (docs/decisions/0003, 0033).
bool RingChannel::worth_pulling(const OutboundRequest& request) {
    if (has(request.flags, RequestFlags::inline_data | RequestFlags::inline_entries)) return false;
    if (request.sges.size() > kMaxPullPieces) return false;
    for (const Sge& sge : request.sges) {
        soft::MemoryGrant grant;
        if (sge.length == 0) continue;
        // Pages have no token here, and the whole address space has none for peers: a peer cannot fetch memory without
        // a token.
        if (!parts_.own_tokens->find_local(sge.token, grant) || grant.remote_token == Token::none) return false;
        if (parts_.peer_memory->same_process()) continue;
        if (grant.location.segment == 0 || !may_offer(grant.location.segment)) return false;
    }
    return true;
}

StartResult RingChannel::start_pull(const OutboundRequest& request) {
    std::array<PullPiece, kMaxPullPieces> pieces{};
    std::uint32_t count = 0;
    for (const Sge& sge : request.sges) {
        soft::MemoryGrant grant;
        if (sge.length == 0) continue;
        if (!parts_.own_tokens->find_local(sge.token, grant))
            return done(soft::refuse_local(*parts_.own_tokens, sge, Access::none));  // withdrawn just now
        if (grant.location.segment != offered_last_) note_offer(grant.location.segment);
        pieces[count++] = {reinterpret_cast<std::uint64_t>(sge.buffer), sge.length, value(grant.remote_token)};
    }
    const Sge list{reinterpret_cast<std::byte*>(pieces.data()), static_cast<std::uint32_t>(count * sizeof(PullPiece)),
                   Token::none};
    soft::SgeCursor from({&list, 1});
    std::uint32_t number = 0;
    tx_lock_.lock();
    const Put put_list =
        put({FrameKind::pull, flags_of_whole(request), list.length, request.length_bytes}, from, number);
    tx_lock_.unlock();
    if (put_list != Put::sent) return kBlocked;
    traffic_.started.out(kFrameHeaderBytes + list.length);
    wake_peer();
    return in_flight(number);
}

// Notes the offer of a segment. Called before the frame, so that the offer stands before the peer requests the segment.
void RingChannel::note_offer(std::uint32_t segment) {
    offered_last_ = segment;
    const Held lock(offers_mutex_);
    offers_.insert(segment);
}

// Returns true if the peer has room to map the segment.
bool RingChannel::may_offer(std::uint32_t segment) {
    if (segment == offered_last_) return true;
    const Held lock(offers_mutex_);
    return offers_.size() < PeerMemory::kMostFetchedFrom || offers_.contains(segment);
}

bool RingChannel::offered(std::uint32_t segment) {
    const Held lock(offers_mutex_);
    return segment != 0 && offers_.contains(segment);
}

bool RingChannel::carry_out(const OutboundRequest& request) {
    if (streamed_ != 0) return false;
    if (!producer_.all_known_consumed()) return carry_out_after_reading_counters(request);
    return copy_now(request);
}

bool RingChannel::carry_out_after_reading_counters(const OutboundRequest& request) {
    return producer_.all_consumed() && copy_now(request);
}

StartResult RingChannel::start_one_sided(const OutboundRequest& request) {
    const bool write = request.operation == Operation::write;
    if (is_closed()) return kBlocked;  // ND1-EP-GEN-21
    // ND2-QP-RDMA-02; it still proves that the peer is there (ND1-EP-READ-07).
    if (request.length_bytes == 0 && !write) return ask_to_read(request);
    if (streamed_ > 0) return stream(request, FrameKind::write);  // goes on
    // The peer sees effects in posting order: earlier messages must be placed (ND2-QP-POST-11). So must they before a Write of no
    // bytes, which has no effect, but a result.
    if (!producer_.all_consumed()) return refused() ? in_flight(producer_.next()) : kBlocked;
    if (request.length_bytes == 0) return done(Status::success);
    met_absent_ = false;
    if (copy_now(request)) return done(Status::success);
    if (met_absent_) return done(refuse_absent(request));
    return start_another_way(request, request.by_poster && !CommonWork::is_under_way());
}

// Copies straight between the two memories. Returns false if that cannot be done, for any reason.
bool RingChannel::copy_now(const OutboundRequest& request) {
    enter_access(out_.access.token, value(request.remote_token));
    soft::MemoryGrant grant;
    bool alive = false, copied = false;
    if (!is_closed() && find_grant(request, grant, alive)) [[likely]] {
        grant.location.offset += request.remote_address - grant.address;
        std::byte* const remote =
            parts_.peer_memory->find(request.remote_address, request.length_bytes, grant.location);
        if (remote) copied = copy_mapped(request, remote);
    }
    out_.access.token.store(0, std::memory_order_release);
    if (copied) count_copy(request);
    return copied;
}

// Refuses a request because the memory of one side is gone.
Status RingChannel::refuse_absent(const OutboundRequest& request) {
    const Status status = soft::refuse_absent(name(request.operation));
    for (const Sge& sge : request.sges)
        if (is_absent_in(sge.buffer, sge.length)) return status;
    return Status::remote_access_violation;
}

void RingChannel::count_copy(const OutboundRequest& request) {
    if (request.operation == Operation::write)
        traffic_.started.out(request.length_bytes);
    else
        traffic_.started.in(request.length_bytes);
}

// Starts a request whose memory is not mapped here: by a refusal with an explanation, by a copy by the kernel, or by
// frames.
StartResult RingChannel::start_another_way(const OutboundRequest& request, bool may_be_apart) {
    soft::MemoryGrant grant;
    bool alive = false;
    const bool open = find_grant(request, grant, alive);
    if (!open && !is_paged(request, alive, grant)) {
        report_target(request, alive, grant);
        return done(Status::remote_access_violation);
    }
    if (open && may_be_apart && parts_.peer_memory->may_copy_by_kernel()) return {Start::apart};
    return by_frames(request);
}

StartResult RingChannel::by_frames(const OutboundRequest& request) {
    return request.operation == Operation::write ? stream(request, FrameKind::write) : ask_to_read(request);
}

// Does work that may stay in the kernel for long. Returns false if the start was abandoned meanwhile.
template <typename Work>
bool RingChannel::in_kernel(Work work) {
    in_kernel_since_.store(now().time_since_epoch().count(), std::memory_order_relaxed);
    work();
    std::int64_t since = in_kernel_since_.load(std::memory_order_relaxed);
    return since != kAbandoned && in_kernel_since_.compare_exchange_strong(since, 0, std::memory_order_relaxed);
}

StartResult RingChannel::start_apart(const OutboundRequest& request) {
    if (request.operation == Operation::send) return place(request);
    PeerMemory& peer = *parts_.peer_memory;
    bool works = false;
    if (!in_kernel([&] { works = peer.reach() == PeerMemory::Reach::process_vm; })) return done(Status::canceled);
    if (!works) return by_frames(request);
    enter_access(out_.access.token, value(request.remote_token));
    soft::MemoryGrant grant;
    bool alive = false;
    const bool closed = is_closed();
    const bool open = !closed && find_grant(request, grant, alive);
    const Status status = open ? outcome_of_copy(copy_by_kernel(request)) : Status::not_supported;
    out_.access.token.store(0, std::memory_order_release);
    if (closed) return kBlocked;
    if (!open) return start_another_way(request, false);
    if (status == Status::not_supported) return by_frames(request);
    if (ok(status))
        count_copy(request);
    else if (status != Status::canceled)
        report_copy(request, status);
    return done(status);
}

// Returns the status of a request whose copy had the status `copied`. A peer that is gone does not answer
// (ND2-QP-STAT-03). not_supported: the kernel refuses to copy; frames may reach the memory.
Status RingChannel::outcome_of_copy(Status copied) {
    switch (copied) {
        case Status::success:
        case Status::canceled:
        case Status::access_violation: return copied;
        case Status::disconnected: return Status::timed_out;
        default: return Status::not_supported;
    }
}

// Copies by the kernel. canceled: the start was abandoned.
Status RingChannel::copy_by_kernel(const OutboundRequest& request) {
    const PeerMemory& peer = *parts_.peer_memory;
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

// Finds the grant of the peer's token. `alive`: the token is the peer's and lives. Returns false if it is dead, or does
// not grant the range or the right.
bool RingChannel::find_grant(const OutboundRequest& request, soft::MemoryGrant& grant, bool& alive) {
    if (request.remote_token != cached_token_ || !cached_slot_) {
        cached_slot_ = &parts_.peer_tokens.slot(request.remote_token);
        cached_token_ = request.remote_token;
    }
    if (request.remote_token == Token::none ||
        cached_slot_->remote_token.load(std::memory_order_acquire) != value(request.remote_token)) {
        cached_slot_ = nullptr;  // the token's slot is known while it lives
        return false;
    }
    grant = cached_slot_->grant();
    alive = grant.open_to(parts_.peer_scope);  // a window of another connection counts as dead (ND2-MW-03)
    const Access wanted = request.operation == Operation::write ? Access::remote_write : Access::remote_read;
    return alive && any_of(grant.access, wanted) && grant.covers(request.remote_address, request.length_bytes);
}

// Returns true if the range lies in memory that the peer reaches through pages: the peer carries out the request from
// frames (decisions/0019). `grant` gets the entry for the refusal.
bool RingChannel::is_paged(const OutboundRequest& request, bool alive, soft::MemoryGrant& grant) const {
    if (!alive) return false;
    const std::uint64_t paged_length = cached_slot_->paged_length.load(std::memory_order_relaxed);
    if (paged_length == 0) return false;
    grant.length = paged_length;
    const Access wanted = request.operation == Operation::write ? Access::remote_write : Access::remote_read;
    return any_of(grant.access, wanted) && grant.covers(request.remote_address, request.length_bytes);
}

void RingChannel::report_copy(const OutboundRequest& request, Status status) {
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

void RingChannel::report_target(const OutboundRequest& request, bool alive, const soft::MemoryGrant& grant) {
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

// Copies between mapped memories. Returns false if memory of one side is gone.
bool RingChannel::copy_mapped(const OutboundRequest& request, std::byte* remote) {
    const bool write = request.operation == Operation::write;
    if (request.sges.size() == 1 && request.length_bytes <= soft::kLongCopyBytes) [[likely]] {
        std::byte* const local = request.sges[0].buffer;
        if (soft::ordered_copy(write ? remote : local, write ? local : remote, request.length_bytes)) [[likely]]
            return true;
        met_absent_ = true;
        return false;
    }
    soft::SgeCursor local(request.sges);
    std::size_t left = request.length_bytes;
    while (left > 0 && !closed_.load(std::memory_order_relaxed)) {
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

StartResult RingChannel::ask_to_read(const OutboundRequest& request) {
    std::uint32_t number = 0;
    tx_lock_.lock();
    const bool room = producer_.reserve(0) != nullptr;
    if (room) {
        reads_asked_.fetch_add(1, std::memory_order_relaxed);
        number = producer_.publish({FrameKind::read_request, kFirst | kLast, 0, request.length_bytes,
                                    value(request.remote_token), request.remote_address},
                                   consumer_.next());
    }
    tx_lock_.unlock();
    if (!room) return kBlocked;
    traffic_.started.out(kFrameHeaderBytes);
    wake_peer();
    return in_flight(kReadTicket | number);
}

}  // namespace opennd::local
