// SPDX-License-Identifier: MIT
// See faulty_channel.h.
#include "transport/faults/faulty_channel.h"

#include <utility>

#include "base/explanation.h"

namespace opennd::faults {
namespace {

Place place_of(Operation operation) {
    if (operation == Operation::read) return Place::read;
    return operation == Operation::write ? Place::write : Place::send;
}

}  // namespace

// The request has one event, however often it starts.
soft::StartResult FaultyChannel::start(const soft::OutboundRequest& request) {
    if (is_lost()) return {soft::Start::blocked};
    if (!std::exchange(begun_, true)) {
        if (const Kind* const kind = faults_.strike(place_of(request.operation), request.length_bytes)) {
            begun_ = false;
            return end_by(*kind, request);
        }
    }
    const soft::StartResult result = inner_->start(request);
    begun_ = result.start == soft::Start::blocked || result.start == soft::Start::apart;
    return result;
}

soft::StartResult FaultyChannel::start_apart(const soft::OutboundRequest& request) {
    const soft::StartResult result = inner_->start_apart(request);
    begun_ = result.start == soft::Start::blocked;
    return result;
}

soft::StartResult FaultyChannel::end_by(const Kind& kind, const soft::OutboundRequest& request) {
    (void)report(kind.status, {.object = "queue pair",
                               .operation = name(request.operation),
                               .asked = phrase("{} bytes", request.length_bytes),
                               .limit = phrase("a fault on purpose: {}", kind.name),
                               .remedy = "see OPENND_FAULTS, or opennd_faults_set",
                               .requirement = "ND2-QP-ERR-01"});
    if (kind.place != Place::wire) return {soft::Start::done, kind.status, {}};
    lost_.store(true, std::memory_order_relaxed);
    return {soft::Start::blocked};
}

std::size_t FaultyChannel::receive(soft::ReceiveTurn& turn, std::size_t budget) {
    return is_lost() ? 0 : LayeredChannel::receive(turn, budget);
}

}  // namespace opennd::faults
