// SPDX-License-Identifier: MIT
// Engine, its runs: see engine.h. engine_end.cpp has the ends.
#include "transport/soft/engine/engine.h"

#include <bit>
#include <chrono>
#include <thread>
#include <utility>

#include "base/explanation.h"
#include "platform/process/clock.h"
#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/engine/receive_turn.h"
#include "transport/soft/engine/service.h"

namespace opennd::soft {
namespace {

// A thread that is held up inside gets the processor again in this time.
constexpr std::chrono::milliseconds kPatienceOfLook{20};

}  // namespace

Engine::Engine(const QueuePairParameters& parameters, ServedQueuePair& owner, OpenAdapter& adapter, std::uint32_t scope,
               ResultRing& receives, ResultRing& initiators, SoftSharedReceiveQueue* shared)
    : owner_(owner),
      adapter_(adapter),
      receives_(receives),
      initiators_(initiators),
      initiator_(parameters.limits, adapter.tokens(), initiators, parameters.context, windows_, adapter.fast_regions()),
      responder_(parameters, adapter.tokens(), receives, initiator_, windows_, adapter.fast_regions(), scope, shared,
                 owner) {}

Status Engine::post_request(const WorkRequest& request) {
    const auto length_bytes = static_cast<std::uint32_t>(total_length(request.sges));
    Progress progress;
    Status status = Status::success;
    {
        const Held held(lock);
        if (state_.load(std::memory_order_relaxed) == QueuePairState::idle) [[unlikely]]
            return Status::not_connected;
        status = enqueue(request, length_bytes, progress);
    }
    progress.after.run();
    return status;
}

// A request that is not carried out is posted as any other. The lock is free in between, so that a request of another thread may
// come first.
Status Engine::post_one_sided(const WorkRequest& request) {
    const auto length_bytes = static_cast<std::uint32_t>(total_length(request.sges));
    Progress progress;
    bool carried_out = false;
    {
        const Held held(lock);
        carried_out = state_.load(std::memory_order_relaxed) == QueuePairState::attached &&
                      initiator_.carry_out(request, length_bytes, *channel_owner_, progress);
    }
    if (!carried_out) return post_request(request);
    progress.after.run();
    return Status::success;
}

Status Engine::enqueue(const WorkRequest& request, std::uint32_t length_bytes, Progress& progress) {
    Status status = initiator_.post(request, length_bytes);
    if (status == Status::queue_full) [[unlikely]] {
        run_whole(progress);  // silent requests may have finished
        status = initiator_.post(request, length_bytes);
    }
    const bool attached = state_.load(std::memory_order_relaxed) == QueuePairState::attached;
    if (ok(status) && attached) [[likely]] {
        if (initiator_.start_posted(request, length_bytes, *channel_owner_, lock, progress)) [[unlikely]]
            run_whole(progress);
    }
    if (!attached || initiator_.failed()) [[unlikely]]
        settle(progress);
    else if (initiator_.waits_for_peer()) [[unlikely]]
        come_back_for_peer(progress);
    note_armed(progress);
    return status;
}

Status Engine::post_receive(const WorkRequest& request) {
    bool awaited = false;
    {
        const Held held(lock);
        const Status status = responder_.post(request);
        if (!ok(status)) [[unlikely]]
            return status;
        // A message waits for a receive, or the receive is to be flushed at once.
        awaited = responder_.starved() || state_.load(std::memory_order_relaxed) == QueuePairState::error;
    }
    if (awaited) [[unlikely]]
        run_for_awaited();
    return Status::success;
}

void Engine::run_for_awaited() {
    Progress progress;
    run(progress);
    progress.after.run();
}

std::optional<QueuePairUse> Engine::use() {
    const SteadyTime until = now() + kPatienceOfLook;
    while (!lock.try_lock()) {
        if (now() >= until) return std::nullopt;
        std::this_thread::yield();
    }
    QueuePairUse use;
    initiator_.describe(use);
    responder_.describe(use);
    lock.unlock();
    use.state = state();
    if (const Channel* const channel = this->channel()) {
        use.polled = channel->peer().attention() == Attention::polling;
        channel->peer().describe_connection(use);
    }
    return use;
}

void Engine::try_run(Progress& progress) {
    if (!lock.try_lock()) return;
    run_locked(progress, ReadCounters::if_idle);
    lock.unlock();
}

bool Engine::try_run_named(Progress& progress) {
    if (!lock.try_lock()) return true;
    const bool left = leaves_work(progress);
    lock.unlock();
    return left;
}

bool Engine::run_named(Progress& progress) {
    const Held held(lock);
    return leaves_work(progress);
}

// A message that waits for a receive is taken by the thread that posts one; work that waits for the peer is named when the peer
// has done its part. A busy thread may end with work left.
bool Engine::leaves_work(Progress& progress) {
    run_whole(progress);
    if (state_.load(std::memory_order_relaxed) != QueuePairState::attached || responder_.failed()) return false;
    if (responder_.busy() || initiator_.busy()) return true;
    return !responder_.starved() && !channel_owner_->receive_waits_for_peer() && channel_owner_->left_work();
}

void Engine::run_once(Progress& progress) {
    const Held held(lock);
    run_whole(progress);
}

void Engine::run_whole(Progress& progress) {
    run_locked(progress, ReadCounters::always);
    note_armed(progress);
}

void Engine::run(Progress& progress) {
    Channel* const channel = this->channel();
    const std::uint32_t before = channel ? channel->taken() : 0;
    run_once(progress);
    if (channel && channel->taken() != before && channel->has_arrival() && state() == QueuePairState::attached)
        adapter_.service().serve_later(owner_);
}

void Engine::run_locked(Progress& progress, ReadCounters read) {
    const QueuePairState state = state_.load(std::memory_order_relaxed);
    if (state == QueuePairState::attached) [[likely]]
        run_attached(*channel_owner_, progress, read);
    else if (state == QueuePairState::error)
        run_in_error(progress);
}

void Engine::run_attached(Channel& channel, Progress& progress, ReadCounters read) {
    const std::size_t moved = responder_.run_inline(channel, lock, progress);
    const bool reads = moved == 0 || read == ReadCounters::always;
    if (reads) channel.peer().read_counters();
    if ((reads || initiator_.has_work()) && initiator_.run(channel, lock, progress)) {
        progress_made_.store(progress_made_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        if (initiator_.released_lock()) [[unlikely]]
            responder_.run(channel, lock, progress);  // arrivals of meanwhile may have found it busy
    }
    if (responder_.owes_a_run()) [[unlikely]]
        adapter_.service().serve_later(owner_);
    if (responder_.starved()) [[unlikely]]
        note_starved(progress);
    if (initiator_.failed() || responder_.failed()) [[unlikely]]
        settle(progress);
    else if (waits_for_peer()) [[unlikely]]
        come_back_for_peer(progress);
}

// The program flushed, and the connection exists still: a receive will not be posted (ND2-QP-FLUSH-03). A message that meets another end
// is canceled with its connection, and not refused (ND2-CON-DISC-05, ND2-QP-ERR-01).
void Engine::decline_arrival(Progress& progress) {
    const bool is_over = failure_reported_ || !channel_owner_;
    if (!flushed_ || is_over || flushing_ || responder_.busy()) return;
    ReceiveTurn turn(responder_, *channel_owner_, lock, progress);
    if (channel_owner_->decline(turn)) flushed_ = false;
}

void Engine::run_in_error(Progress& progress) {
    decline_arrival(progress);
    if (!flushed_)
        settle(progress);
    else if (!initiator_.busy() && !responder_.busy())
        flush_queues(progress);  // requests posted since
}

// A poller here sees the arrival that waits, not that its own requests stand still.
void Engine::note_starved(Progress& progress) {
    if (responder_.starvation() != watched_starvation_) watch_starvation(progress);
    watch_peers_pollers(progress);
}

void Engine::watch_starvation(Progress& progress) {
    watched_starvation_ = responder_.starvation();
    deferred_.starvation_to_watch = watched_starvation_;
    progress.after.add(Turn::connection, owner_);
}

bool Engine::waits_for_peer() const { return initiator_.waits_for_peer() || channel_owner_->receive_waits_for_peer(); }

// The caller may be a poller that never polls again, while the peer believes that it does and does not ring. The service
// thread revisits work that waits for the peer, unless the wire watches itself.
void Engine::come_back_for_peer(Progress& progress) {
    if (!channel_owner_->facts().watches_itself || channel_owner_->has_own_work()) schedule_revisit(progress);
}

void Engine::schedule_revisit(Progress& progress) {
    if (revisit_scheduled_) return;
    revisit_scheduled_ = deferred_.revisit_due = true;
    head_at_revisit_ = initiator_.head();
    progress.after.add(Turn::connection, owner_);
}

// A program that waits for an event does not notice that its peer stops to poll.
inline void Engine::note_armed(Progress& progress) {
    if (is_armed()) [[unlikely]]
        watch_peers_pollers(progress);
}

// Nobody tells this side when the peer's pollers stop: the timer looks.
void Engine::watch_peers_pollers(Progress& progress) {
    if (is_left_to_peers_pollers()) schedule_revisit(progress);
}

bool Engine::is_left_to_peers_pollers() const {
    return !initiator_.idle() && state_.load(std::memory_order_relaxed) == QueuePairState::attached &&
           (responder_.starved() || is_armed()) && channel_owner_->peer().relies_on_peers_pollers();
}

Engine::Revisit Engine::end_revisit() {
    revisit_scheduled_ = false;
    if (state_.load(std::memory_order_relaxed) != QueuePairState::attached)
        return held_up_ ? Revisit::run : Revisit::none;
    if (!waits_for_peer() && !is_left_to_peers_pollers()) return Revisit::none;
    revisits_in_vain_ = initiator_.head() == head_at_revisit_ ? revisits_in_vain_ + 1 : 0;
    return std::has_single_bit(revisits_in_vain_) ? Revisit::nudge : Revisit::run;
}

Engine::Deferred Engine::take_deferred() { return std::exchange(deferred_, {}); }

bool Engine::attach(Ref<Channel> channel, Ref<ConnectionEnd> connection, const ReadLimits& limits) {
    if (!transition(state_.load(std::memory_order_relaxed), QueuePairEvent::attach)) return false;
    initiator_.set_read_limit(limits.outbound);
    connection_ = std::move(connection);
    channel_owner_ = std::move(channel);
    taken_at_attach_.store(channel_owner_->taken(), std::memory_order_relaxed);
    tap_channel();
    channel_.store(channel_owner_.get(), std::memory_order_release);
    must_advance(QueuePairEvent::attach);
    return true;
}

void Engine::tap_channel() {
    ConnectionTap* const tap = channel_owner_->facts().tap;
    responder_.set_tap(tap);
    if (tap) tap->on_tapped(initiator_.reads_in_flight());
}

// A thread in the middle of a copy goes on with the channel as it was.
bool Engine::put_layer(ChannelLayer& layer, const ConnectionFacts& facts) {
    if (state_.load(std::memory_order_relaxed) != QueuePairState::attached) return false;
    Ref<Channel> layered = layer.wrap(channel_owner_, facts);
    if (layered.get() == channel_owner_.get()) return true;
    channel_owner_ = std::move(layered);
    tap_channel();
    channel_.store(channel_owner_.get(), std::memory_order_release);
    return true;
}

bool Engine::heard() const {
    const Channel* const channel = this->channel();
    if (!channel) return false;
    const std::uint32_t before = taken_at_attach_.load(std::memory_order_relaxed);
    if (channel->taken() != before) return true;
    // A message counts as taken after its completion can be polled, and both happen under one hold of the lock.
    const Held held(lock);
    return channel->taken() != before;
}

void Engine::must_advance(QueuePairEvent event) {
    const QueuePairState state = state_.load(std::memory_order_relaxed);
    if (const auto next = transition(state, event))
        state_.store(*next, std::memory_order_release);
    else
        report_missing_row("queue pair", static_cast<unsigned>(state), static_cast<unsigned>(event));
}

void Engine::fail(Progress& progress) {
    responder_.fail();
    settle(progress);
}

// To state error: flushes once no thread is in a long copy and the peer in no message of this side, and reports the failure
// once.
void Engine::settle(Progress& progress) {
    must_advance(QueuePairEvent::fail);
    const bool failed = initiator_.failed() || responder_.failed();
    if (flushing_ || initiator_.busy() || responder_.busy()) return;  // that thread comes through here when it is done
    held_up_ = channel_owner_ && !channel_owner_->access().hold_back();
    if (held_up_) return schedule_revisit(progress);
    flush_queues(progress);
    if (!failed || failure_reported_ || !connection_) return;
    failure_reported_ = true;
    deferred_.failed_connection = connection_;
    progress.after.add(Turn::connection, owner_);
}

void Engine::flush_queues(Progress& progress) {
    initiator_.flush(channel_owner_.get(), progress, end_);
    responder_.flush(progress);
}

bool Engine::still_waits(std::uint32_t starvation) const {
    return state_.load(std::memory_order_relaxed) == QueuePairState::attached && responder_.starved() &&
           responder_.starvation() == starvation;
}

void Engine::give_up_waiting(std::uint32_t starvation, Progress& progress) {
    if (still_waits(starvation)) run_whole(progress);  // the peer may have taken the message back
    if (still_waits(starvation)) refuse_waiting(progress);
}

// The message's sender gets timed_out, and the connection ends (ND2-QP-SEND-05).
void Engine::refuse_waiting(Progress& progress) {
    (void)report(Status::timed_out,
                 {.object = "queue pair",
                  .operation = "a message of the peer",
                  .asked = "a posted receive",
                  .limit = phrase("{} ms of waiting; the connection ends", adapter_.no_receive_time().count()),
                  .remedy = "post receives before the peer sends, or raise OPENND_NO_RECEIVE_MS",
                  .requirement = "ND2-QP-SEND-05",
                  .cause = LogCause::peer});
    channel_owner_->refuse(Status::timed_out);
    fail(progress);
}

}  // namespace opennd::soft
