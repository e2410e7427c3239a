// SPDX-License-Identifier: MIT
// See faulty_channel.h.
#include "transport/faults/faulty_channel.h"

#include <algorithm>
#include <new>
#include <utility>

#include "base/explanation.h"
#include "base/log.h"

namespace opennd::faults {
namespace {

Place place_of(Operation operation) {
    if (operation == Operation::read) return Place::read;
    return is_write(operation) ? Place::write : Place::send;
}

}  // namespace

FaultyChannel::FaultyChannel(Ref<soft::Channel> inner, Ref<soft::ConnectionEnd> end, Faults& faults)
    : LayeredChannel(std::move(inner)), faults_(faults), end_(std::move(end)) {
    faults_.enter(*this);
}

FaultyChannel::~FaultyChannel() { faults_.leave(*this); }

soft::StartResult FaultyChannel::start(const soft::OutboundRequest& request) {
    return start_by(request, [&] { return inner_->start(request); });
}

soft::StartResult FaultyChannel::start_with_immediate(const soft::OutboundRequest& request, std::uint32_t immediate) {
    return start_by(request, [&] { return inner_->start_with_immediate(request, immediate); });
}

// Starts a request, which has one event, however often it starts.
template <typename Start>
soft::StartResult FaultyChannel::start_by(const soft::OutboundRequest& request, Start start) {
    if (is_lost() || is_without_peer()) return {soft::Start::blocked};
    if (!blow_) {
        blow_ = faults_.strike(place_of(request.operation), request.length_bytes);
        if (blow_->delay.count() > 0) {
            due_.store(now() + blow_->delay, std::memory_order_relaxed);
            show_own_work();
            log(LogLevel::debug, "faults on purpose: a {} of {} bytes leaves {} ns late", name(request.operation),
                request.length_bytes, blow_->delay.count());
        }
    }
    if (is_delayed()) return {soft::Start::blocked};
    if (const Kind* const kind = blow_->kind) {
        blow_.reset();
        return end_by(*kind, request);
    }
    const soft::StartResult result = start();
    const bool goes_on = result.start == soft::Start::blocked || result.start == soft::Start::unlocked;
    return goes_on ? result : finish(result);
}

soft::StartResult FaultyChannel::start_unlocked(const soft::OutboundRequest& request) {
    const soft::StartResult result = inner_->start_unlocked(request);
    return result.start == soft::Start::blocked ? result : finish(result);
}

// Ends the event of a request that has left, or has failed.
soft::StartResult FaultyChannel::finish(const soft::StartResult& result) {
    const Blow blow = *std::exchange(blow_, std::nullopt);
    if (blow.late.count() == 0 || !ok(result.status)) return result;
    try {
        const soft::StartResult hidden = late_.hide(result, now() + blow.late, blow.plan);
        show_own_work();
        return hidden;
    } catch (const std::bad_alloc&) {
        return result;
    }
}

bool FaultyChannel::find_outcome(soft::Ticket ticket, Status& status) {
    const LateResults::Found found = late_.find(ticket, faults_.plan());
    show_own_work();
    switch (found) {
        case LateResults::Found::late: return false;
        case LateResults::Found::done: status = Status::success; return true;
        case LateResults::Found::of_wire: break;
    }
    return inner_->find_outcome(ticket, status);
}

bool FaultyChannel::stop_requests() {
    late_.reveal();
    const bool held = LayeredChannel::stop_requests();
    show_own_work();
    return held;
}

bool FaultyChannel::is_delayed() {
    const SteadyTime due = due_.load(std::memory_order_relaxed);
    if (due == kNotDelayed) return false;
    if (now() < due && blow_->plan == faults_.plan()) return true;
    due_.store(kNotDelayed, std::memory_order_relaxed);
    show_own_work();
    return false;
}

// A request that was flushed before its time is canceled: nothing of it has left.
void FaultyChannel::show_as_taken_back() {
    blow_.reset();
    due_.store(kNotDelayed, std::memory_order_relaxed);
    show_own_work();
    LayeredChannel::show_as_taken_back();
}

// Nobody else brings the queue pair to look at a lost wire, at the end of a delay, or for a late result.
void FaultyChannel::show_own_work() {
    const Held lock(shown_mutex_);
    const SteadyTime due = due_.load(std::memory_order_relaxed);
    const std::optional<SteadyTime> late = late_.next();
    const SteadyTime first = std::min(due == kNotDelayed ? kNoOwnWork : due, late.value_or(kNoOwnWork));
    own_work_due_.store(is_lost() ? SteadyTime::min() : first, std::memory_order_relaxed);
    receive_waits_.store(late || inner_->receive_waits_for_peer(), std::memory_order_relaxed);
    broken_.store(is_lost() || inner_->broken(), std::memory_order_relaxed);
}

soft::StartResult FaultyChannel::end_by(const Kind& kind, const soft::OutboundRequest& request) {
    (void)report(kind.status, {.object = "queue pair",
                               .operation = name(request.operation),
                               .asked = phrase("{} bytes", request.length_bytes),
                               .limit = phrase("a fault on purpose: {}", kind.name),
                               .remedy = "see OPENND_FAULTS, or opennd_faults_set",
                               .requirement = "ND2-QP-ERR-01"});
    const bool ends_peer = kind.place == Place::peer;
    if (!ends_peer && kind.place != Place::wire) return {soft::Start::done, kind.status, {}};
    if (const Ref<soft::ConnectionEnd> end = ends_peer ? lose_peer() : nullptr)
        end->lose_peer();
    else
        lost_.store(true, std::memory_order_relaxed);
    show_own_work();
    return {soft::Start::blocked};
}

std::size_t FaultyChannel::receive(soft::ReceiveTurn& turn, std::size_t budget) {
    const std::size_t moved = is_lost() || deaf_ ? 0 : LayeredChannel::receive(turn, budget);
    show_own_work();
    return moved;
}

bool FaultyChannel::decline(soft::ReceiveTurn& turn) {
    const bool declined = !deaf_ && LayeredChannel::decline(turn);
    show_own_work();
    return declined;
}

// A peer that was lost on purpose lives, and is about to be told.
void FaultyChannel::on_peers_end() {
    LayeredChannel::on_peers_end();
    forget_end();
    if (!is_without_peer()) return;
    deaf_ = true;
    inner_->close();
}

void FaultyChannel::close() {
    forget_end();
    inner_->close();
}

void FaultyChannel::forget_end() {
    Ref<soft::ConnectionEnd> end;  // released without the mutex
    const Held lock(end_mutex_);
    std::swap(end, end_);
}

bool FaultyChannel::is_up() const {
    const Held lock(end_mutex_);
    return end_ != nullptr;
}

Ref<soft::ConnectionEnd> FaultyChannel::lose_peer() {
    const Held lock(end_mutex_);
    if (end_ != nullptr) without_peer_.store(true, std::memory_order_relaxed);
    return std::exchange(end_, nullptr);
}

}  // namespace opennd::faults
