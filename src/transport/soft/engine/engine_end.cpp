// SPDX-License-Identifier: MIT
// Engine, its ends: flush, this side's end, the peer's, and the waits for copies. See engine.h.
#include <thread>

#include "base/explanation.h"
#include "transport/soft/engine/engine.h"

namespace opennd::soft {
namespace {

// Rounds that move up the arrivals of before the end; a later arrival came after it.
constexpr int kLastRounds = 8;

void report_abandoned(std::uint32_t number) {
    (void)report(
        Status::timed_out,
        {.object = phrase("queue pair {}", number),
         .operation = "a Read or Write of this side",
         .asked = "the end of a copy between this process and the peer's memory",
         .limit = "2 s in which the kernel got no page of the peer's; the connection ends",
         .remedy = "see why the pages of the peer's process do not come; do not reuse the request's memory while it "
                   "exists",
         .requirement = "ND2-QP-FLUSH-05",
         .cause = LogCause::peer});
}

}  // namespace

void Engine::flush(Progress& progress) {
    wait_until_at_rest();
    must_advance(QueuePairEvent::flush);
    if (state_.load(std::memory_order_relaxed) == QueuePairState::idle) return responder_.flush(progress);
    const bool sound = !initiator_.failed() && !initiator_.abandoned() && !responder_.failed();
    flushing_ = true;
    wait_until_held_back();
    flushing_ = false;
    flushed_ = flushed_ || sound;
    flush_queues(progress);
    if (initiator_.abandoned()) settle(progress);
}

void Engine::run_arrivals(Progress& progress) {
    Channel* const channel = channel_owner_.get();
    wait_until_at_rest();
    if (!channel || state_.load(std::memory_order_relaxed) != QueuePairState::attached) return;
    for (int round = 0; round < kLastRounds && !responder_.failed() && channel->has_arrival(); ++round) {
        const std::uint32_t before = channel->taken();
        responder_.run(*channel, lock, progress);
        wait_until_at_rest();
        if (channel->taken() == before) break;
    }
    if (responder_.starved()) channel->refuse(Status::timed_out);  // ND2-QP-SEND-06
}

// The connection knows of its end, and is told nothing more.
void Engine::forget_connection() {
    failure_reported_ = true;
    connection_ = nullptr;
}

void Engine::stop(Status oldest, Progress& progress) {
    run_arrivals(progress);  // ND2-QP-RECV-05
    decline_arrival(progress);
    forget_connection();
    flush_with(oldest, progress);
}

void Engine::flush_with(Status oldest, Progress& progress) {
    end_ = oldest;
    settle(progress);
}

void Engine::end(Status oldest, Progress& progress) {
    stop(oldest, progress);
    wait_until_held_back();
    wait_until_at_rest();
    flush_queues(progress);
    if (channel_owner_) channel_owner_->close();
}

bool Engine::try_end(Status oldest, Progress& progress) {
    initiator_.stop();
    if (!is_at_rest()) return false;
    stop(oldest, progress);
    return !channel_owner_ || channel_owner_->access().hold_back();
}

void Engine::end_by_peer(Progress& progress) {
    run_arrivals(progress);
    responder_.stop_waiting();
    forget_connection();
    channel_owner_->peer().read_counters();
    if (!initiator_.failed()) initiator_.reap(*channel_owner_, progress);
    if (ConnectionTap* const tap = channel_owner_->facts().tap) tap->on_peers_end();
}

// Other threads may run the engine meanwhile, the service thread above all.
void Engine::let_others_in() {
    lock.unlock();
    std::this_thread::yield();
    lock.lock();
}

void Engine::wait_until_held_back() {
    while (channel_owner_ && !channel_owner_->access().hold_back()) let_others_in();
}

void Engine::wait_until_at_rest() {
    while (!is_at_rest()) let_others_in();
}

bool Engine::wait_for_copies() {
    const bool known = initiator_.abandoned();
    wait_until_at_rest();
    return initiator_.abandoned() == known;
}

void Engine::wait_for_responder() {
    while (responder_.busy()) let_others_in();
}

bool Engine::is_at_rest() {
    if (responder_.busy()) return false;
    if (!initiator_.busy()) return true;
    if (!channel_owner_->abandon_start()) return false;
    initiator_.abandon_start();
    report_abandoned(initiator_.number());
    return true;
}

}  // namespace opennd::soft
