// SPDX-License-Identifier: MIT
// SoftQueuePair: see queue_pair.h. queue_pair_poll.cpp has the pollers' part, queue_pair_end.cpp the ends.
#include "transport/soft/engine/queue_pair.h"

#include <chrono>

#include "base/probes.h"
#include "base/until_memory.h"
#include "platform/process/clock.h"
#include "platform/thread/asymmetric_barrier.h"
#include "transport/soft/channel/access_end.h"
#include "transport/soft/engine/open_adapter.h"

namespace opennd::soft {
namespace {

// Rounds of the service thread with one queue pair before it turns to the next.
constexpr int kRoundsOfService = 8;

// Apart, so that a request which nobody watches saves no registers for it.
[[gnu::cold, gnu::noinline]] void probe_post(const SoftQueuePair* queue_pair, const WorkRequest& request) {
    OPENND_PROBE(post, queue_pair, static_cast<int>(request.operation), request.context, request.sges.size());
}

}  // namespace

SoftQueuePair::SoftQueuePair(Ref<OpenAdapter> adapter, const QueuePairParameters& parameters,
                             Ref<QueuePairList> receives, Ref<QueuePairList> initiators,
                             Ref<SoftSharedReceiveQueue> shared)
    : adapter_(std::move(adapter)),
      limits_(parameters.limits),
      scope_(adapter_->next_scope()),
      receives_(std::move(receives)),
      initiators_(std::move(initiators)),
      shared_(std::move(shared)),
      engine_(parameters, *this, *adapter_, scope_, receives_->results(), initiators_->results(), shared_.get()) {
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
        if (attached > 1) initiators_->detach(*this, limits_.initiator_depth);
        if (attached > 0) receives_->detach(*this, limits_.receive_depth);
        throw;
    }
    if (receives_->results().has_overrun() || initiators_->results().has_overrun())
        engine_.must_advance(QueuePairEvent::fail);
}

Status SoftQueuePair::post(const WorkRequest& request) {
    if (OPENND_IS_WATCHED(post)) [[unlikely]]
        probe_post(this, request);
    switch (request.operation) {
        case Operation::receive: return engine_.post_receive(request);
        case Operation::read:
        case Operation::write: return engine_.post_one_sided(request);
        default: return engine_.post_request(request);
    }
}

bool SoftQueuePair::attach(Ref<Channel> channel, Ref<ConnectionEnd> connection, const ReadLimits& limits) {
    {
        const Held held(engine_.lock);
        if (!engine_.attach(std::move(channel), std::move(connection), limits)) return false;
    }
    full_barrier();  // a crowd that begins sees the channel, or is seen here
    receives_->connected(*this);
    if (initiators_ != receives_) initiators_->connected(*this);
    return true;
}

void SoftQueuePair::run_for_receive() {
    Channel* const channel = engine_.channel();
    if (!channel) return;
    // One run stops after Responder's budget, and other threads may have posted more receives. After kRoundsOfService the
    // service thread continues.
    for (int round = 0; round < kRoundsOfService; ++round) {
        const std::uint32_t before = channel->taken();
        Progress progress;
        engine_.run_once(progress);
        progress.after.run();
        if (channel->taken() == before || !channel->has_arrival()) return;
    }
    adapter_->service().serve_later(*this);
}

std::optional<QueuePairUse> SoftQueuePair::use() {
    std::optional<QueuePairUse> use = engine_.use();
    if (use && shared_)
        use->receives = use->receives_unretrieved = 0;  // its queue has the one of the message that arrives
    return use;
}

// The connector's lock comes before the queue pair's.
bool SoftQueuePair::capture() {
    Ref<ConnectionEnd> connection;
    {
        const Held held(engine_.lock);
        connection = engine_.connection();
    }
    const auto facts = connection ? connection->facts() : std::nullopt;
    if (!facts) return false;
    const Held held(engine_.lock);
    return engine_.put_layer(adapter_->layer(), *facts);
}

void SoftQueuePair::fail(Progress& progress) {
    const Held held(engine_.lock);
    engine_.fail(progress);
}

void SoftQueuePair::fail() {
    Progress progress;
    fail(progress);
    progress.after.run();
}

void SoftQueuePair::do_deferred() {
    Engine::Deferred due;
    {
        const Held held(engine_.lock);
        due = engine_.take_deferred();
    }
    if (due.failed_connection) due.failed_connection->queue_pair_failed();
    if (due.starvation_to_watch != 0)
        until_memory([&] {
            adapter_->event_loop().schedule(
                now() + adapter_->no_receive_time(),
                [self = Ref<SoftQueuePair>(this), wait = due.starvation_to_watch] { self->give_up_waiting(wait); });
        });
    if (due.revisit_due)
        until_memory([&] {
            adapter_->event_loop().schedule(now() + engine_.channel()->revisit_delay(),
                                            [self = Ref<SoftQueuePair>(this)] { self->revisit(); });
        });
}

void SoftQueuePair::revisit() {
    Engine::Revisit due{};
    {
        const Held held(engine_.lock);
        due = engine_.end_revisit();
    }
    if (due == Engine::Revisit::none) return;
    if (due == Engine::Revisit::nudge) engine_.channel()->peer().nudge();
    adapter_->service().serve(*this);  // schedules the next, if it still waits
}

void SoftQueuePair::give_up_waiting(std::uint32_t starvation) {
    Progress progress;
    {
        const Held held(engine_.lock);
        engine_.give_up_waiting(starvation, progress);
    }
    progress.after.run();
}

bool SoftQueuePair::serve() {
    Channel* const channel = engine_.channel();
    if (!channel) return false;
    if (crowds_.load(std::memory_order_relaxed) == completion_queues()) return serve_named(*channel);
    for (int round = 0; round < kRoundsOfService; ++round) {
        const std::uint32_t before = engine_.progress_made() + channel->taken();
        Progress progress;
        engine_.run_once(progress);
        progress.after.run();
        const bool was_polling = channel->peer().set_attention(Attention::asleep) == Attention::polling;
        // An arrival that the service thread took is no sign that the poller stopped: without this it would wake for each
        // arrival of a slow poller.
        if (was_polling || !channel->facts().watches_itself) pacing_.restart();
        if (was_polling)
            heavy_barrier();
        else
            full_barrier();
        if (!channel->has_news() || state() != QueuePairState::attached) return false;
        // An arrival from before the peer saw that it must ring shows only now: the first round does not count. An arrival
        // that does not move after that waits for another thread: for a posted receive, a segment, the end of a long copy.
        // That thread runs the engine.
        const bool moved = engine_.progress_made() + channel->taken() != before;
        if (round != 0 && !moved && !channel->peer().has_outcome()) return false;
    }
    return true;
}

// The sources of its crowds have the attention.
bool SoftQueuePair::serve_named(const Channel& channel) {
    for (int round = 0; round < kRoundsOfService; ++round) {
        const std::uint32_t before = engine_.progress_made() + channel.taken();
        Progress progress;
        const bool left = engine_.run_named(progress);
        progress.after.run();
        if (!left || engine_.progress_made() + channel.taken() == before) return false;
    }
    return true;
}

bool SoftQueuePair::end_accesses(Token remote, const AccessEnd& end) {
    bool in_time = false;
    Ref<Channel> channel;
    {
        const Held held(engine_.lock);
        in_time = engine_.wait_for_copies();
        channel = engine_.owned_channel();
    }
    return in_time && (!channel || end.wait_for_peer(*channel, remote));
}

void SoftQueuePair::wait_for_responder() {
    const Held held(engine_.lock);
    engine_.wait_for_responder();
}

}  // namespace opennd::soft
