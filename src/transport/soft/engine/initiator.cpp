// SPDX-License-Identifier: MIT
// Initiator: see initiator.h.
#include "transport/soft/engine/initiator.h"

#include <utility>

#include "platform/thread/common_work.h"
#include "transport/soft/engine/request_failure.h"
#include "transport/soft/engine/window_binding.h"
#include "transport/soft/memory/memory_check.h"

namespace opennd::soft {
namespace {

constexpr std::uint32_t bit(Operation operation) { return std::uint32_t{1} << static_cast<std::uint32_t>(operation); }

// The operations that are carried out on this side, without the channel.
constexpr std::uint32_t kLocal = bit(Operation::bind) | bit(Operation::invalidate) | bit(Operation::fast_register);
constexpr bool is_local(Operation operation) { return (bit(operation) & kLocal) != 0; }

// Returns true if the operation starts otherwise than by Channel::start().
constexpr bool starts_aside(Operation operation) {
    constexpr std::uint32_t kAside =
        kLocal | bit(Operation::send_with_immediate) | bit(Operation::write_with_immediate);
    return operation != Operation::send && (bit(operation) & kAside) != 0;  // the commonest is known by one look
}

constexpr Access wanted_of(Operation operation) {
    return operation == Operation::read ? Access::read_sink : Access::none;
}

OutboundRequest outbound(const SendSlot& slot, std::span<const Sge> sges, bool by_poster = false) {
    return {slot.operation, slot.flags, sges, slot.length_bytes, slot.remote_address, slot.remote_token, by_poster};
}

// Returns true if the request is done without a trace at the peer: `canceled` then denies nothing.
bool leaves_no_trace(const SendSlot& slot) {
    return is_local(slot.operation) || (slot.operation == Operation::write && slot.length_bytes == 0);
}

// NDK-QP-COMP-04.
std::uint32_t code_of(Channel* channel, Operation operation, Status status) {
    if (!channel || ok(status) || status == Status::canceled) return 0;
    return channel->failure_code(operation, status);
}

// The looks of one run for other threads that found it busy.
constexpr int kMostRounds = 4;

}  // namespace

// The scope in which the lock is released, and only this thread is inside.
class Initiator::Unlocked {
public:
    Unlocked(Initiator& initiator, BiasedLock& lock) NO_THREAD_SAFETY_ANALYSIS : initiator_(initiator), lock_(lock) {
        initiator_.busy_ = true;
        lock_.step_out();
    }
    ~Unlocked() NO_THREAD_SAFETY_ANALYSIS {
        lock_.step_in();
        initiator_.busy_ = false;
        initiator_.released_lock_ = true;
    }

private:
    Initiator& initiator_;
    BiasedLock& lock_;
};

Initiator::Initiator(const QueuePairLimits& limits, TokenTable& tokens, ResultRing& completions, void* context,
                     BoundWindows& windows, FastRegions& regions)
    : tokens_(tokens),
      completions_(completions),
      context_(context),
      windows_(windows),
      regions_(regions),
      queue_(limits.initiator_depth, limits.initiator_sges, limits.inline_bytes) {}

// Checks the memory of a request. would_block: not all of it is plain memory.
inline Status Initiator::check(const SendSlot& slot, std::span<const Sge> sges) const {
    if (slot.operation == Operation::read && read_limit_ == 0 && slot.length_bytes > 0) [[unlikely]]
        return refuse_without_limit(number_, slot);
    if (has(slot.flags, RequestFlags::inline_data)) return Status::success;
    if (has(slot.flags, RequestFlags::inline_entries)) [[unlikely]]
        return check_registered(sges);
    return are_plain(tokens_, sges, wanted_of(slot.operation)) ? Status::success : Status::would_block;
}

// Starts the next request. Other threads may have posted while the lock was released, and then the slot may lie
// elsewhere.
inline Start Initiator::start_next(std::span<const Sge> sges, bool by_poster, Channel& channel, BiasedLock& lock) {
    SendSlot* slot = &queue_[queue_.started()];
    const bool read = slot->operation == Operation::read;
    if (reads_in_flight_ > 0) [[unlikely]] {
        if (has(slot->flags, RequestFlags::read_fence)) return Start::blocked;  // ND2-QP-POST-12
        if (read && reads_in_flight_ >= read_limit_) return Start::blocked;     // ND2-QP-READ-02
    }

    StartResult result{Start::done, Status::success, {}};
    bool starts = false;
    if (starts_aside(slot->operation)) [[unlikely]] {
        result = has_immediate(slot->operation) ? start_with_immediate(*slot, sges, channel, lock)
                                                : start_without_channel(*slot, channel, lock);
        slot = &queue_[queue_.started()];
    } else if (result.status = check(*slot, sges); ok(result.status)) {
        starts = true;
        if (read) expect_answer(*slot);
        const OutboundRequest request = outbound(*slot, sges, by_poster);
        if (slot->length_bytes > kLongCopyBytes || (result = channel.start(request)).start == Start::unlocked) {
            result = start_with_lock_released(request, channel, lock);
            if (abandoned_) return Start::blocked;
            slot = &queue_[queue_.started()];
        }
    } else if (result.status == Status::would_block) {
        bool resolved = false;  // `starts` has no address, and lives in no memory
        result = start_resolved(*slot, sges, channel, lock, resolved);
        starts = resolved;
        slot = &queue_[queue_.started()];
    }
    switch (result.start) {
        case Start::blocked:
            if (read) --reads_in_flight_;
            slot->state = SendSlot::State::waiting;
            return Start::blocked;
        case Start::in_flight:
            if (!read) slot->state = SendSlot::State::in_flight;
            slot->ticket = result.ticket;
            break;
        case Start::done:
            if (read && starts) --reads_in_flight_;
            slot->state = SendSlot::State::done;
            slot->status = result.status;
            if (!ok(result.status)) stopped_ = true;
            break;
        case Start::unlocked: break;  // never comes here
    }
    queue_.advance_started();
    return result.start;
}

StartResult Initiator::start_with_lock_released(const OutboundRequest& request, Channel& channel, BiasedLock& lock) {
    const bool lengthy = request.length_bytes > kLongCopyBytes;
    const Unlocked others_may_run(*this, lock);
    const StartResult result = lengthy ? channel.start(request) : StartResult{Start::unlocked};
    return result.start == Start::unlocked ? channel.start_unlocked(request) : result;
}

void Initiator::abandon_start() {
    SendSlot& slot = queue_[queue_.started()];
    if (slot.operation == Operation::read) --reads_in_flight_;
    slot.state = SendSlot::State::done;
    slot.status = Status::timed_out;
    queue_.advance_started();
    abandoned_ = stopped_ = true;
}

// Expects the answer of a Read before it starts: the answer may arrive before start() returns, in a thread that has the
// lock meanwhile.
inline void Initiator::expect_answer(SendSlot& slot) {
    slot.state = SendSlot::State::in_flight;
    ++reads_in_flight_;
}

// Starts a request if some of its memory is reached through pages, or is not granted.
[[gnu::cold]] StartResult Initiator::start_resolved(SendSlot& slot, std::span<const Sge> sges, Channel& channel,
                                                    BiasedLock& lock, bool& starts) {
    ResolvedMemory memory;
    const Status status = memory.resolve(tokens_, sges, wanted_of(slot.operation));
    if (!ok(status)) return {Start::done, status, {}};
    starts = true;
    if (slot.operation == Operation::read) expect_answer(slot);
    if (slot.length_bytes <= kLongCopyBytes) return channel.start(outbound(slot, sges));
    const Unlocked others_may_run(*this, lock);
    const StartResult result = channel.start(outbound(slot, sges));
    memory.drop();  // before the lock is taken again
    return result;
}

// Starts a request with immediate data, out of memory of any kind.
StartResult Initiator::start_with_immediate(const SendSlot& slot, std::span<const Sge> sges, Channel& channel,
                                            BiasedLock& lock) {
    if (!channel.carries_immediate()) [[unlikely]]
        return {Start::done, refuse_immediate(number_, slot.operation), {}};
    const OutboundRequest request = outbound(slot, sges);
    const std::uint32_t immediate = slot.extra.immediate();
    const Status status = check(slot, sges);
    if (ok(status) && slot.length_bytes <= kLongCopyBytes) [[likely]]
        return channel.start_with_immediate(request, immediate);
    ResolvedMemory memory;
    if (const Status found = status == Status::would_block ? memory.resolve(tokens_, sges, Access::none) : status;
        !ok(found))
        return {Start::done, found, {}};
    if (request.length_bytes <= kLongCopyBytes) return channel.start_with_immediate(request, immediate);
    const Unlocked others_may_run(*this, lock);
    const StartResult result = channel.start_with_immediate(request, immediate);
    memory.drop();  // before the lock is taken again
    return result;
}

bool Initiator::carry_out(const WorkRequest& request, std::uint32_t length_bytes, Channel& channel,
                          Progress& progress) {
    if (!queue_.idle() || queue_.full() || busy_ || stopped_) return false;
    if (length_bytes == 0 || length_bytes > kLongCopyBytes) return false;
    const bool read = request.operation == Operation::read;
    if (read && read_limit_ == 0) return false;
    if (has(request.flags, RequestFlags::inline_entries | RequestFlags::local_invalidate)) return false;
    if (!has(request.flags, RequestFlags::inline_data)) {
        if (!are_plain(tokens_, request.sges, wanted_of(request.operation))) return false;
    }
    if (!channel.carry_out({request.operation, request.flags, request.sges, length_bytes, request.remote_address,
                            request.remote_token}))
        return false;
    const bool silent = has(request.flags, RequestFlags::silent_success);
    queue_.pass(!silent);
    if (!silent)
        completions_.push({Status::success, request.operation, Arrival::none, length_bytes, context_, request.context},
                          {&queue_.freed(), queue_.head()}, progress);
    return true;
}

bool Initiator::start_posted(const WorkRequest& request, std::uint32_t length_bytes, Channel& channel, BiasedLock& lock,
                             Progress& progress) {
    const std::uint32_t number = queue_.tail() - 1;
    released_lock_ = false;
    outstanding_.store(true, std::memory_order_relaxed);
    if (busy_ || stopped_ || queue_.started() != number) {
        queue_.store(number, request);
        return false;
    }
    // A long request may go in parts, and a Read's answer may come later: their lists must outlive the post, and are stored
    // before.
    const bool outlives = length_bytes > kLongCopyBytes || request.operation == Operation::read;
    if (outlives) queue_.store(number, request);
    switch (start_next(outlives ? queue_.stored(number) : request.sges, true, channel, lock)) {
        case Start::blocked:
            if (!outlives && !abandoned_) queue_.store(number, request);
            return released_lock_;
        case Start::unlocked: break;  // not from start_next
        case Start::in_flight: break;
        case Start::done:
            // Alone the request completes now. Behind requests in flight it has to wait for them, but not over a socket:
            // that takes octets in order, and with this request took all that was kept before.
            if (queue_.head() + 1 == queue_.started() || channel.facts().over_socket) reap(channel, progress);
            break;
    }
    return released_lock_;
}

bool Initiator::run(Channel& channel, BiasedLock& lock, Progress& progress) {
    if (busy_) {
        turned_away_ = turned_away_ || !progress.polled;
        return false;
    }
    released_lock_ = false;
    const std::uint32_t head = queue_.head(), started = queue_.started();
    // A thread that comes again and again while a long request is blocked must not keep this one in its call.
    for (int rounds = 0; rounds < kMostRounds; ++rounds) {
        turned_away_ = false;
        reap(channel, progress);
        while (!stopped_ && queue_.started() != queue_.tail() &&
               start_next(queue_.stored(queue_.started()), false, channel, lock) != Start::blocked)
            reap(channel, progress);
        if (!turned_away_ || failed_) break;
    }
    return queue_.head() != head || queue_.started() != started;
}

[[gnu::cold]] StartResult Initiator::start_without_channel(SendSlot& slot, Channel& channel, BiasedLock& lock) {
    if (slot.operation == Operation::invalidate) return start_invalidate(slot, channel, lock);
    if (slot.operation == Operation::fast_register) {
        const bool enabled = static_cast<SoftFastRegistration*>(slot.extra.subject())->enable();
        return {Start::done, enabled ? Status::success : refuse_fast_register(number_), {}};
    }
    auto* const binding = static_cast<SoftWindowBinding*>(slot.extra.subject());
    if (!binding) return {Start::done, refuse_bind(number_), {}};
    binding->enable();
    windows_.add(*binding);
    return {Start::done, Status::success, {}};
}

StartResult Initiator::start_invalidate(SendSlot& slot, Channel& channel, BiasedLock& lock) {
    if (auto* const region = dynamic_cast<SoftFastRegion*>(slot.extra.subject())) {
        if (!region->begin_end(SoftFastRegion::By::program)) return {Start::done, refuse_invalidate(number_), {}};
        const Unlocked others_may_run(*this, lock);  // finish_end() waits for users of its memory
        region->finish_end();
        return {Start::done, Status::success, {}};
    }
    auto* const binding = static_cast<SoftWindowBinding*>(slot.extra.subject());
    // The peer may have been first, by a SendAndInvalidate (ND1-MW-08).
    if (!binding || binding->taken_by_peer()) return {Start::done, refuse_invalidate(number_), {}};
    (void)windows_.take(binding->remote_token());  // the peer cannot any more
    const Unlocked others_may_run(
        *this, lock);  // waits for a peer in the middle of an access, but not in a thread that many wait for
    if (!CommonWork::is_under_way())
        binding->invalidate(channel, SoftWindowBinding::By::program);
    else if (!binding->invalidate_at_once(channel))
        return {Start::blocked};
    return {Start::done, Status::success, {}};
}

[[gnu::cold]] Status Initiator::check_registered(std::span<const Sge> sges) const {
    for (const Sge& sge : sges)
        if (sge.token != Token::none && sge.length != 0 && !is_granted(tokens_, sge, Access::none))
            return refuse_local(tokens_, sge, Access::none);
    return Status::success;
}

void Initiator::reap(Channel& channel, Progress& progress) {
    while (!failed_ && queue_.head() != queue_.started()) {
        SendSlot& slot = queue_[queue_.head()];
        if (slot.state == SendSlot::State::in_flight) {
            Status status = Status::success;
            if (!channel.find_outcome(slot.ticket, status)) break;
            if (!ok(status) && status != Status::canceled) [[unlikely]]
                report_refused(number_, slot, status, queue_.head());
            if (slot.operation == Operation::read) --reads_in_flight_;
            slot.status = status;
        }
        if (ok(slot.status)) [[likely]] {
            complete_head(Status::success, 0, progress);
        } else {
            if (slot.state != SendSlot::State::in_flight) log_failed(number_, slot);
            const Status told = tell_failure(slot.status);
            complete_head(told, code_of(&channel, slot.operation, told), progress);
            stopped_ = failed_ = true;
        }
    }
    note_outstanding();
}

void Initiator::complete_head(Status status, std::uint32_t provider_code, Progress& progress) {
    const SendSlot& slot = queue_[queue_.head()];
    bool silent = false;
    if (has(slot.flags, RequestFlags::silent_success | RequestFlags::local_invalidate)) [[unlikely]] {
        silent = has(slot.flags, RequestFlags::silent_success);
        if (ok(status) && has(slot.flags, RequestFlags::local_invalidate)) end_registration_read_into(queue_.head());
    }
    if (!silent) --to_report_;
    const bool reported = !ok(status) || !silent;  // ND2-QP-POST-13
    queue_.advance_head(reported);
    if (!reported) return;
    completions_.push({status, slot.operation, solicited_if(!ok(status)), ok(status) ? slot.length_bytes : 0, context_,
                       slot.context, Token::none, provider_code},
                      {&queue_.freed(), queue_.head()}, progress);
}

// Ends the registration of the memory that a Read has filled (NDK-QP-READ-04). No effect if it has ended before.
[[gnu::cold]] void Initiator::end_registration_read_into(std::uint32_t number) {
    const std::span<const Sge> entries = queue_.stored(number);
    if (entries.empty()) return;
    const Ref<SoftFastRegion> region = regions_.of_local(entries[0].token);
    if (region && region->begin_end(SoftFastRegion::By::program)) region->finish_end();
}

// The status of a flushed request: `otherwise`, unless its outcome is known. It may stand behind a request that the peer never
// answered, and be the one that the connection ended for (IW-ERR-19). Or the peer has taken it: canceled would deny that. Only
// the first failure is told.
Status Initiator::outcome_of(const SendSlot& slot, Channel* channel, Status otherwise) const {
    if (!channel || otherwise != Status::canceled) return otherwise;
    Status known = slot.status;
    if (slot.state == SendSlot::State::done) return (ok(known) ? leaves_no_trace(slot) : told_) ? otherwise : known;
    if (slot.state != SendSlot::State::in_flight || !channel->find_outcome(slot.ticket, known)) return otherwise;
    if (ok(known)) return known;
    if (told_) return otherwise;
    if (known != otherwise) report_refused(number_, slot, known, queue_.head());
    return known;
}

void Initiator::flush(Channel* channel, Progress& progress, Status oldest) {
    if (channel) {
        channel->peer().read_counters();
        reap(*channel, progress);  // earlier requests complete as they finished (ND2-QP-ERR-02)
        if (!failed_ && queue_.head() == queue_.started()) {
            const Status told = channel->unfinished();
            if (told != Status::canceled) oldest = told;
        }
    }
    if (failed_ || told_) oldest = Status::canceled;  // the first failure has been told, or never will be
    if (!queue_.idle()) log_canceled(number_, queue_[queue_.head()], queue_.tail() - queue_.head());
    while (!queue_.idle()) {
        if (queue_.head() == queue_.started()) queue_.advance_started();
        const SendSlot& slot = queue_[queue_.head()];
        if (slot.operation == Operation::bind && slot.extra.subject())
            static_cast<SoftWindowBinding*>(slot.extra.subject())->abandon();
        const Status status = outcome_of(slot, channel, oldest);
        complete_head(status, code_of(channel, slot.operation, status), progress);
        oldest = Status::canceled;
        if (!ok(status) && status != Status::canceled) told_ = true;
    }
    if (channel) channel->access().show_as_taken_back();
    windows_.clear();
    reads_in_flight_ = 0;
    stopped_ = failed_ = true;
    note_outstanding();
}

void Initiator::describe(QueuePairUse& use) {
    use.requests = queue_.tail() - queue_.head();
    use.unstarted = queue_.tail() - queue_.started();
    use.unretrieved = queue_.head() - queue_.freed().load(std::memory_order_relaxed);
    use.requests_completed = queue_.head();
    if (queue_.idle()) return;
    const SendSlot& slot = queue_[queue_.head()];
    use.oldest = OldestRequest{slot.operation, slot.length_bytes, slot.context, queue_.head() != queue_.started()};
}

SendSlot* Initiator::oldest_read(std::uint32_t& number) {
    const std::uint32_t end = queue_.started() + (busy() ? 1 : 0);  // it may be the request that start() is busy with
    for (number = queue_.head(); number != end; ++number) {
        SendSlot& slot = queue_[number];
        if (slot.operation == Operation::read && slot.state == SendSlot::State::in_flight) return &slot;
    }
    return nullptr;
}

Status Initiator::read_target(std::span<const Sge>& target, ResolvedMemory& memory) {
    std::uint32_t number = 0;
    if (!oldest_read(number)) return Status::malformed_request;
    target = queue_.stored(number);
    return check_local(tokens_, target, wanted_of(Operation::read), memory);
}

void Initiator::read_done(Status status) {
    std::uint32_t number = 0;
    SendSlot* const slot = oldest_read(number);
    slot->state = SendSlot::State::done;
    slot->status = status;
    if (!ok(status)) stopped_ = true;
    --reads_in_flight_;
}

}  // namespace opennd::soft
