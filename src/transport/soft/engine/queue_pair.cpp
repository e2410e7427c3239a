// SPDX-License-Identifier: MIT
// SoftQueuePair: see queue_pair.h.
#include "transport/soft/engine/queue_pair.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/explanation.h"
#include "platform/process/clock.h"
#include "platform/thread/asymmetric_barrier.h"
#include "transport/soft/channel/access_end.h"
#include "transport/soft/engine/open_adapter.h"

namespace opennd::soft {
namespace {

// Rounds of the service thread with one queue pair before it turns to the next.
constexpr int kRoundsOfService = 8;
// Delay of the revisit of work that a poller left.
constexpr std::chrono::milliseconds kRevisitDelay{5};

}  // namespace

SoftQueuePair::SoftQueuePair(Ref<OpenAdapter> adapter, const QueuePairParameters& parameters,
                             Ref<SoftCompletionQueue> receives, Ref<SoftCompletionQueue> initiators,
                             Ref<SoftSharedReceiveQueue> shared)
    : adapter_(std::move(adapter)),
      limits_(parameters.limits),
      scope_(adapter_->next_scope()),
      receives_(std::move(receives)),
      initiators_(std::move(initiators)),
      shared_(std::move(shared)),
      initiator_(parameters.limits, adapter_->tokens(), *initiators_, parameters.context, windows_,
                 adapter_->fast_regions()),
      responder_(parameters, adapter_->tokens(), *receives_, initiator_, windows_, adapter_->fast_regions(), scope_,
                 shared_.get(), *this) {
    int attached = 0;  // queues that refer to this object; detached again if there is no memory for the next
    try {
        receives_->attach(*this, limits_.receive_depth);
        ++attached;
        initiators_->attach(*this, limits_.initiator_depth);
        ++attached;
        if (shared_) shared_->attach(*this);
        ++attached;
        adapter_->add(*this);
    } catch (...) {
        if (attached > 2 && shared_) shared_->detach(*this);
        if (attached > 1) initiators_->detach(*this, limits_.initiator_depth, initiator_.freed());
        if (attached > 0) receives_->detach(*this, limits_.receive_depth, responder_.freed());
        throw;
    }
    if (receives_->overrun() || initiators_->overrun()) must_advance(QueuePairEvent::fail);
}

Status SoftQueuePair::post(const WorkRequest& request) {
    return request.operation == Operation::receive ? post_receive(request) : post_initiator(request);
}

Status SoftQueuePair::post_initiator(const WorkRequest& request) {
    const auto length_bytes = static_cast<std::uint32_t>(total_length(request.sges));
    Progress progress;
    Status status = Status::success;
    {
        const Held lock(lock_);
        const QueuePairState state = state_.load(std::memory_order_relaxed);
        if (state == QueuePairState::idle) [[unlikely]]
            return Status::not_connected;
        if (state != QueuePairState::attached ||
            !initiator_.carry_out(request, length_bytes, *channel_owner_, progress))
            status = enqueue(request, length_bytes, progress);
    }
    progress.do_deferred();
    return status;
}

Status SoftQueuePair::enqueue(const WorkRequest& request, std::uint32_t length_bytes, Progress& progress) {
    Status status = initiator_.post(request, length_bytes);
    if (status == Status::queue_full) [[unlikely]] {
        run_locked(progress, ReadCounters::always);  // silent requests may have finished
        status = initiator_.post(request, length_bytes);
    }
    const bool attached = state_.load(std::memory_order_relaxed) == QueuePairState::attached;
    if (ok(status) && attached) [[likely]] {
        if (initiator_.start_posted(request, length_bytes, *channel_owner_, lock_, progress)) [[unlikely]]
            run_locked(progress, ReadCounters::always);
    }
    if (!attached || initiator_.failed()) [[unlikely]]
        settle(progress);
    else
        note_wait_for_peer(progress);
    return status;
}

Status SoftQueuePair::post_receive(const WorkRequest& request) {
    bool awaited = false;
    {
        const Held lock(lock_);
        const Status status = responder_.post(request);
        if (!ok(status)) [[unlikely]]
            return status;
        // A message waits for a receive, or the receive is to be flushed at once.
        awaited = responder_.starved() || state_.load(std::memory_order_relaxed) == QueuePairState::error;
    }
    if (awaited) [[unlikely]] {
        Progress progress;
        run(progress);
        progress.do_deferred();
    }
    return Status::success;
}

void SoftQueuePair::run_for_receive() {
    Channel* const channel = channel_.load(std::memory_order_acquire);
    if (!channel) return;
    // One run stops after Responder's budget, and other threads may have posted more receives. After kRoundsOfService the
    // service thread continues.
    for (int round = 0; round < kRoundsOfService; ++round) {
        const std::uint32_t before = channel->taken();
        Progress progress;
        lock_and_run(progress);
        progress.do_deferred();
        if (channel->taken() == before || !channel->has_arrival()) return;
    }
    adapter_->service().serve_later(*this);
}

void SoftQueuePair::try_run(Progress& progress) {
    if (!lock_.try_lock()) return;  // the holder posts or runs the engine; this caller polls again
    run_locked(progress, ReadCounters::if_idle);
    lock_.unlock();
}

void SoftQueuePair::run(Progress& progress) {
    Channel* const channel = channel_.load(std::memory_order_acquire);
    const std::uint32_t before = channel ? channel->taken() : 0;
    lock_and_run(progress);
    if (channel && channel->taken() != before && channel->has_arrival() && state() == QueuePairState::attached)
        adapter_->service().serve_later(*this);
}

void SoftQueuePair::lock_and_run(Progress& progress) {
    const Held lock(lock_);
    run_locked(progress, ReadCounters::always);
}

void SoftQueuePair::run_locked(Progress& progress, ReadCounters read) {
    Channel* const channel = channel_owner_.get();
    const QueuePairState state = state_.load(std::memory_order_relaxed);
    if (state == QueuePairState::attached) [[likely]] {
        const std::size_t moved = responder_.run(*channel, lock_, progress);
        const bool reads = moved == 0 || read == ReadCounters::always;
        if (reads) channel->read_peer_counters();
        if ((reads || initiator_.has_work()) && initiator_.run(*channel, lock_, progress)) {
            progress_made_.store(progress_made_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            if (initiator_.released_lock()) [[unlikely]]
                responder_.run(*channel, lock_, progress);  // arrivals of meanwhile may have found it busy
        }
        if (responder_.owes_a_run()) [[unlikely]]
            adapter_->service().serve_later(*this);
        if (responder_.starved() && responder_.starvation() != watched_starvation_) [[unlikely]] {
            watched_starvation_ = responder_.starvation();
            starvation_to_watch_ = watched_starvation_;
            progress.add_unsettled(*this);
        }
        if (initiator_.failed() || responder_.failed()) [[unlikely]]
            settle(progress);
        else
            note_wait_for_peer(progress);
    } else if (state == QueuePairState::error) {
        // Flushed, and the connection may still exist: a receive will not be posted (ND2-QP-FLUSH-03).
        if (channel && !flushing_ && !responder_.busy() && channel->decline(responder_)) flushed_ = false;
        if (!flushed_)
            settle(progress);
        else if (!initiator_.busy() && !responder_.busy())
            flush_queues(progress);  // requests posted since
    }
}

void SoftQueuePair::must_advance(QueuePairEvent event) {
    const QueuePairState state = state_.load(std::memory_order_relaxed);
    if (const auto next = transition(state, event))
        state_.store(*next, std::memory_order_release);
    else
        report_missing_row("queue pair", static_cast<unsigned>(state), static_cast<unsigned>(event));
}

// To state error: flushes once no thread is in a long copy and the peer in no message of this side, and reports the failure
// once.
void SoftQueuePair::settle(Progress& progress) {
    must_advance(QueuePairEvent::fail);
    const bool failed = initiator_.failed() || responder_.failed();
    if (flushing_ || initiator_.busy() || responder_.busy()) return;  // that thread comes through here when it is done
    held_up_ = channel_owner_ && !channel_owner_->hold_back();
    if (held_up_) return schedule_revisit(progress);
    flush_queues(progress);
    if (!failed || failure_reported_ || !connection_) return;
    failure_reported_ = true;
    failed_connection_ = connection_;
    progress.add_unsettled(*this);
}

void SoftQueuePair::fail(Progress& progress) {
    const Held lock(lock_);
    responder_.fail();
    settle(progress);
}

void SoftQueuePair::fail() {
    Progress progress;
    fail(progress);
    progress.do_deferred();
}

void SoftQueuePair::flush_queues(Progress& progress) {
    initiator_.flush(channel_owner_.get(), progress, end_);
    responder_.flush(progress);
}

void SoftQueuePair::do_deferred() {
    Ref<ConnectionEnd> failed;
    std::uint32_t starvation = 0;
    bool revisits = false;
    {
        const Held lock(lock_);
        std::swap(failed, failed_connection_);
        std::swap(starvation, starvation_to_watch_);
        std::swap(revisits, revisit_due_);
    }
    if (failed) failed->queue_pair_failed();
    if (starvation != 0)
        adapter_->event_loop().schedule(
            now() + adapter_->no_receive_time(),
            [self = Ref<SoftQueuePair>(this), starvation] { self->give_up_waiting(starvation); });
    if (revisits)
        adapter_->event_loop().schedule(now() + kRevisitDelay, [self = Ref<SoftQueuePair>(this)] { self->revisit(); });
}

// The caller may be a poller that never polls again, while the peer believes that it does and does not ring. The service
// thread revisits work that waits for the peer, unless the wire watches itself.
void SoftQueuePair::note_wait_for_peer(Progress& progress) {
    if (!initiator_.waits_for_peer() && !channel_owner_->receive_waits_for_peer()) [[likely]]
        return;
    if (!channel_owner_->watches_itself()) schedule_revisit(progress);
}

void SoftQueuePair::schedule_revisit(Progress& progress) {
    if (revisit_scheduled_) return;
    revisit_scheduled_ = revisit_due_ = true;
    progress.add_unsettled(*this);
}

void SoftQueuePair::revisit() {
    {
        const Held lock(lock_);
        revisit_scheduled_ = false;
        const bool attached = state_.load(std::memory_order_relaxed) == QueuePairState::attached;
        if (attached && !initiator_.waits_for_peer() && !channel_owner_->receive_waits_for_peer()) return;
        if (!attached && !held_up_) return;
    }
    adapter_->service().serve(*this);  // schedules the next, if it still waits
}

void SoftQueuePair::give_up_waiting(std::uint32_t starvation) {
    Progress progress;
    {
        const Held lock(lock_);
        const auto still_waits = [&]() REQUIRES(lock_) {
            return state_.load(std::memory_order_relaxed) == QueuePairState::attached && responder_.starved() &&
                   responder_.starvation() == starvation;
        };
        if (still_waits()) run_locked(progress, ReadCounters::always);  // the peer may have taken the message back
        if (still_waits()) refuse_waiting(progress);
    }
    progress.do_deferred();
}

// The message's sender gets timed_out, and the connection ends (ND2-QP-SEND-05).
void SoftQueuePair::refuse_waiting(Progress& progress) {
    (void)report(Status::timed_out,
                 {.object = "queue pair",
                  .operation = "a message of the peer",
                  .asked = "a posted receive",
                  .limit = phrase("{} ms of waiting; the connection ends", adapter_->no_receive_time().count()),
                  .remedy = "post receives before the peer sends, or raise OPENND_NO_RECEIVE_MS",
                  .requirement = "ND2-QP-SEND-05",
                  .cause = LogCause::peer});
    channel_owner_->refuse(Status::timed_out);
    responder_.fail();
    settle(progress);
}

bool SoftQueuePair::wants_service() const {
    Channel* const channel = channel_.load(std::memory_order_acquire);
    if (!channel) return false;
    if (service_due_.load(std::memory_order_relaxed)) return true;
    return !channel->watches_itself() && (channel->rung() || channel->has_news());
}

void SoftQueuePair::flush() {
    Progress progress;
    {
        const Held lock(lock_);
        wait_until_at_rest();
        must_advance(QueuePairEvent::flush);
        if (state_.load(std::memory_order_relaxed) == QueuePairState::idle) {
            responder_.flush(progress);
        } else {
            const bool sound = !initiator_.failed() && !initiator_.abandoned() && !responder_.failed();
            flushing_ = true;
            wait_until_held_back();
            flushing_ = false;
            flushed_ = flushed_ || sound;
            flush_queues(progress);
            if (initiator_.abandoned()) settle(progress);
        }
    }
    progress.do_deferred();
}

// Other threads may run the engine meanwhile, the service thread above all.
void SoftQueuePair::wait_until_held_back() {
    while (channel_owner_ && !channel_owner_->hold_back()) {
        lock_.unlock();
        std::this_thread::yield();
        lock_.lock();
    }
}

void SoftQueuePair::wait_until_at_rest() {
    while (!is_at_rest()) {
        lock_.unlock();
        std::this_thread::yield();
        lock_.lock();
    }
}

bool SoftQueuePair::is_at_rest() {
    if (responder_.busy()) return false;
    if (!initiator_.busy()) return true;
    if (!channel_owner_->abandon_start()) return false;
    initiator_.abandon_start();
    report_abandoned();
    return true;
}

void SoftQueuePair::report_abandoned() const {
    (void)report(
        Status::timed_out,
        {.object = "queue pair",
         .operation = "a Read or Write of this side",
         .asked = "the end of a copy between this process and the peer's memory",
         .limit = "2 s in which the kernel got no page of the peer's; the connection ends",
         .remedy = "see why the pages of the peer's process do not come; do not reuse the request's memory while it "
                   "exists",
         .requirement = "ND2-QP-FLUSH-05",
         .cause = LogCause::peer});
}

bool SoftQueuePair::attach(Ref<Channel> channel, Ref<ConnectionEnd> connection, const ReadLimits& limits) {
    const Held lock(lock_);
    if (!transition(state_.load(std::memory_order_relaxed), QueuePairEvent::attach)) return false;
    initiator_.set_read_limit(limits.outbound);
    connection_ = std::move(connection);
    channel_owner_ = std::move(channel);
    taken_at_attach_.store(channel_owner_->taken(), std::memory_order_relaxed);
    channel_.store(channel_owner_.get(), std::memory_order_release);
    must_advance(QueuePairEvent::attach);
    return true;
}

bool SoftQueuePair::heard() const {
    const Channel* const channel = channel_.load(std::memory_order_acquire);
    return channel && channel->taken() != taken_at_attach_.load(std::memory_order_relaxed);
}

bool SoftQueuePair::ask_to_be_woken() {
    polls_since_armed_.store(0, std::memory_order_relaxed);
    polls_until_polling_.store(kPollsUntilPolling, std::memory_order_relaxed);
    Channel* const channel = channel_.load(std::memory_order_acquire);
    if (!channel) return false;
    const bool was_polling = channel->attention() == Channel::Attention::polling;
    channel->set_attention(Channel::Attention::asleep);
    if (initiator_.has_outstanding()) channel->nudge();  // the peer may have stopped polling silently
    return was_polling;
}

bool SoftQueuePair::serve() {
    service_due_.store(false, std::memory_order_relaxed);
    Channel* const channel = channel_.load(std::memory_order_acquire);
    if (!channel) return false;
    for (int round = 0; round < kRoundsOfService; ++round) {
        const std::uint32_t before = progress_made_.load(std::memory_order_relaxed) + channel->taken();
        Progress progress;
        lock_and_run(progress);
        progress.do_deferred();
        const bool was_polling = channel->attention() == Channel::Attention::polling;
        channel->set_attention(Channel::Attention::asleep);
        // An arrival that the service thread took is no sign that the poller stopped: without this it would wake for each
        // arrival of a slow poller.
        if (was_polling || !channel->watches_itself()) polls_since_armed_.store(0, std::memory_order_relaxed);
        if (was_polling)
            heavy_barrier();
        else
            full_barrier();
        if (!channel->has_news() || state() != QueuePairState::attached) return false;
        // An arrival from before the peer saw that it must ring shows only now: the first round does not count. An arrival
        // that does not move after that waits for another thread: for a posted receive, a segment, the end of a long copy.
        // That thread runs the engine.
        const bool moved = progress_made_.load(std::memory_order_relaxed) + channel->taken() != before;
        if (round != 0 && !moved && !channel->has_outcome()) return false;
    }
    return true;
}

void SoftQueuePair::wait_for_responder() {
    const Held lock(lock_);
    while (responder_.busy()) {
        lock_.unlock();
        std::this_thread::yield();
        lock_.lock();
    }
}

bool SoftQueuePair::end_accesses(Token remote, const AccessEnd& end) {
    lock_.lock();
    const bool known = initiator_.abandoned();
    wait_until_at_rest();
    const bool in_time = initiator_.abandoned() == known;
    const Ref<Channel> channel = channel_owner_;
    lock_.unlock();
    return in_time && (!channel || end.wait_for_peer(*channel, remote));
}

}  // namespace opennd::soft
