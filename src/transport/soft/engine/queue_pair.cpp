// SPDX-License-Identifier: MIT
// SoftQueuePair: how it comes and goes, its state, its looks. queue_pair_post.cpp has the posts, queue_pair_run.cpp the runs,
// queue_pair_end.cpp the ends.
#include "transport/soft/engine/queue_pair.h"

#include <chrono>
#include <thread>
#include <utility>

#include "base/explanation.h"
#include "platform/process/clock.h"
#include "transport/soft/channel/access_end.h"
#include "transport/soft/channel/channel_layer.h"
#include "transport/soft/engine/open_adapter.h"

namespace opennd::soft {
namespace {

// The time in which a thread that is held up under the lock gets the processor again.
constexpr std::chrono::milliseconds kPatienceOfLook{20};

}  // namespace

SoftQueuePair::SoftQueuePair(Ref<OpenAdapter> adapter, const QueuePairParameters& parameters, ResultRing& receives,
                             ResultRing& initiators, Ref<SoftSharedReceiveQueue> shared)
    : adapter_(std::move(adapter)),
      scope_(adapter_->next_scope()),
      receives_(receives),
      initiators_(initiators),
      shared_(std::move(shared)),
      initiator_(parameters.limits, adapter_->tokens(), initiators, parameters.context, windows_,
                 adapter_->fast_regions()),
      responder_(parameters, adapter_->tokens(), receives, initiator_, windows_, adapter_->fast_regions(), scope_,
                 shared_.get(), *this) {}

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
        connection = connection_;
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

bool SoftQueuePair::attach(Ref<Channel> channel, Ref<ConnectionEnd> connection, const ReadLimits& limits) {
    const Held held(lock_);
    if (!transition(state_.load(std::memory_order_relaxed), QueuePairEvent::attach)) return false;
    initiator_.set_read_limit(limits.outbound);
    connection_ = std::move(connection);
    taken_at_attach_.store(channel->taken(), std::memory_order_relaxed);
    put_channel(std::move(channel));
    must_advance(QueuePairEvent::attach);
    return true;
}

void SoftQueuePair::put_channel(Ref<Channel> channel) {
    channel_owner_ = std::move(channel);
    ConnectionTap* const tap = channel_owner_->facts().tap;
    responder_.set_tap(tap);
    if (tap) tap->on_tapped(initiator_.reads_in_flight());
    channel_.store(channel_owner_.get(), std::memory_order_release);
}

// The connector's lock comes before the queue pair's. A thread in the middle of a copy goes on with the channel as it was.
bool SoftQueuePair::capture() {
    Ref<ConnectionEnd> connection;
    {
        const Held held(lock_);
        connection = connection_;
    }
    const auto facts = connection ? connection->facts() : std::nullopt;
    if (!facts) return false;
    const Held held(lock_);
    if (state_.load(std::memory_order_relaxed) != QueuePairState::attached) return false;
    Ref<Channel> layered = adapter_->layer().wrap(channel_owner_, *facts);
    if (layered.get() != channel_owner_.get()) put_channel(std::move(layered));
    return true;
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

std::optional<QueuePairUse> SoftQueuePair::use() {
    const SteadyTime until = now() + kPatienceOfLook;
    while (!lock_.try_lock()) {
        if (now() >= until) return std::nullopt;
        std::this_thread::yield();
    }
    QueuePairUse use;
    initiator_.describe(use);
    responder_.describe(use);
    lock_.unlock();
    use.state = state();
    if (shared_) use.receives = use.receives_unretrieved = 0;  // its queue has the one of the message that arrives
    if (const Channel* const channel = this->channel()) {
        use.polled = channel->peer().attention() == Attention::polling;
        channel->peer().describe_connection(use);
    }
    return use;
}

bool SoftQueuePair::is_idle() {
    const Held held(lock_);
    return initiator_.idle() && !initiator_.busy();
}

void SoftQueuePair::must_advance(QueuePairEvent event) {
    const QueuePairState state = state_.load(std::memory_order_relaxed);
    if (const auto next = transition(state, event))
        state_.store(*next, std::memory_order_release);
    else
        report_missing_row("queue pair", enumerator_name(state), enumerator_name(event));
}

bool SoftQueuePair::end_accesses(Token remote, const AccessEnd& end) {
    bool in_time = false;
    Ref<Channel> channel;
    {
        const Held held(lock_);
        const bool known = initiator_.abandoned();
        wait_until_at_rest();
        in_time = initiator_.abandoned() == known;  // false: a copy was abandoned meanwhile
        channel = channel_owner_;
    }
    return in_time && (!channel || end.wait_for_peer(*channel, remote));
}

void SoftQueuePair::wait_for_responder() {
    const Held held(lock_);
    while (responder_.busy()) let_others_in();
}

}  // namespace opennd::soft
