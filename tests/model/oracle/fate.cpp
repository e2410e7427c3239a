// SPDX-License-Identifier: MIT
#include "model/oracle/fate.h"

#include <algorithm>

namespace opennd::modeled {
using namespace conformance;

namespace {

// A call that ends a connection.
bool ends_in_order(Kind kind) {
    return kind == Kind::flush || kind == Kind::disconnect || kind == Kind::release_queue_pair ||
           kind == Kind::release_connector;
}

}  // namespace

Fates::Fates(const Program& program, const History& history) : program_(program), history_(history) { find_causes(); }

std::int64_t Fates::grace_ns() const {
    return (program_.setting.world == World::impatient ? kImpatience_ms / 2 : 800) * 1'000'000;
}

bool Fates::withdrawn_meanwhile(const Request& request) const {
    if (request.length() == 0 || request.operation->has(kInline)) return false;
    const auto events = history_.events(request.side);
    return std::any_of(events.begin(), events.end(), [&](const Event& event) {
        return event.kind == EventKind::revoking && event.area == request.operation->object && event.area < kRegions &&
               event.begun > request.begun && event.begun < request.over;
    });
}

Fate Fates::of_access(const Request& request) const {
    const Operation& operation = *request.operation;
    if (operation.length == 0) return Fate::sound;
    if (operation.is_spoiled() || request.call->grant == 0) return Fate::must_fail;
    const unsigned owner = 1 - request.side;
    const Granted* const granted = history_.grant(owner, operation.area, request.call->grant);
    if (granted == nullptr) return Fate::may_fail;
    const bool reads = operation.kind == Kind::read;
    const bool allowed = granted->bind
                             ? granted->bind->has(reads ? kAllowRead : kAllowWrite)
                             : (rights_of(program_, owner, operation.area) & (reads ? kRemoteRead : kRemoteWrite));
    if (!allowed || granted->revoked < request.begun) return Fate::must_fail;
    return granted->revoking < request.over ? Fate::may_fail : Fate::sound;
}

Fate Fates::of(const Request& request) const {
    const Operation& operation = *request.operation;
    if (operation.is_spoiled_here()) return Fate::must_fail;
    if (operation.kind == Kind::invalidate) return request.call->grant == 0 ? Fate::must_fail : Fate::sound;
    if (operation.kind == Kind::bind) return Fate::sound;
    const Fate access =
        operation.kind == Kind::write || operation.kind == Kind::read ? of_access(request) : Fate::sound;
    if (access == Fate::must_fail) return access;
    return withdrawn_meanwhile(request) ? Fate::may_fail : access;
}

void Fates::find_causes() {
    for (unsigned pair = 0; program_.setting.wire_may_break && pair < program_.setting.pairs; ++pair)
        for (unsigned side = 0; side < kSides; ++side) causes_.push_back({pair, 0, kNoOperation, side});
    for (unsigned side = 0; side < kSides; ++side) {
        for (const Event& event : history_.events(side)) {
            if (event.kind != EventKind::call) continue;
            const bool flush = event.operation == kNoOperation;
            const Kind kind = flush ? Kind::flush : program_.operations[event.operation].kind;
            if (kind == Kind::kill) {
                for (unsigned pair = 0; pair < kMostPairs; ++pair)
                    causes_.push_back({pair, event.begun, event.operation, side});
            } else if (ends_in_order(kind)) {
                causes_.push_back({event.pair, event.begun, event.operation, side});
            }
        }
        for (unsigned pair = 0; pair < program_.setting.pairs; ++pair) {
            for (const Request& request : history_.initiators(side, pair)) {
                if (of(request) != Fate::sound) causes_.push_back({pair, request.begun, request.index, side});
                if (request.operation->kind == Kind::send && request.over - request.begun > grace_ns())
                    causes_.push_back({pair, request.begun + grace_ns(), request.index, side});
            }
            find_misfits(side, pair);
        }
    }
}

// Receives that cannot take their message. Which message that is, only the order of arrival tells where they are shared.
void Fates::find_misfits(unsigned side, unsigned pair) {
    std::size_t ordinal = 0;
    const std::vector<const Request*> sends = history_.sends(1 - side, pair);
    for (const Request& request : history_.receives(side, pair)) {
        const bool bad = of(request) != Fate::sound;
        const bool shared = history_.shares(side);
        if (bad) causes_.push_back({pair, request.begun, request.index, side});
        for (std::size_t i = shared ? 0 : ordinal; i < (shared ? sends.size() : std::min(sends.size(), ordinal + 1));
             ++i)
            if (sends[i]->length() > request.length())
                causes_.push_back({pair, std::max(sends[i]->begun, request.begun), request.index, side});
        ++ordinal;
    }
}

bool Fates::may_have_ended(unsigned pair, std::int64_t before, std::uint32_t but) const {
    return std::any_of(causes_.begin(), causes_.end(), [&](const Cause& cause) {
        return cause.pair == pair && cause.from < before && (cause.operation != but || cause.operation == kNoOperation);
    });
}

bool Fates::other_may_have_ended(const Request& request) const {
    return std::any_of(causes_.begin(), causes_.end(), [&](const Cause& cause) {
        return cause.by == 1 - request.side && cause.pair == request.operation->pair && cause.from < request.over;
    });
}

bool Fates::may_be_refused_early(const Request& request) const {
    const unsigned other = 1 - request.side, pair = request.operation->pair;
    std::int64_t end = kNever;
    for (const Event& event : history_.events(other)) {
        if (event.kind != EventKind::call || event.pair != pair || event.begun > request.over) continue;
        // When a program is through it flushes, or releases everything.
        const Kind last = program_.setting.abrupt[other] ? Kind::release_queue_pair : Kind::flush;
        const Kind kind = event.operation == kNoOperation ? last : program_.operations[event.operation].kind;
        if (kind == Kind::flush) return true;
        if (ends_in_order(kind)) end = std::min(end, event.begun);
    }
    if (end == kNever || request.operation->kind != Kind::send) return false;
    if (history_.shares(other)) return true;
    const auto& posted = history_.receives(other, pair);
    const auto receives = std::count_if(posted.begin(), posted.end(), [&](const Request& receive) {
        return receive.call->ended != 0 && receive.call->ended < end;
    });
    const std::vector<const Request*> sends = history_.sends(request.side, pair);
    return std::find(sends.begin(), sends.end(), &request) - sends.begin() >= receives;
}

bool Fates::may_have_lost_its_peer() const {
    return program_.setting.wire_may_break ||
           std::any_of(program_.operations.begin(), program_.operations.end(),
                       [](const Operation& operation) { return operation.kind == Kind::kill; });
}

bool Fates::may_be_lost(const Request& request) const {
    if (program_.setting.wire_may_break) return true;
    return std::any_of(causes_.begin(), causes_.end(), [&](const Cause& cause) {
        if (cause.operation == kNoOperation || cause.operation == request.index) return false;
        return cause.pair == request.operation->pair && cause.from < request.over &&
               !ends_in_order(program_.operations[cause.operation].kind);
    });
}

}  // namespace opennd::modeled
