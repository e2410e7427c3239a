// SPDX-License-Identifier: MIT
//
// See history.h.
#include "model/oracle/history.h"

#include <algorithm>

namespace opennd::modeled {

History::History(const Program& program, const Board& board) : program_(program), board_(board) {
    for (unsigned side = 0; side < kSides; ++side) read(side);
}

void History::read(unsigned side) {
    std::int64_t last = 0;
    for (const Event& event : events(side)) {
        last = std::max(event.begun, event.ended);
        switch (event.kind) {
            case EventKind::call: add_call(side, event); break;
            case EventKind::result: add_result(side, event); break;
            case EventKind::granted: {
                const bool window = event.area >= kRegions;
                grants_.push_back({.owner = side,
                                   .area = event.area,
                                   .number = event.grant,
                                   .bind = window ? &program_.operations[event.operation] : nullptr});
                break;
            }
            case EventKind::revoking:
            case EventKind::revoked:
                for (Granted& each : grants_)
                    if (each.owner == side && each.area == event.area && each.number == event.grant) {
                        each.revoking = std::min(each.revoking, event.begun);
                        if (event.kind == EventKind::revoked) each.revoked = std::min(each.revoked, event.begun);
                    }
                break;
            case EventKind::done: complete_[side] = !program_.setting.abrupt[side]; break;
            default: break;
        }
    }
    // Silent ones that nothing was heard of have succeeded.
    if (!complete_[side]) return;
    for (Queue& queue : initiators_[side])
        for (Request& request : queue)
            if (!request.outcome && request.operation->is_silent()) {
                request.outcome = Outcome::success;
                request.over = last;
            }
}

// One that did not return, because its process died, may have been accepted.
void History::add_call(unsigned side, const Event& event) {
    if (event.operation == kNoOperation) return;
    const Operation& operation = program_.operations[event.operation];
    const bool accepted = event.ended == 0 || event.outcome == Outcome::success;
    if (!operation.is_request() || !accepted) return;
    const bool receives = operation.kind == Kind::receive;
    Queue& queue = receives ? receives_[side][shares(side) ? 0 : operation.pair] : initiators_[side][operation.pair];
    queue.push_back(
        {.operation = &operation, .index = event.operation, .side = side, .call = &event, .begun = event.begun});
}

void History::add_result(unsigned side, const Event& event) {
    const auto wrong = [&](const char* what) { disorder_.push_back({&event, what}); };
    const bool received = event.request == RequestKind::receive;
    if (event.pair >= kMostPairs) return wrong("a result with another queue pair's context");
    Queue& queue = received ? receives_[side][shares(side) ? 0 : event.pair] : initiators_[side][event.pair];
    const auto at =
        std::find_if(queue.begin(), queue.end(), [&](const auto& each) { return each.index == event.operation; });
    if (at == queue.end()) return wrong("a result of nothing that was posted there");
    if (at->result != nullptr) return wrong("a second result");
    if (request_kind(at->operation->kind) != event.request) return wrong("a result of another kind");
    at->result = &event;
    at->outcome = event.outcome;
    at->over = event.begun;
    if (received) {
        const auto earlier = std::find_if(queue.begin(), at, [](const auto& each) { return each.result == nullptr; });
        if (!shares(side) && earlier != at) wrong("a result before that of an earlier receive");
        return;
    }
    std::size_t& next = next_[side][event.pair];
    const auto position = static_cast<std::size_t>(at - queue.begin());
    for (; next < position; ++next) {
        Request& passed = queue[next];
        if (!passed.operation->is_silent()) return wrong("a result before that of an earlier request");
        passed.outcome = Outcome::success;
        passed.over = event.begun;
    }
    next = position + 1;
}

std::vector<const Request*> History::sends(unsigned side, unsigned pair) const {
    std::vector<const Request*> sends;
    for (const Request& request : initiators(side, pair))
        if (request.operation->kind == Kind::send) sends.push_back(&request);
    return sends;
}

const Request* History::find(unsigned side, std::uint32_t operation) const {
    for (const auto* queues : {&initiators_[side], &receives_[side]})
        for (const Queue& queue : *queues)
            for (const Request& request : queue)
                if (request.index == operation) return &request;
    return nullptr;
}

const Granted* History::grant(unsigned owner, unsigned area, std::uint32_t number) const {
    for (const Granted& each : grants_)
        if (each.owner == owner && each.area == area && each.number == number) return &each;
    return nullptr;
}

}  // namespace opennd::modeled
