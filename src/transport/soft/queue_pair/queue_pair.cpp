// SPDX-License-Identifier: MIT
// SoftQueuePair: how it comes and goes, its looks, its posts and its runs. queue_pair_end.cpp has its connection, the ends and the timers.
#include "transport/soft/queue_pair/queue_pair.h"

#include <chrono>
#include <thread>
#include <utility>

#include "base/probes.h"
#include "platform/process/clock.h"
#include "transport/soft/engine/open_adapter.h"
#include "transport/soft/engine/receive_turn.h"
#include "transport/soft/engine/request_failure.h"
#include "transport/soft/engine/service.h"

namespace opennd::soft {
namespace {

// The time in which a thread that is held up under the lock gets the processor again.
constexpr std::chrono::milliseconds kPatienceOfLook{20};

// A function of its own, so that a request which nobody watches saves no registers for it.
[[gnu::cold, gnu::noinline]] void probe_post(const SoftQueuePair* queue_pair, const WorkRequest& request) {
    OPENND_PROBE(post, queue_pair, static_cast<int>(request.operation), request.context, request.sges.size());
}

}  // namespace

SoftQueuePair::SoftQueuePair(Ref<OpenAdapter> adapter, const QueuePairParameters& parameters, ResultRing& receives,
                             ResultRing& initiators, Ref<SoftSharedReceiveQueue> shared)
    : ServedQueuePair(adapter->service()),
      adapter_(std::move(adapter)),
      scope_(adapter_->next_scope()),
      receives_(receives),
      initiators_(initiators),
      shared_(std::move(shared)),
      initiator_(parameters.limits, adapter_->tokens(), initiators, parameters.context, windows_,
                 adapter_->fast_regions()),
      responder_(parameters, adapter_->tokens(), receives, initiator_, windows_, adapter_->fast_regions(), scope_,
                 shared_.get(), *this),
      peer_wait_(*this, state_, channel_owner_, initiator_, responder_),
      life_(*this, state_, channel_owner_, initiator_, responder_, peer_wait_) {}

void SoftQueuePair::enlist() {
    if (shared_) shared_->attach(*this);
    try {
        adapter_->add(*this);
    } catch (...) {
        if (shared_) shared_->detach(*this);
        throw;
    }
}

void SoftQueuePair::end_by_program() {
    Ref<ConnectionEnd> connection;
    {
        const Held held(lock_);
        connection = life_.connection();
    }
    if (connection) connection->queue_pair_closed();
    end(Status::canceled);
}

void SoftQueuePair::retire() {
    receives_.forget(responder_.freed());
    initiators_.forget(initiator_.freed());
    if (shared_) shared_->detach(*this);
    Ref<Channel> channel;
    {
        const Held held(lock_);
        channel = channel_owner_;
    }
    adapter_->remove(*this, std::move(channel));
}

bool SoftQueuePair::heard() const {
    const Channel* const channel = this->channel();
    if (!channel) return false;
    const std::uint32_t before = taken_at_attach_.load(std::memory_order_relaxed);
    if (channel->taken() != before) return true;
    // A message counts as taken after its completion can be polled, and both happen under one hold of the lock.
    const Held held(lock_);
    return channel->taken() != before;
}

QueuePairUse SoftQueuePair::use() {
    const SteadyTime until = now() + kPatienceOfLook;
    QueuePairUse use;
    while (!visit(use)) {
        use.busy = now() >= until;
        if (use.busy) break;
        std::this_thread::yield();
    }
    use.state = state();
    if (shared_) use.receives = use.receives_unretrieved = 0;  // its queue has the one of the message that arrives
    if (const Channel* const channel = this->channel()) {
        use.polled = channel->peer().attention() == Attention::polling;
        channel->peer().describe_connection(use);
    }
    return use;
}

bool SoftQueuePair::visit(QueuePairUse& use) {
    const BiasedLock::Visit visit(lock_);
    if (!visit.has_entered()) return false;
    initiator_.describe(use);
    responder_.describe(use);
    return true;
}

bool SoftQueuePair::is_idle() {
    const Held held(lock_);
    return initiator_.idle() && !initiator_.busy();
}

// ---- posts

Status SoftQueuePair::post(const WorkRequest& request) {
    if (OPENND_IS_WATCHED(post)) [[unlikely]]
        probe_post(this, request);
    switch (request.operation) {
        case Operation::receive: return post_receive(request);
        case Operation::read:
        case Operation::write: return post_one_sided(request);
        case Operation::send_with_immediate:
        case Operation::write_with_immediate: return post_with_immediate(request);
        default: return post_request(request);
    }
}

// Posts an initiator request. not_connected, queue_full, or success: the request will complete.
Status SoftQueuePair::post_request(const WorkRequest& request) {
    const auto length_bytes = static_cast<std::uint32_t>(total_length(request.sges));
    Progress progress;
    Status status = Status::success;
    {
        const Held held(lock_);
        if (is(QueuePairState::idle)) [[unlikely]]
            return Status::not_connected;
        status = initiator_.post(request, length_bytes);
        if (status == Status::queue_full) [[unlikely]] {
            run_whole(progress);  // silent requests may have finished
            status = initiator_.post(request, length_bytes);
        }
        const bool attached = is(QueuePairState::attached);
        if (ok(status) && attached) [[likely]] {
            if (initiator_.start_posted(request, length_bytes, *channel_owner_, lock_, progress)) [[unlikely]]
                run_whole(progress);
        }
        if (!attached || initiator_.failed()) [[unlikely]]
            life_.settle(progress);
        else if (initiator_.waits_for_peer()) [[unlikely]]
            peer_wait_.come_back_for_work(progress);
        if (is_armed()) [[unlikely]]
            peer_wait_.watch_pollers(true, progress);
    }
    progress.after.run();
    return status;
}

// A Read or Write is carried out at once if the wire can, and otherwise posted as any other request. The lock is free in between, so
// that a request of another thread may come first.
Status SoftQueuePair::post_one_sided(const WorkRequest& request) {
    const auto length_bytes = static_cast<std::uint32_t>(total_length(request.sges));
    Progress progress;
    bool carried_out = false;
    {
        const Held held(lock_);
        carried_out =
            is(QueuePairState::attached) && initiator_.carry_out(request, length_bytes, *channel_owner_, progress);
    }
    if (!carried_out) return post_request(request);
    progress.after.run();
    return Status::success;
}

// A peer without immediate data is known before the first request starts, or none is connected yet; else the request
// itself fails.
Status SoftQueuePair::post_with_immediate(const WorkRequest& request) {
    const Channel* const channel = this->channel();
    if (channel && !channel->carries_immediate()) [[unlikely]]
        return refuse_immediate(initiator_.number(), request.operation);
    return post_request(request);
}

Status SoftQueuePair::post_receive(const WorkRequest& request) {
    bool awaited = false;
    {
        const Held held(lock_);
        const Status status = responder_.post(request);
        if (!ok(status)) [[unlikely]]
            return status;
        // The receive is awaited if a message waits for it, or if it is to be flushed at once.
        awaited = responder_.starved() || is(QueuePairState::error);
    }
    if (awaited) [[unlikely]]
        run();
    return Status::success;
}

std::vector<PostedReceive> SoftQueuePair::take_receives() {
    const Held held(lock_);
    return is(QueuePairState::idle) ? responder_.take_receives() : std::vector<PostedReceive>();
}

// ---- runs

void SoftQueuePair::try_run(Progress& progress) {
    if (!lock_.try_lock()) return;
    run_locked(progress, ReadCounters::if_idle);
    lock_.unlock();
}

bool SoftQueuePair::try_run_once(Progress& progress) {
    if (!lock_.try_lock()) return true;
    run_whole(progress);
    const bool left = leaves_work();
    lock_.unlock();
    return left;
}

bool SoftQueuePair::run_once(Progress& progress) {
    const Held held(lock_);
    run_whole(progress);
    return leaves_work();
}

bool SoftQueuePair::run_rounds() {
    for (int round = 0; round < kRounds; ++round) {
        const std::uint32_t before = moves();
        Progress progress;
        const bool left = run_once(progress);
        progress.after.run();
        if (!left || moves() == before) return false;
    }
    return true;
}

void SoftQueuePair::run() {
    if (run_rounds()) service().serve_later(*this);
}

void SoftQueuePair::run(Progress& progress) {
    if (run_once(progress)) service().serve_later(*this);
}

// Returns true if a run leaves work. A message that waits for a receive is none: the thread that posts one takes it.
// Work that waits for the peer is named when the peer has done its part. A busy thread may end with work left.
bool SoftQueuePair::leaves_work() const {
    if (!is(QueuePairState::attached) || responder_.failed()) return false;
    if (responder_.busy() || initiator_.busy()) return true;
    return !responder_.starved() && !channel_owner_->receive_waits_for_peer() && channel_owner_->left_work();
}

// A program that waits for an event does not notice that its peer stops to poll.
void SoftQueuePair::run_whole(Progress& progress) {
    run_locked(progress, ReadCounters::always);
    if (is_armed()) [[unlikely]]
        peer_wait_.watch_pollers(true, progress);
}

void SoftQueuePair::run_locked(Progress& progress, ReadCounters read) {
    if (is(QueuePairState::attached)) [[likely]]
        run_attached(*channel_owner_, progress, read);
    else if (is(QueuePairState::error))
        life_.run_in_error(lock_, progress);
}

void SoftQueuePair::run_attached(Channel& channel, Progress& progress, ReadCounters read) {
    const std::size_t moved = responder_.run_inline(channel, lock_, progress);
    const bool reads = moved == 0 || read == ReadCounters::always;
    if (reads) channel.peer().read_counters();
    if ((reads || initiator_.has_work()) && initiator_.run(channel, lock_, progress)) {
        progress_made_.store(progress_made_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        if (initiator_.released_lock()) [[unlikely]]
            responder_.run(channel, lock_, progress);  // arrivals of meanwhile may have found it busy
    }
    if (responder_.needs_run()) [[unlikely]]
        service().serve_later(*this);
    if (responder_.starved()) [[unlikely]]
        peer_wait_.watch_starvation(is_armed(), progress);
    if (initiator_.failed() || responder_.failed()) [[unlikely]] {
        life_.settle(progress);
    } else if (initiator_.waits_for_peer() || channel_owner_->receive_waits_for_peer()) [[unlikely]] {
        peer_wait_.come_back_for_work(progress);
        if (initiator_.needs_run()) service().serve_later(*this);
    }
}

}  // namespace opennd::soft
